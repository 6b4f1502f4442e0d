// The fill value of a Zarr array, which JSON has no infinities, NaNs and complex numbers for:
// https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html#permitted-fill-values
// https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#fill-value-encoding
#include "array/zarr_fill.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "array/byte_order.hpp"
#include "core/error.hpp"

namespace gpuarr {
namespace {

// The type of a complex number's parts; a real type is its own.
DType number_of(DType dtype) {
  if (dtype == DType::c64) return DType::f32;
  return dtype == DType::c128 ? DType::f64 : dtype;
}

// "0x7fc00000": an element's bits.
bool parse_bits(std::string_view text, int size, unsigned char* out) {
  uint64_t bits = 0;
  if (!text.starts_with("0x") || text.size() != 2 + 2 * static_cast<size_t>(size)) return false;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (native_is_big) bits <<= 64 - 8 * size;
  std::memcpy(out, &bits, static_cast<size_t>(size));
  return true;
}

std::optional<Scalar> scalar_from(const JsonValue& value, bool is_float) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (value.is("NaN")) return Scalar::of(std::numeric_limits<double>::quiet_NaN());
  if (value.is("Infinity")) return Scalar::of(infinity);
  if (value.is("-Infinity")) return Scalar::of(-infinity);
  if (const auto truth = value.boolean()) return Scalar::of(int64_t{*truth});
  if (const auto number = value.real(); number && is_float) return Scalar::of(*number);
  if (const auto number = value.integer()) return Scalar::of(*number);
  if (const auto number = value.natural()) return Scalar::of(*number);
  if (const auto number = value.real()) return Scalar::of(*number);
  return std::nullopt;
}

// A number that is not complex.
void read_number(const ZarrField& field, DType dtype, unsigned char* out) {
  const bool is_float = facts_of(dtype).kind == DTypeKind::real;
  const bool is_truth = field.value().kind == JsonValue::Kind::boolean;
  if (is_float && parse_bits(field.text(), size_of(dtype), out)) return;
  const auto number = scalar_from(field.value(), is_float);
  std::string right = formatted("it must be one of {}", name(dtype));
  if (is_float) right += ": a number, \"NaN\", \"Infinity\" or \"-Infinity\"";
  if (!number || (is_truth && dtype != DType::boolean)) field.refuse(GPUARR_ERR_FORMAT, right);
  try {
    number->convert_to(dtype, out, "it");
  } catch (const Error&) {
    field.refuse(GPUARR_ERR_FORMAT, right);
  }
}

// The shortest text that is read as the same number; with a point, since Python would read -0 as
// the integer 0.
template <class T>
std::string shortest(T value) {
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string out(buffer.data(), end);
  return out.find_first_of(".e") == out.npos ? out + ".0" : out;
}

std::string format_bits(const unsigned char* bytes, int size) {
  std::string out = "\"0x";
  for (int i = 0; i < size; ++i)
    out += formatted("{:02x}", bytes[native_is_big ? i : size - 1 - i]);
  return out + '"';
}

std::string format_float(DType dtype, const unsigned char* bytes, int version) {
  Scalar element;
  element.dtype = dtype;
  std::memcpy(element.bytes, bytes, static_cast<size_t>(size_of(dtype)));
  const auto value = static_cast<double>(element.real());
  if (std::isnan(value)) {
    unsigned char usual[16];
    Scalar::of(std::numeric_limits<double>::quiet_NaN()).convert_to(dtype, usual, "it");
    const bool same = std::memcmp(usual, bytes, static_cast<size_t>(size_of(dtype))) == 0;
    return same || version == 2 ? "\"NaN\"" : format_bits(bytes, size_of(dtype));
  }
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return size_of(dtype) < 8 ? shortest(static_cast<float>(value)) : shortest(value);
}

}  // namespace

void read_zarr_fill(const ZarrField& field, ZarrArray& array) {
  array.fill = {};
  array.fill.dtype = array.dtype;
  array.has_fill = !field.is_null();
  if (field.is_null()) {
    if (array.version == 3) field.refuse(GPUARR_ERR_FORMAT, "version 3 needs a value");
    return;
  }
  const DType part = number_of(array.dtype);
  unsigned char* out = array.fill.bytes;
  if (!is_complex(array.dtype)) return read_number(field, part, out);
  if (field.value().kind != JsonValue::Kind::array && array.version == 2)
    return read_number(field, part, out);  // a real one
  if (field.must_be_array().size() != 2)
    field.refuse(GPUARR_ERR_FORMAT, "it must be a real and an imaginary part");
  read_number(field.at(0), part, out);
  read_number(field.at(1), part, out + size_of(part));
}

std::string format_zarr_fill(const ZarrArray& array) {
  const unsigned char* bytes = array.fill.bytes;
  const DType part = number_of(array.dtype);
  if (!array.has_fill && array.version == 2) return "null";
  if (array.dtype == DType::boolean) return bytes[0] != 0 ? "true" : "false";
  if (is_integer(array.dtype)) return array.fill.to_text();
  std::string real = format_float(part, bytes, array.version);
  if (!is_complex(array.dtype)) return real;
  return formatted("[{}, {}]", real, format_float(part, bytes + size_of(part), array.version));
}

}  // namespace gpuarr
