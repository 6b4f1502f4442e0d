#include "expr/parse/fold.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace gpuarr::expr {
namespace {

__extension__ typedef __int128 Wide;  // what two numbers of 64 bits make
using Complex = std::complex<double>;

enum class FoldKind : uint8_t { truth, whole, real, complex };

struct Number {
  FoldKind kind;
  Wide whole = 0;     // of truth and whole
  Complex value = 0;  // of all

  double real() const { return value.real(); }
  bool is_whole() const { return kind <= FoldKind::whole; }
};

Number number_of(const Scalar& scalar) {
  const auto real = scalar.real();
  if (scalar.is_whole()) {
    const auto kind = scalar.dtype == DType::boolean ? FoldKind::truth : FoldKind::whole;
    return {kind, static_cast<Wide>(real), static_cast<double>(real)};
  }
  if (!is_complex(scalar.dtype)) return {FoldKind::real, 0, static_cast<double>(real)};
  return {
      FoldKind::complex, 0, {static_cast<double>(real), static_cast<double>(scalar.imaginary())}};
}

Scalar truth(bool value) {
  Scalar out = {DType::boolean};
  out.bytes[0] = value ? 1 : 0;
  return out;
}

Scalar complex(Complex value) {
  Scalar out = {DType::c128};
  std::memcpy(out.bytes, &value, sizeof value);
  return out;
}

Scalar whole(Wide value) {
  if (value >= INT64_MIN && value <= INT64_MAX) return Scalar::of(static_cast<int64_t>(value));
  if (value > 0 && value <= UINT64_MAX) return Scalar::of(static_cast<uint64_t>(value));
  fail(GPUARR_ERR_DTYPE, "the result has more than 64 bits; make an operand a float, as 2.0");
}

[[noreturn]] void fail_zero() {
  fail(GPUARR_ERR_ARGUMENT, "a number is divided by zero; infinity is inf");
}

constexpr Wide too_wide = Wide{UINT64_MAX} + 1;
bool out_of_bits(Wide value) { return value < INT64_MIN || value > UINT64_MAX; }

Wide product(Wide x, Wide y) {
  Wide out = 0;
  return __builtin_mul_overflow(x, y, &out) ? too_wide : out;
}

Wide floor_divided(Wide x, Wide y) {
  if (y == 0) fail_zero();
  return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

Scalar whole_power(Wide x, Wide y) {
  if (y < 0 && x == 0) fail_zero();
  if (y < 0) return Scalar::of(std::pow(static_cast<double>(x), static_cast<double>(y)));
  Wide out = 1;
  if (x == 0 || x == 1 || y == 0) return whole(y == 0 ? 1 : x);
  if (x == -1) return whole(y % 2 == 0 ? 1 : -1);
  for (; y > 0; --y)
    if (out_of_bits(out = product(out, x))) break;
  return whole(out);
}

Scalar shifted(Wide x, Wide y, bool left) {
  if (y < 0) fail(GPUARR_ERR_ARGUMENT, "a number is shifted by less than 0 bits");
  if (!left) return whole(y > 100 ? (x < 0 ? -1 : 0) : x >> static_cast<int>(y));
  if (x == 0) return whole(0);
  return whole(y > 64 ? too_wide : product(x, Wide{1} << static_cast<int>(y)));
}

std::optional<Scalar> of_bits(Op op, const Number& x, const Number& y) {
  const bool truths = x.kind == FoldKind::truth && y.kind == FoldKind::truth;
  const auto joined = [&](Wide value) { return truths ? truth(value != 0) : whole(value); };
  switch (op) {
    case Op::bitwise_and:
      return joined(x.whole & y.whole);
    case Op::bitwise_or:
      return joined(x.whole | y.whole);
    case Op::bitwise_xor:
      return joined(x.whole ^ y.whole);
    case Op::left_shift:
    case Op::right_shift:
      return shifted(x.whole, y.whole, op == Op::left_shift);
    default:
      return std::nullopt;
  }
}

std::optional<Scalar> of_wholes(Op op, const Number& x, const Number& y) {
  switch (op) {
    case Op::add:
      return whole(x.whole + y.whole);
    case Op::subtract:
      return whole(x.whole - y.whole);
    case Op::multiply:
      return whole(product(x.whole, y.whole));
    case Op::floor_divide:
      return whole(floor_divided(x.whole, y.whole));
    case Op::remainder:
      return whole(x.whole - floor_divided(x.whole, y.whole) * y.whole);
    case Op::power:
      return whole_power(x.whole, y.whole);
    case Op::maximum:
      return whole(std::max(x.whole, y.whole));
    case Op::minimum:
      return whole(std::min(x.whole, y.whole));
    case Op::divide:
      if (y.whole == 0) fail_zero();
      return Scalar::of(static_cast<double>(static_cast<long double>(x.whole) /
                                            static_cast<long double>(y.whole)));
    default:
      return of_bits(op, x, y);
  }
}

// Of the divisor's sign, as Python's.
double floored_remainder(double x, double y) {
  if (y == 0) fail_zero();
  const double rest = std::fmod(x, y);
  if (rest == 0) return std::copysign(0.0, y);
  return (rest < 0) != (y < 0) ? rest + y : rest;
}

double floor_divided(double x, double y) {
  const double quotient = (x - floored_remainder(x, y)) / y;
  const double down = std::floor(quotient);
  return quotient - down > 0.5 ? down + 1 : down;
}

Scalar real_power(double x, double y) {
  if (x == 0 && y < 0) fail_zero();
  if (x < 0 && std::isfinite(x) && std::isfinite(y) && y != std::floor(y))
    return complex(std::pow(Complex(x), y));
  const double out = std::pow(x, y);
  if (std::isinf(out) && std::isfinite(x) && std::isfinite(y))
    fail(GPUARR_ERR_DTYPE, "{} ** {} is out of the range of float64", x, y);
  return Scalar::of(out);
}

std::optional<Scalar> of_reals(Op op, double x, double y) {
  switch (op) {
    case Op::add:
      return Scalar::of(x + y);
    case Op::subtract:
      return Scalar::of(x - y);
    case Op::multiply:
      return Scalar::of(x * y);
    case Op::divide:
      if (y == 0) fail_zero();
      return Scalar::of(x / y);
    case Op::floor_divide:
      return Scalar::of(floor_divided(x, y));
    case Op::remainder:
      return Scalar::of(floored_remainder(x, y));
    case Op::power:
      return real_power(x, y);
    case Op::maximum:
      return Scalar::of(x > y || std::isnan(x) ? x : y);
    case Op::minimum:
      return Scalar::of(x < y || std::isnan(x) ? x : y);
    case Op::hypot:
      return Scalar::of(std::hypot(x, y));
    case Op::arctan2:
      return Scalar::of(std::atan2(x, y));
    default:
      return std::nullopt;
  }
}

std::optional<Scalar> of_complexes(Op op, Complex x, Complex y) {
  switch (op) {
    case Op::add:
      return complex(x + y);
    case Op::subtract:
      return complex(x - y);
    case Op::multiply:
      return complex(x * y);
    case Op::divide:
      if (y == 0.0) fail_zero();
      return complex(x / y);
    case Op::power:
      if (x == 0.0 && (y.imag() != 0 || y.real() < 0)) fail_zero();
      return complex(y == 0.0 ? Complex(1) : x == 0.0 ? Complex(0) : std::pow(x, y));
    default:
      return std::nullopt;
  }
}

// Exact, also of a whole number and a float: a long double holds both.
std::optional<Scalar> compared(Op op, const Scalar& x, const Scalar& y) {
  const bool equal = x.real() == y.real() && x.imaginary() == y.imaginary();
  if (op == Op::equal) return truth(equal);
  if (op == Op::not_equal) return truth(!equal);
  if (op != Op::less && op != Op::less_equal && op != Op::greater && op != Op::greater_equal)
    return std::nullopt;
  if (is_complex(x.dtype) || is_complex(y.dtype))
    fail(GPUARR_ERR_DTYPE, "complex numbers have no order");
  if (op == Op::less) return truth(x.real() < y.real());
  if (op == Op::less_equal) return truth(x.real() <= y.real());
  return truth(op == Op::greater ? x.real() > y.real() : x.real() >= y.real());
}

std::optional<Scalar> of_two(Op op, const Scalar& first, const Scalar& second) {
  if (auto out = compared(op, first, second)) return out;
  const Number x = number_of(first), y = number_of(second);
  if (x.is_whole() && y.is_whole())
    if (auto out = of_wholes(op, x, y)) return out;
  if (x.kind == FoldKind::complex || y.kind == FoldKind::complex)
    return of_complexes(op, x.value, y.value);
  return of_reals(op, x.real(), y.real());
}

std::optional<Scalar> of_real(Op op, double x) {
  using Function = double (*)(double);
  constexpr std::pair<Op, Function> functions[] = {
      {Op::sqrt, std::sqrt},     {Op::cbrt, std::cbrt},     {Op::exp, std::exp},
      {Op::exp2, std::exp2},     {Op::expm1, std::expm1},   {Op::log, std::log},
      {Op::log2, std::log2},     {Op::log10, std::log10},   {Op::log1p, std::log1p},
      {Op::sin, std::sin},       {Op::cos, std::cos},       {Op::tan, std::tan},
      {Op::arcsin, std::asin},   {Op::arccos, std::acos},   {Op::arctan, std::atan},
      {Op::sinh, std::sinh},     {Op::cosh, std::cosh},     {Op::tanh, std::tanh},
      {Op::arcsinh, std::asinh}, {Op::arccosh, std::acosh}, {Op::arctanh, std::atanh},
      {Op::abs, std::fabs},      {Op::floor, std::floor},   {Op::ceil, std::ceil},
      {Op::trunc, std::trunc},   {Op::rint, std::nearbyint}};
  for (const auto& [known, function] : functions)
    if (known == op) return Scalar::of(function(x));
  return std::nullopt;
}

std::optional<Scalar> of_one(Op op, const Scalar& operand) {
  const Number x = number_of(operand);
  if (x.is_whole()) {
    if (op == Op::positive) return whole(x.whole);
    if (op == Op::negative) return whole(-x.whole);
    if (op == Op::invert) return whole(-x.whole - 1);
    if (op == Op::abs) return whole(x.whole < 0 ? -x.whole : x.whole);
  }
  if (x.kind == FoldKind::complex) {
    if (op == Op::positive) return complex(x.value);
    if (op == Op::negative) return complex(-x.value);
    if (op == Op::abs) return Scalar::of(std::abs(x.value));
    return std::nullopt;
  }
  if (op == Op::positive) return Scalar::of(x.real());
  if (op == Op::negative) return Scalar::of(-x.real());
  return of_real(op, x.real());
}

}  // namespace

std::optional<Scalar> fold(Op function, std::span<const Scalar> operands) {
  if (operands.size() == 1) return of_one(function, operands[0]);
  if (operands.size() == 2) return of_two(function, operands[0], operands[1]);
  return std::nullopt;
}

}  // namespace gpuarr::expr
