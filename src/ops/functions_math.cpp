// Elementwise functions of mathematics: exponentials, logarithms, angles, roots, and parts of
// floating-point numbers.
#include "ops/functions.hpp"

namespace gpuarr {

// Named, since these short names are the neighbours' too.
namespace math {
namespace {

// exp(x) - 1 of a complex number: exp(a) cos(b) - 1 = expm1(a) cos(b) - 2 sin(b / 2)^2.
constexpr const char* expm1_text = R"(template <class T>
static inline T complex_expm1(const T& x) {
  const V half = sin(x.im / 2);
  const T power = exp(x);
  if (!isfinite(x.re) || !isfinite(x.im)) return power - 1;
  return {expm1(x.re) * cos(x.im) - 2 * half * half, power.im};
}
)";

// Near 0 of |1 + x|^2 - 1, which does not lose the small parts.
constexpr const char* log1p_text = R"(template <class T>
static inline T complex_log1p(const T& x) {
  const V angle = atan2(x.im, 1 + x.re);
  if (fabs(x.re) < V(0.5) && fabs(x.im) < V(0.5))
    return {log1p(x.re * (2 + x.re) + x.im * x.im) / 2, angle};
  return {log(T(1 + x.re, x.im)).re, angle};
}
)";

constexpr const char* log_sum_text = R"(static inline C log_of_sum(C x, C y) {
  const C most = x > y ? x : y, apart = fabs(x - y);
  return x == y ? x + C(M_LN2) : most + log1p(exp(-apart));
}
static inline C log2_of_sum(C x, C y) {
  const C most = x > y ? x : y, apart = fabs(x - y);
  return x == y ? x + 1 : most + log1p(exp2(-apart)) * C(M_LOG2E);
}
)";

// 16-bit floats by their bits: of a NaN too the sign counts, and a step is their own.
constexpr const char* sign_text = R"(template <class T>
static inline T with_sign(T x, T y) {
  if constexpr (sizeof(T) == 2)
    x.bits = (x.bits & 0x7fff) | (y.bits & 0x8000);
  else
    x = copysign(x, y);
  return x;
}
)";
constexpr const char* step_text = R"(template <class T>
static inline T step(T x, T y) {
  if constexpr (sizeof(T) == 2) {
    const float a = x, b = y;
    if (a != a || b != b) return a + b;
    if (a == b) return y;
    if (a == 0)
      x.bits = (y.bits & 0x8000) | 1;
    else
      x.bits += (a < b) == (a > 0) ? 1 : -1;
    return x;
  } else {
    return nextafter(x, y);
  }
}
)";

// With the sine before the choice, a CPU computes it in vectors.
constexpr const char* sinc_text = R"(static inline C cardinal_sine(const C& sine, const C& x) {
  return x == 0 ? C(1) : C(sine / x);
}
)";

// By bits, which CPUs do in vectors; a subnormal number is scaled up first, or one is made last.
constexpr const char* exponent_text = R"(template <class T>
struct float_bits_of {
  typedef unsigned bits;
  static constexpr int mantissa = 23, bias = 127;
};
template <>
struct float_bits_of<double> {
  typedef unsigned long long bits;
  static constexpr int mantissa = 52, bias = 1023;
};
typedef float_bits_of<C> form;
static inline C two_to(int k) {
  return __builtin_bit_cast(C, typename form::bits(k + form::bias) << form::mantissa);
}
static inline C normal_of(C x) { return fabs(x) < two_to(1 - form::bias) ? x * two_to(60) : x; }
static inline bool has_exponent(C x) { return (x - x == 0) & (x != 0); }
static inline C mantissa_of(C x) {
  constexpr form::bits field = form::bits(2 * form::bias + 1) << form::mantissa;
  const form::bits bits = __builtin_bit_cast(form::bits, normal_of(x));
  const C m = __builtin_bit_cast(C, (bits & ~field) | form::bits(form::bias - 1) << form::mantissa);
  return has_exponent(x) ? m : x;
}
static inline int exponent_of(C x) {
  const form::bits bits = __builtin_bit_cast(form::bits, normal_of(x));
  const int e = int(bits >> form::mantissa & (2 * form::bias + 1)) - form::bias + 1;
  return has_exponent(x) ? fabs(x) < two_to(1 - form::bias) ? e - 60 : e : 0;
}

template <class T>
static inline int clamped(T e) {
  const long long most = 9999, wide = e > 0 && (unsigned long long)e > most ? most : (long long)e;
  return int(wide < -most ? -most : wide);
}
// Rounds once: what is small is made so by the last product alone.
static inline C scaled_by(C x, int e) {
  constexpr int up = form::bias, down = form::bias - 1 - form::mantissa - 1;
  for (int k = 0; k < 2; ++k) {
    const int step = e > up ? up : e < -form::bias + 1 ? -down : 0;
    x *= two_to(step);
    e -= step;
  }
  return x * two_to(e > up ? up : e < 1 - form::bias ? 1 - form::bias : e);
}
)";

// C's lgamma writes the sign into a variable that all threads share.
constexpr const char* lgamma_text = R"(#ifdef __CUDACC_RTC__
static inline C log_gamma(C x) { return lgamma(x); }
#else
extern "C" float lgammaf_r(float, int*) noexcept;
extern "C" double lgamma_r(double, int*) noexcept;
static inline C log_gamma(C x) {
  int sign;
  return sizeof(C) == 4 ? lgammaf_r(x, &sign) : lgamma_r(x, &sign);
}
#endif
)";

constexpr auto floating = Promotes::floating;
constexpr auto itself = Gives::same;
using enum Op;

// clang-format off
constexpr FunctionRow rows[] = {
  {exp, "exp", "x", "e to the power of x", floating, itself,
   {nullptr, nullptr, "exp(x)", "exp(x)"}},
  {exp2, "exp2", "x", "2 to the power of x", floating, itself,
   {nullptr, nullptr, "exp2(x)", "exp(x * V(M_LN2))"}},
  {expm1, "expm1", "x", "exp(x) - 1, exact near 0", floating, itself,
   {nullptr, nullptr, "expm1(x)", "complex_expm1(x)"}, expm1_text},
  {log, "log", "x", "the natural logarithm", floating, itself,
   {nullptr, nullptr, "log(x)", "log(x)"}},
  {log2, "log2", "x", "the logarithm to base 2", floating, itself,
   {nullptr, nullptr, "log2(x)", "log(x) * V(M_LOG2E)"}},
  {log10, "log10", "x", "the logarithm to base 10", floating, itself,
   {nullptr, nullptr, "log10(x)", "log10(x)"}},
  {log1p, "log1p", "x", "log(1 + x), exact near 0", floating, itself,
   {nullptr, nullptr, "log1p(x)", "complex_log1p(x)"}, log1p_text},
  {logaddexp, "logaddexp", "x y", "log(exp(x) + exp(y))", floating, itself,
   {nullptr, nullptr, "log_of_sum(x, y)", nullptr}, log_sum_text},
  {logaddexp2, "logaddexp2", "x y", "log2(2^x + 2^y)", floating, itself,
   {nullptr, nullptr, "log2_of_sum(x, y)", nullptr}, log_sum_text},
  {sin, "sin", "x", "the sine of x radians", floating, itself,
   {nullptr, nullptr, "sin(x)", "sin(x)"}},
  {cos, "cos", "x", "the cosine of x radians", floating, itself,
   {nullptr, nullptr, "cos(x)", "cos(x)"}},
  {tan, "tan", "x", "the tangent of x radians", floating, itself,
   {nullptr, nullptr, "tan(x)", "tan(x)"}},
  {arcsin, "arcsin", "x", "the angle whose sine is x", floating, itself,
   {nullptr, nullptr, "asin(x)", "asin(x)"}},
  {arccos, "arccos", "x", "the angle whose cosine is x", floating, itself,
   {nullptr, nullptr, "acos(x)", "acos(x)"}},
  {arctan, "arctan", "x", "the angle whose tangent is x", floating, itself,
   {nullptr, nullptr, "atan(x)", "atan(x)"}},
  {sinh, "sinh", "x", "the hyperbolic sine", floating, itself,
   {nullptr, nullptr, "sinh(x)", "sinh(x)"}},
  {cosh, "cosh", "x", "the hyperbolic cosine", floating, itself,
   {nullptr, nullptr, "cosh(x)", "cosh(x)"}},
  {tanh, "tanh", "x", "the hyperbolic tangent", floating, itself,
   {nullptr, nullptr, "tanh(x)", "tanh(x)"}},
  {arcsinh, "arcsinh", "x", "the inverse of sinh", floating, itself,
   {nullptr, nullptr, "asinh(x)", "asinh(x)"}},
  {arccosh, "arccosh", "x", "the inverse of cosh", floating, itself,
   {nullptr, nullptr, "acosh(x)", "acosh(x)"}},
  {arctanh, "arctanh", "x", "the inverse of tanh", floating, itself,
   {nullptr, nullptr, "atanh(x)", "atanh(x)"}},
  {hypot, "hypot", "x y", "sqrt(x^2 + y^2)", floating, itself,
   {nullptr, nullptr, "hypot(x, y)", nullptr}},
  {arctan2, "arctan2", "y x", "the angle of the point (x, y)", floating, itself,
   {nullptr, nullptr, "atan2(y, x)", nullptr}},
  {deg2rad, "deg2rad", "x", "degrees as radians", floating, itself,
   {nullptr, nullptr, "x * C(M_PI / 180)", nullptr}},
  {rad2deg, "rad2deg", "x", "radians as degrees", floating, itself,
   {nullptr, nullptr, "x * C(180 / M_PI)", nullptr}},
  {sqrt, "sqrt", "x", "the square root", floating, itself,
   {nullptr, nullptr, "sqrt(x)", "sqrt(x)"}},
  {cbrt, "cbrt", "x", "the cube root", floating, itself,
   {nullptr, nullptr, "cbrt(x)", nullptr}},
  {rsqrt, "rsqrt", "x", "1 / sqrt(x)", floating, itself,
   {nullptr, nullptr, "rsqrt(x)", nullptr}},
  {erf, "erf", "x", "the error function", floating, itself,
   {nullptr, nullptr, "erf(x)", nullptr}},
  {erfc, "erfc", "x", "1 - erf(x), exact where that is small", floating, itself,
   {nullptr, nullptr, "erfc(x)", nullptr}},
  {gamma, "gamma", "x", "the gamma function", floating, itself,
   {nullptr, nullptr, "tgamma(x)", nullptr}},
  {lgamma, "lgamma", "x", "the logarithm of the absolute value of the gamma function", floating,
   itself, {nullptr, nullptr, "log_gamma(x)", nullptr}, lgamma_text},
  {sinc, "sinc", "x", "sin(pi x) / (pi x)", floating, itself,
   {nullptr, nullptr, "cardinal_sine(sinpi(x), C(M_PI) * x)",
    "cardinal_sine(sin(x * V(M_PI)), x * V(M_PI))"}, sinc_text},
  {copysign, "copysign", "x y", "x with the sign of y", floating, itself,
   {nullptr, nullptr, "with_sign(x, y)", nullptr}, sign_text, true},
  {nextafter, "nextafter", "x y", "the next float after x towards y", floating, itself,
   {nullptr, nullptr, "step(x, y)", nullptr}, step_text, true},
  {heaviside, "heaviside", "x h", "0 where x < 0, h where x is 0, else 1", floating, itself,
   {nullptr, nullptr, "x != x ? x : x == 0 ? h : C(x > 0)", nullptr}},
  {ldexp, "ldexp", "x exponent", "x * 2^exponent", floating, itself,
   {nullptr, nullptr, "scaled_by(x, clamped(exponent))", nullptr}, exponent_text, false, false,
   "out", {}, itself, 0, 1},
  {frexp, "frexp", "x", "a mantissa from 0.5 to 1 and the exponent of 2", floating, itself,
   {nullptr, nullptr, "mantissa_of(x)", nullptr}, exponent_text, false, false, "mantissa exponent",
   {nullptr, nullptr, "exponent_of(x)", nullptr}, Gives::integer},
  {modf, "modf", "x", "what is behind the point and what is before it", floating, itself,
   {nullptr, nullptr, "copysign(isinf(x) ? C(0) : x - trunc(x), x)", nullptr}, "", false, false,
   "fraction whole", {nullptr, nullptr, "trunc(x)", nullptr}},
};
// clang-format on

static_assert(in_order(rows, exp, round_before));

}  // namespace
}  // namespace math

const FunctionRow* const math_rows = math::rows;

}  // namespace gpuarr
