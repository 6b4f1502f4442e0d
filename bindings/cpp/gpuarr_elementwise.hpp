/** @file gpuarr_elementwise.hpp  libgpuarr for C++17: functions and operators of elements.
 *
 *  Functions  broadcast, and promote dtypes, as NumPy's. Where one has two results they come as a
 *             struct: auto [quotient, remainder] = gpuarr::divmod(x, y).
 *  Operators  are functions, each one kernel: + - * / and % (remainder), & | ^ ~ << >> (of bits, or
 *             of bools), comparisons to arrays of bools; with = they work in place. A number beside
 *             an array only brings its kind: an array of floats stays one beside 0.1. There is no
 *             ! && ||, which in C++ are about the handle: take ~ & | of arrays of bools.
 */
#ifndef GPUARR_ELEMENTWISE_HPP
#define GPUARR_ELEMENTWISE_HPP

#include "gpuarr_made.hpp"

namespace gpuarr {
inline namespace wrapper {

/// @name Element by element; arrays broadcast, dtypes promote as NumPy's.
///@{
inline Array negative(const Array& x) { return made(gpuarr_negative, x); }
inline Array positive(const Array& x) { return made(gpuarr_positive, x); }
inline Array abs(const Array& x) { return made(gpuarr_abs, x); }
inline Array sign(const Array& x) { return made(gpuarr_sign, x); }
inline Array square(const Array& x) { return made(gpuarr_square, x); }
inline Array reciprocal(const Array& x) { return made(gpuarr_reciprocal, x); }
inline Array rint(const Array& x) { return made(gpuarr_rint, x); }
inline Array floor(const Array& x) { return made(gpuarr_floor, x); }
inline Array ceil(const Array& x) { return made(gpuarr_ceil, x); }
inline Array trunc(const Array& x) { return made(gpuarr_trunc, x); }
inline Array real(const Array& x) { return made(gpuarr_real, x); }
inline Array imag(const Array& x) { return made(gpuarr_imag, x); }
inline Array conj(const Array& x) { return made(gpuarr_conj, x); }
inline Array angle(const Array& x) { return made(gpuarr_angle, x); }
inline Array logical_not(const Array& x) { return made(gpuarr_logical_not, x); }
inline Array invert(const Array& x) { return made(gpuarr_invert, x); }
inline Array isnan(const Array& x) { return made(gpuarr_isnan, x); }
inline Array isinf(const Array& x) { return made(gpuarr_isinf, x); }
inline Array isfinite(const Array& x) { return made(gpuarr_isfinite, x); }
inline Array signbit(const Array& x) { return made(gpuarr_signbit, x); }
inline Array exp(const Array& x) { return made(gpuarr_exp, x); }
inline Array exp2(const Array& x) { return made(gpuarr_exp2, x); }
inline Array expm1(const Array& x) { return made(gpuarr_expm1, x); }
inline Array log(const Array& x) { return made(gpuarr_log, x); }
inline Array log2(const Array& x) { return made(gpuarr_log2, x); }
inline Array log10(const Array& x) { return made(gpuarr_log10, x); }
inline Array log1p(const Array& x) { return made(gpuarr_log1p, x); }
inline Array sin(const Array& x) { return made(gpuarr_sin, x); }
inline Array cos(const Array& x) { return made(gpuarr_cos, x); }
inline Array tan(const Array& x) { return made(gpuarr_tan, x); }
inline Array arcsin(const Array& x) { return made(gpuarr_arcsin, x); }
inline Array arccos(const Array& x) { return made(gpuarr_arccos, x); }
inline Array arctan(const Array& x) { return made(gpuarr_arctan, x); }
inline Array sinh(const Array& x) { return made(gpuarr_sinh, x); }
inline Array cosh(const Array& x) { return made(gpuarr_cosh, x); }
inline Array tanh(const Array& x) { return made(gpuarr_tanh, x); }
inline Array arcsinh(const Array& x) { return made(gpuarr_arcsinh, x); }
inline Array arccosh(const Array& x) { return made(gpuarr_arccosh, x); }
inline Array arctanh(const Array& x) { return made(gpuarr_arctanh, x); }
inline Array deg2rad(const Array& x) { return made(gpuarr_deg2rad, x); }
inline Array rad2deg(const Array& x) { return made(gpuarr_rad2deg, x); }
inline Array sqrt(const Array& x) { return made(gpuarr_sqrt, x); }
inline Array cbrt(const Array& x) { return made(gpuarr_cbrt, x); }
inline Array rsqrt(const Array& x) { return made(gpuarr_rsqrt, x); }
inline Array erf(const Array& x) { return made(gpuarr_erf, x); }
inline Array erfc(const Array& x) { return made(gpuarr_erfc, x); }
inline Array gamma(const Array& x) { return made(gpuarr_gamma, x); }
inline Array lgamma(const Array& x) { return made(gpuarr_lgamma, x); }
inline Array sinc(const Array& x) { return made(gpuarr_sinc, x); }
inline Array add(Arg x, Arg y) { return made(gpuarr_add, x, y); }
inline Array subtract(Arg x, Arg y) { return made(gpuarr_subtract, x, y); }
inline Array multiply(Arg x, Arg y) { return made(gpuarr_multiply, x, y); }
inline Array divide(Arg x, Arg y) { return made(gpuarr_divide, x, y); }
inline Array floor_divide(Arg x, Arg y) { return made(gpuarr_floor_divide, x, y); }
inline Array remainder(Arg x, Arg y) { return made(gpuarr_remainder, x, y); }
inline Array fmod(Arg x, Arg y) { return made(gpuarr_fmod, x, y); }
inline Array power(Arg x, Arg y) { return made(gpuarr_power, x, y); }
inline Array float_power(Arg x, Arg y) { return made(gpuarr_float_power, x, y); }
inline Array maximum(Arg x, Arg y) { return made(gpuarr_maximum, x, y); }
inline Array minimum(Arg x, Arg y) { return made(gpuarr_minimum, x, y); }
inline Array fmax(Arg x, Arg y) { return made(gpuarr_fmax, x, y); }
inline Array fmin(Arg x, Arg y) { return made(gpuarr_fmin, x, y); }
inline Array gcd(Arg x, Arg y) { return made(gpuarr_gcd, x, y); }
inline Array lcm(Arg x, Arg y) { return made(gpuarr_lcm, x, y); }
inline Array complex(Arg x, Arg y) { return made(gpuarr_complex, x, y); }
inline Array equal(Arg x, Arg y) { return made(gpuarr_equal, x, y); }
inline Array not_equal(Arg x, Arg y) { return made(gpuarr_not_equal, x, y); }
inline Array less(Arg x, Arg y) { return made(gpuarr_less, x, y); }
inline Array less_equal(Arg x, Arg y) { return made(gpuarr_less_equal, x, y); }
inline Array greater(Arg x, Arg y) { return made(gpuarr_greater, x, y); }
inline Array greater_equal(Arg x, Arg y) { return made(gpuarr_greater_equal, x, y); }
inline Array logical_and(Arg x, Arg y) { return made(gpuarr_logical_and, x, y); }
inline Array logical_or(Arg x, Arg y) { return made(gpuarr_logical_or, x, y); }
inline Array logical_xor(Arg x, Arg y) { return made(gpuarr_logical_xor, x, y); }
inline Array bitwise_and(Arg x, Arg y) { return made(gpuarr_bitwise_and, x, y); }
inline Array bitwise_or(Arg x, Arg y) { return made(gpuarr_bitwise_or, x, y); }
inline Array bitwise_xor(Arg x, Arg y) { return made(gpuarr_bitwise_xor, x, y); }
inline Array left_shift(Arg x, Arg y) { return made(gpuarr_left_shift, x, y); }
inline Array right_shift(Arg x, Arg y) { return made(gpuarr_right_shift, x, y); }
inline Array logaddexp(Arg x, Arg y) { return made(gpuarr_logaddexp, x, y); }
inline Array logaddexp2(Arg x, Arg y) { return made(gpuarr_logaddexp2, x, y); }
inline Array hypot(Arg x, Arg y) { return made(gpuarr_hypot, x, y); }
inline Array arctan2(Arg x, Arg y) { return made(gpuarr_arctan2, x, y); }
inline Array copysign(Arg x, Arg y) { return made(gpuarr_copysign, x, y); }
inline Array nextafter(Arg x, Arg y) { return made(gpuarr_nextafter, x, y); }
inline Array heaviside(Arg x, Arg y) { return made(gpuarr_heaviside, x, y); }
inline Array ldexp(Arg x, Arg y) { return made(gpuarr_ldexp, x, y); }
inline Array round(const Array& x, int decimals = 0) { return made(gpuarr_round, x, decimals); }
inline Array clip(const Array& x, Arg low, Arg high) { return made(gpuarr_clip, x, low, high); }
inline Array where(Arg condition, Arg x, Arg y) { return made(gpuarr_where, condition, x, y); }
///@}

/// Results of divmod(), frexp() and modf().
struct Division {
  Array quotient, remainder;
};
struct Scaled {
  Array mantissa, exponent;
};
struct Parted {
  Array fraction, whole;
};
inline Division divmod(Arg x, Arg y) { return made_as<Division>(gpuarr_divmod, x, y); }
inline Scaled frexp(const Array& x) { return made_as<Scaled>(gpuarr_frexp, x); }
inline Parted modf(const Array& x) { return made_as<Parted>(gpuarr_modf, x); }

/// Runs one of them by its name into arrays that are there, where a mask is true.
inline void apply(Outputs z, Text name, Inputs x, const Array& where = {}) {
  Pointers p(z);
  check(gpuarr_apply(p.first, len(z), name, x.begin(), len(x), where, nullptr));
}

/// The dtype that arguments are computed in together.
inline gpuarr_dtype result_type(Inputs x) {
  return get<gpuarr_dtype>(gpuarr_result_type, x.begin(), len(x));
}

/// Where |x - y| <= atol + rtol |y|; whether it is so everywhere; whether all elements are equal.
/// The latter two wait.
inline Array isclose(Arg x, Arg y, double rtol = 1e-5, double atol = 1e-8, bool nan = false) {
  return made(gpuarr_isclose, x, y, rtol, atol, nan);
}
inline bool allclose(const Array& x, const Array& y, double rtol = 1e-5, double atol = 1e-8,
                     bool nan = false) {
  return get<int32_t>(gpuarr_allclose, x, y, rtol, atol, nan, nullptr) != 0;
}
inline bool array_equal(const Array& x, const Array& y) {
  return get<int32_t>(gpuarr_array_equal, x, y, nullptr) != 0;
}

/// Two operands, arrays or numbers, of which one at least is an array.
template <class X, class Y>
using Operands =
    std::enable_if_t<(std::is_base_of_v<Array, X> ||
                      std::is_base_of_v<Array, Y>)&&std::is_constructible_v<Arg, const X&> &&
                     std::is_constructible_v<Arg, const Y&>>;

template <class X, class Y, class = Operands<X, Y>> Array operator+(const X& x, const Y& y) {
  return add(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator-(const X& x, const Y& y) {
  return subtract(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator*(const X& x, const Y& y) {
  return multiply(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator/(const X& x, const Y& y) {
  return divide(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator%(const X& x, const Y& y) {
  return remainder(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator&(const X& x, const Y& y) {
  return bitwise_and(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator|(const X& x, const Y& y) {
  return bitwise_or(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator^(const X& x, const Y& y) {
  return bitwise_xor(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator<<(const X& x, const Y& y) {
  return left_shift(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator>>(const X& x, const Y& y) {
  return right_shift(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator<(const X& x, const Y& y) {
  return less(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator<=(const X& x, const Y& y) {
  return less_equal(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator>(const X& x, const Y& y) {
  return greater(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator>=(const X& x, const Y& y) {
  return greater_equal(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator==(const X& x, const Y& y) {
  return equal(x, y);
}
template <class X, class Y, class = Operands<X, Y>> Array operator!=(const X& x, const Y& y) {
  return not_equal(x, y);
}
inline Array operator+(const Array& x) { return positive(x); }
inline Array operator-(const Array& x) { return negative(x); }
inline Array operator~(const Array& x) { return invert(x); }
template <class Y> const Array& operator+=(const Array& x, const Y& y) {
  return into(x, gpuarr_add, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator-=(const Array& x, const Y& y) {
  return into(x, gpuarr_subtract, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator*=(const Array& x, const Y& y) {
  return into(x, gpuarr_multiply, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator/=(const Array& x, const Y& y) {
  return into(x, gpuarr_divide, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator%=(const Array& x, const Y& y) {
  return into(x, gpuarr_remainder, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator&=(const Array& x, const Y& y) {
  return into(x, gpuarr_bitwise_and, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator|=(const Array& x, const Y& y) {
  return into(x, gpuarr_bitwise_or, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator^=(const Array& x, const Y& y) {
  return into(x, gpuarr_bitwise_xor, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator<<=(const Array& x, const Y& y) {
  return into(x, gpuarr_left_shift, Arg(x), Arg(y)), x;
}
template <class Y> const Array& operator>>=(const Array& x, const Y& y) {
  return into(x, gpuarr_right_shift, Arg(x), Arg(y)), x;
}

}  // namespace wrapper
}  // namespace gpuarr
#endif
