// A value in the metadata of a Zarr array.
#include "array/zarr_field.hpp"

#include "core/error.hpp"

namespace gpuarr {

ZarrField::ZarrField(const JsonValue& document) : value_(&document) {
  if (document.kind != JsonValue::Kind::object)
    fail(GPUARR_ERR_FORMAT, "it is {}; metadata are an object", document.shown());
}

void ZarrField::refuse(gpuarr_status status, std::string_view right) const {
  fail(status, "{} is {}; {}", name_, value_->shown(), right);
}

ZarrField ZarrField::get(std::string_view key) const {
  if (const auto found = find(key)) return *found;
  if (name_.empty()) fail(GPUARR_ERR_FORMAT, "it lacks the key \"{}\"", key);
  refuse(GPUARR_ERR_FORMAT, formatted("it lacks the key \"{}\"", key));
}

std::optional<ZarrField> ZarrField::find(std::string_view key) const {
  const JsonValue* found = value_->find(key);
  if (found == nullptr) return std::nullopt;
  return ZarrField((name_.empty() ? "" : name_ + ".") + std::string(key), *found);
}

ZarrField ZarrField::at(size_t i) const {
  return {formatted("{}[{}]", name_, i), value_->items[i]};
}

void ZarrField::must_be_object() const {
  if (value_->kind != JsonValue::Kind::object) refuse(GPUARR_ERR_FORMAT, "it must be an object");
}

std::span<const JsonValue> ZarrField::must_be_array() const {
  if (value_->kind != JsonValue::Kind::array) refuse(GPUARR_ERR_FORMAT, "it must be an array");
  return value_->items;
}

Dims ZarrField::integers(int64_t least) const {
  if (must_be_array().size() > static_cast<size_t>(max_ndim))
    refuse(GPUARR_ERR_FORMAT,
           formatted("it has {} axes, of at most {}", value_->items.size(), max_ndim));
  Dims out;
  for (const JsonValue& item : value_->items) {
    const auto number = item.integer();
    if (!number || *number < least)
      refuse(GPUARR_ERR_FORMAT, formatted("its items must be integers from {} to 2^63 - 1", least));
    out.push_back(*number);
  }
  return out;
}

}  // namespace gpuarr
