// Elementwise functions of mathematics: exponentials, logarithms, angles, roots, and parts of
// floating-point numbers.
#include "ops/functions.hpp"
#include "ops/preambles_text.hpp"

namespace gpuarr {

// Named, since these short names are the neighbours' too.
namespace math {
namespace {

namespace texts = preamble_parts;

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
   {nullptr, nullptr, "expm1(x)", "complex_expm1(x)"}, texts::expm1},
  {log, "log", "x", "the natural logarithm", floating, itself,
   {nullptr, nullptr, "log(x)", "log(x)"}},
  {log2, "log2", "x", "the logarithm to base 2", floating, itself,
   {nullptr, nullptr, "log2(x)", "log(x) * V(M_LOG2E)"}},
  {log10, "log10", "x", "the logarithm to base 10", floating, itself,
   {nullptr, nullptr, "log10(x)", "log10(x)"}},
  {log1p, "log1p", "x", "log(1 + x), exact near 0", floating, itself,
   {nullptr, nullptr, "log1p(x)", "complex_log1p(x)"}, texts::log1p},
  {logaddexp, "logaddexp", "x y", "log(exp(x) + exp(y))", floating, itself,
   {nullptr, nullptr, "log_of_sum(x, y)", nullptr}, texts::log_sum},
  {logaddexp2, "logaddexp2", "x y", "log2(2^x + 2^y)", floating, itself,
   {nullptr, nullptr, "log2_of_sum(x, y)", nullptr}, texts::log_sum},
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
   itself, {nullptr, nullptr, "log_gamma(x)", nullptr}, texts::lgamma},
  {sinc, "sinc", "x", "sin(pi x) / (pi x)", floating, itself,
   {nullptr, nullptr, "cardinal_sine(sinpi(x), C(M_PI) * x)",
    "cardinal_sine(sin(x * V(M_PI)), x * V(M_PI))"}, texts::sinc},
  {copysign, "copysign", "x y", "x with the sign of y", floating, itself,
   {nullptr, nullptr, "with_sign(x, y)", nullptr}, texts::with_sign, true},
  {nextafter, "nextafter", "x y", "the next float after x towards y", floating, itself,
   {nullptr, nullptr, "step(x, y)", nullptr}, texts::step, true},
  {heaviside, "heaviside", "x h", "0 where x < 0, h where x is 0, else 1", floating, itself,
   {nullptr, nullptr, "x != x ? x : x == 0 ? h : C(x > 0)", nullptr}},
  {ldexp, "ldexp", "x exponent", "x * 2^exponent", floating, itself,
   {nullptr, nullptr, "scaled_by(x, clamped(exponent))", nullptr}, texts::exponent, false, false,
   "out", {}, itself, 0, 1},
  {frexp, "frexp", "x", "a mantissa from 0.5 to 1 and the exponent of 2", floating, itself,
   {nullptr, nullptr, "mantissa_of(x)", nullptr}, texts::exponent, false, false,
   "mantissa exponent",
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
