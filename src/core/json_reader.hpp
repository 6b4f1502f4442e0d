// JSON that others wrote: https://www.rfc-editor.org/rfc/rfc8259
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuarr {

struct JsonValue {
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  std::string text;               // a number as it is written, a string's characters, "true"
  std::vector<std::string> keys;  // of an object, in the order of its items
  std::vector<JsonValue> items;

  const JsonValue* find(std::string_view key) const;  // null if it is no object, or has no such key

  bool is(std::string_view string) const { return kind == Kind::string && text == string; }
  std::optional<bool> boolean() const;
  /// Of a number that is written without fraction and exponent.
  std::optional<int64_t> integer() const;
  std::optional<uint64_t> natural() const;
  std::optional<double> real() const;  // of any number that is not beyond float64

  /// As JSON for messages: in one line, without what could steer a terminal, and the beginning
  /// alone where it is long.
  std::string shown() const;
};

/// Fails with GPUARR_ERR_FORMAT for what is not JSON to the letter: for numbers as NaN and comments
/// too, and for a key that an object has twice, invalid UTF-8, or values nested deeper than 64.
JsonValue parse_json(std::string_view text);

}  // namespace gpuarr
