// A value in the metadata of a Zarr array, with its name for messages.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/json_reader.hpp"
#include "core/shape.hpp"
#include "gpuarr/base.h"

namespace gpuarr {

class ZarrField {
 public:
  /// The whole document, which must be an object.
  explicit ZarrField(const JsonValue& document);

  const JsonValue& value() const { return *value_; }
  std::string_view text() const { return value_->text; }
  bool is(std::string_view string) const { return value_->is(string); }
  bool is_null() const { return value_->kind == JsonValue::Kind::null; }

  /// Fails: "compressor is {...}; save it uncompressed".
  [[noreturn]] void refuse(gpuarr_status status, std::string_view right) const;

  ZarrField get(std::string_view key) const;  // fails where there is none
  std::optional<ZarrField> find(std::string_view key) const;
  ZarrField at(size_t i) const;  // of an array

  void must_be_object() const;
  std::span<const JsonValue> must_be_array() const;
  /// A list of integers, at most one for each axis that there can be.
  Dims integers(int64_t least) const;

 private:
  ZarrField(std::string name, const JsonValue& value) : name_(std::move(name)), value_(&value) {}

  std::string name_;  // "chunk_grid.configuration", "codecs[0]"; "" for the document
  const JsonValue* value_;
};

}  // namespace gpuarr
