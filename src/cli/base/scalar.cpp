// Scalars on the command line.
#include "cli/base/scalar.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

#include "cli/base/error.hpp"

namespace cli {
namespace {

// A number's text, taken apart but not yet converted.
struct Literal {
  enum class Kind { truth, integer, real, complex };
  Kind kind = Kind::integer;
  std::string real;
  std::string imaginary = "0";
};

// from_chars takes no plus sign.
std::string_view without_plus(std::string_view text) {
  bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return plus ? text.substr(1) : text;
}

// Length of the real number that text begins with; 0 if there is none.
size_t real_length(std::string_view text) {
  std::string_view number = without_plus(text);
  double ignored = 0;
  auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), ignored);
  if (error == std::errc::invalid_argument) return 0;
  return static_cast<size_t>(rest - text.data());
}

bool is_imaginary_unit(std::string_view text) { return text == "i" || text == "j"; }

std::optional<Literal> take_apart(std::string_view text) {
  using Kind = Literal::Kind;
  if (text == "true") return Literal{Kind::truth, "1"};
  if (text == "false") return Literal{Kind::truth, "0"};
  size_t length = real_length(text);
  if (length == 0) return std::nullopt;
  std::string first(text.substr(0, length));
  std::string_view rest = text.substr(length);
  if (rest.empty()) {
    bool whole = first.find_first_not_of("+-0123456789") == std::string::npos;
    return Literal{whole ? Kind::integer : Kind::real, first};
  }
  if (is_imaginary_unit(rest)) return Literal{Kind::complex, "0", first};
  if (rest[0] != '+' && rest[0] != '-') return std::nullopt;
  length = real_length(rest);
  if (length == 0 && is_imaginary_unit(rest.substr(1)))
    return Literal{Kind::complex, first, std::string(1, rest[0]) + '1'};
  if (length == 0 || !is_imaginary_unit(rest.substr(length))) return std::nullopt;
  return Literal{Kind::complex, first, std::string(rest.substr(0, length))};
}

[[noreturn]] void cannot_hold(gpuarr_dtype dtype, const std::string& number) {
  throw UsageError(std::string(gpuarr_dtype_name(dtype)) + " cannot hold " + number);
}

template <class T>
T convert(gpuarr_dtype dtype, const std::string& number) {
  std::string_view text = without_plus(number);
  T value = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) cannot_hold(dtype, number);
  return value;
}

gpuarr_arg truth(const std::string& number) {
  if (number != "0" && number != "1") cannot_hold(GPUARR_BOOL, number);
  return gpuarr_arg_bool(number == "1");
}

template <class T, gpuarr_arg (*make)(T)>
gpuarr_arg integer(gpuarr_dtype dtype, const std::string& number) {
  return make(convert<T>(dtype, number));
}

constexpr gpuarr_arg (*integers[])(gpuarr_dtype, const std::string&) = {  // from GPUARR_I8 on
    integer<int8_t, gpuarr_arg_i8>,    integer<int16_t, gpuarr_arg_i16>,
    integer<int32_t, gpuarr_arg_i32>,  integer<int64_t, gpuarr_arg_i64>,
    integer<uint8_t, gpuarr_arg_u8>,   integer<uint16_t, gpuarr_arg_u16>,
    integer<uint32_t, gpuarr_arg_u32>, integer<uint64_t, gpuarr_arg_u64>};

// The 16-bit floats have 0 for infinity's mantissa and `exponent` for its exponent bits.
gpuarr_arg short_float(gpuarr_dtype dtype, const std::string& number) {
  auto value = convert<float>(dtype, number);
  gpuarr_arg arg = dtype == GPUARR_F16 ? gpuarr_arg_f16(value) : gpuarr_arg_bf16(value);
  uint16_t exponent = dtype == GPUARR_F16 ? 0x7c00 : 0x7f80;
  uint16_t bits = 0;
  std::memcpy(&bits, arg.value, sizeof bits);
  if (std::isfinite(value) && (bits & exponent) == exponent) cannot_hold(dtype, number);
  return arg;
}

gpuarr_arg floating(gpuarr_dtype dtype, const std::string& number) {
  if (dtype == GPUARR_F32) return gpuarr_arg_f32(convert<float>(dtype, number));
  if (dtype == GPUARR_F64) return gpuarr_arg_f64(convert<double>(dtype, number));
  return short_float(dtype, number);
}

gpuarr_arg complex(gpuarr_dtype dtype, const Literal& literal) {
  if (dtype == GPUARR_C64)
    return gpuarr_arg_c64(convert<float>(dtype, literal.real),
                          convert<float>(dtype, literal.imaginary));
  return gpuarr_arg_c128(convert<double>(dtype, literal.real),
                         convert<double>(dtype, literal.imaginary));
}

constexpr gpuarr_dtype natural_dtypes[] = {GPUARR_BOOL, GPUARR_I64, GPUARR_F64, GPUARR_C128};

gpuarr_arg make_scalar(gpuarr_dtype dtype, const Literal& literal, std::string_view text) {
  using Kind = Literal::Kind;
  bool number = literal.kind == Kind::integer || literal.kind == Kind::real;
  bool is_floating = dtype >= GPUARR_F16 && dtype <= GPUARR_F64;
  bool is_complex = dtype == GPUARR_C64 || dtype == GPUARR_C128;
  bool is_integer = dtype >= GPUARR_I8 && dtype <= GPUARR_U64;
  if (dtype == GPUARR_BOOL && literal.kind <= Kind::integer) return truth(literal.real);
  if (is_integer && literal.kind == Kind::integer)
    return integers[dtype - GPUARR_I8](dtype, literal.real);
  if (is_floating && number) return floating(dtype, literal.real);
  if (is_complex && literal.kind != Kind::truth) return complex(dtype, literal);
  cannot_hold(dtype, std::string(text));
}

gpuarr_arg typed_scalar(gpuarr_dtype dtype, std::string_view text, const std::string& word) {
  auto literal = take_apart(text);
  if (!literal)
    throw UsageError(word + ": \"" + std::string(text) + "\" is not a number; a file is ./" + word);
  return make_scalar(dtype, *literal, text);
}

}  // namespace

bool is_number(std::string_view text) {
  auto literal = take_apart(text);
  return literal && literal->kind != Literal::Kind::truth;
}

std::optional<gpuarr_arg> parse_scalar(std::string_view word) {
  if (auto literal = take_apart(word))
    return make_scalar(natural_dtypes[static_cast<size_t>(literal->kind)], *literal, word);
  size_t colon = word.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string name(word.substr(0, colon));
  std::string_view text = word.substr(colon + 1);
  gpuarr_dtype dtype = 0;
  if (gpuarr_dtype_from_name(&dtype, name.c_str()) == GPUARR_OK)
    return typed_scalar(dtype, text, std::string(word));
  if (!take_apart(text)) return std::nullopt;
  throw UsageError(std::string(word) + ": there is no type \"" + name + "\"; a file is ./" +
                   std::string(word));
}

}  // namespace cli
