// Elementwise arithmetic: sums, products, quotients, powers, extremes, roundings, parts of complex
// numbers.
#include "ops/functions.hpp"
#include "ops/preambles_text.hpp"

namespace gpuarr {

// Named, since these short names are the neighbours' too.
namespace arithmetic {
namespace {

namespace texts = preamble_parts;

constexpr auto same = Promotes::same;
constexpr auto number = Promotes::number;
constexpr auto floating = Promotes::floating;
constexpr auto itself = Gives::same;
constexpr auto part = Gives::part;
using enum Op;

// clang-format off
constexpr FunctionRow rows[] = {
  {add, "add", "x y", "x + y; for bools, whether one is true", same, itself,
   {"x | y", "U(x) + U(y)", "x + y", "x + y"}},
  {subtract, "subtract", "x y", "x - y", same, itself,
   {nullptr, "U(x) - U(y)", "x - y", "x - y"}},
  {multiply, "multiply", "x y", "x * y; for bools, whether both are true", same, itself,
   {"x & y", "U(x) * U(y)", "x * y", "x * y"}},
  {divide, "divide", "x y", "x / y, of integers as floats", Promotes::divided, itself,
   {nullptr, nullptr, "x / y", "x / y"}},
  {floor_divide, "floor_divide", "x y", "the largest whole number up to x / y", number, itself,
   {nullptr, "floored_quotient(x, y)", "floored_quotient(x, y)", nullptr}, texts::floored},
  {remainder, "remainder", "x y", "what floor_divide leaves, with the sign of y", number, itself,
   {nullptr, "floored_remainder(x, y)", "floored_remainder(x, y)", nullptr}, texts::floored},
  {fmod, "fmod", "x y", "what division cut at the point leaves, with the sign of x", number, itself,
   {nullptr, "cut_remainder(x, y)", "fmod(x, y)", nullptr}, texts::cut},
  {divmod, "divmod", "x y", "floor_divide and remainder", number, itself,
   {nullptr, "floored_quotient(x, y)", "floored_quotient(x, y)", nullptr}, texts::floored, false,
   false, "quotient remainder",
   {nullptr, "floored_remainder(x, y)", "floored_remainder(x, y)", nullptr}},
  {power, "power", "x y", "x to the power of y", number, itself,
   {nullptr, "whole_power(x, y)", "pow(x, y)", "complex_power(x, y)"}, texts::power},
  {float_power, "float_power", "x y", "x to the power of y, in float64 or complex128",
   Promotes::doubled, itself, {nullptr, nullptr, "pow(x, y)", "complex_power(x, y)"}, texts::power},
  {negative, "negative", "x", "-x", same, itself, {nullptr, "0 - U(x)", "-x", "-x"}},
  {positive, "positive", "x", "x itself", same, itself, {nullptr, "x", "x", "x"}, "", true},
  {abs, "abs", "x", "the absolute value", same, part,
   {"x", "x < 0 ? 0 - U(x) : U(x)", "fabs(x)", "abs(x)"}},
  {sign, "sign", "x", "-1, 0 or 1; of a complex number x / abs(x)", same, itself,
   {nullptr, "(x > 0) - (x < 0)", "x != x ? x : C((x > 0) - (x < 0))", "complex_sign(x)"},
   texts::complex_sign},
  {square, "square", "x", "x * x", number, itself, {nullptr, "U(x) * U(x)", "x * x", "x * x"}},
  {reciprocal, "reciprocal", "x", "1 / x", number, itself,
   {nullptr, "x == 0 ? C(0) : C(1 / x)", "1 / x", "1 / x"}},
  {maximum, "maximum", "x y", "the greater of two; NaN if one is", same, itself,
   {"x | y", "most(x, y)", "most(x, y)", "most(x, y)"}, texts::extremes},
  {minimum, "minimum", "x y", "the lesser of two; NaN if one is", same, itself,
   {"x & y", "least(x, y)", "least(x, y)", "least(x, y)"}, texts::extremes},
  {fmax, "fmax", "x y", "the greater of two; the number if one is NaN", same, itself,
   {"x | y", "most_number(x, y)", "most_number(x, y)",
    "most_number(x, y)"}, texts::extremes},
  {fmin, "fmin", "x y", "the lesser of two; the number if one is NaN", same, itself,
   {"x & y", "least_number(x, y)", "least_number(x, y)",
    "least_number(x, y)"}, texts::extremes},
  {clip, "clip", "x low high", "x, but at least low and at most high", same, itself,
   {"(x | low) & high", "least(most(x, low), high)", "least(most(x, low), high)",
    "least(most(x, low), high)"},
   texts::extremes},
  {rint, "rint", "x", "the nearest whole number, of two the even one", floating, itself,
   {nullptr, nullptr, "rint(x)", "{rint(x.re), rint(x.im)}"}},
  {round, "round", "x decimals", "x rounded to places behind the point, or before it",
   same, itself, {"x", "x", "x", "x"}, "", false, false, "out", {}, itself, 0, 1},
  {floor, "floor", "x", "the largest whole number up to x", same, itself,
   {"x", "x", "floor(x)", nullptr}},
  {ceil, "ceil", "x", "the smallest whole number from x on", same, itself,
   {"x", "x", "ceil(x)", nullptr}},
  {trunc, "trunc", "x", "x without what is behind the point", same, itself,
   {"x", "x", "trunc(x)", nullptr}},
  {gcd, "gcd", "x y", "the greatest common divisor", same, itself,
   {nullptr, "common_divisor(x, y)", nullptr, nullptr}, texts::divisor},
  {lcm, "lcm", "x y", "the least common multiple", same, itself,
   {nullptr, "common_multiple(x, y)", nullptr, nullptr}, texts::divisor},
  {real, "real", "x", "the real part", same, part, {"x", "x", "x", "x.re"}, "", true},
  {imag, "imag", "x", "the imaginary part; 0 of a real number", same, part,
   {"false", "0", "C(0)", "x.im"}, "", true},
  {conj, "conj", "x", "the complex conjugate", number, itself, {nullptr, "x", "x", "conj(x)"}, "",
   true},
  {angle, "angle", "x", "the angle of a complex number in radians", floating, part,
   {nullptr, nullptr, "atan2(C(0), x)", "atan2(x.im, x.re)"}},
  {complex, "complex", "re im", "the complex number of two parts", floating,
   Gives::complex, {nullptr, nullptr, "{re, im}", nullptr}},
};

constexpr FunctionRow round_rows[] = {
  {round_before, "round", "x divisor", "", same, itself,
   {nullptr, "whole_rounded(x, divisor)", "rounded_before(x, V(divisor))",
    "{rounded_before(x.re, V(divisor)), rounded_before(x.im, V(divisor))}"}, texts::round, false,
   false, "out", {}, itself, 0, 1},
  {round_after, "round", "x factor", "", same, itself,
   {nullptr, nullptr, "rounded_after(x, V(factor))",
    "{rounded_after(x.re, V(factor)), rounded_after(x.im, V(factor))}"}, texts::round, false,
   false, "out", {}, itself, 0, 1},
  {cube, "power", "x", "", number, itself,
   {nullptr, "U(x) * U(x) * U(x)", "cubed(x)", nullptr}, texts::cube},
};
// clang-format on

static_assert(in_order(rows, add, equal) &&
              in_order(round_rows, round_before, Op{all_function_count}));

}  // namespace
}  // namespace arithmetic

const FunctionRow* const arithmetic_rows = arithmetic::rows;
const FunctionRow* const round_rows = arithmetic::round_rows;

}  // namespace gpuarr
