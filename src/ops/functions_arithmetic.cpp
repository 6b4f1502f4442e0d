// Elementwise arithmetic: sums, products, quotients, powers, extremes, roundings, parts of complex
// numbers.
#include "ops/functions.hpp"

namespace gpuarr {

// Named, since these short names are the neighbours' too.
namespace arithmetic {
namespace {

constexpr const char* floored_text = R"(template <class T>
static inline T floored_remainder(T x, T y) {
  if constexpr (T(1) / 2 == 0) {
    if (y == 0 || (T(-1) < 0 && y == T(-1))) return 0;
    const T m = x % y;
    return m != 0 && (m < 0) != (y < 0) ? T(m + y) : m;
  } else {
    const T m = fmod(x, y);
    if (y == 0) return m;
    if (m == 0) return copysign(T(0), y);
    return (m < 0) != (y < 0) ? m + y : m;
  }
}
template <class T>
static inline T floored_quotient(T x, T y) {
  if constexpr (T(1) / 2 == 0) {
    if (y == 0) return 0;
    if (T(-1) < 0 && y == T(-1)) return T(0 - U(x));
    return T(x / y - (x % y != 0 && (x < 0) != (y < 0)));
  } else {
    if (y == 0) return x / y;
    const T m = fmod(x, y);
    T q = (x - m) / y;
    if (m != 0 && (m < 0) != (y < 0)) q -= 1;
    if (q == 0) return copysign(T(0), x / y);
    const T whole = floor(q);
    return q - whole > T(0.5) ? whole + 1 : whole;
  }
}
)";

// Of C's %, which has the sign of x.
constexpr const char* cut_text = R"(template <class T>
static inline T cut_remainder(T x, T y) {
  return y == 0 || (T(-1) < 0 && y == T(-1)) ? T(0) : T(x % y);
}
)";

constexpr const char* power_text = R"(template <class T>
static inline T whole_power(T x, T y) {
  if (y < 0) return x == 1 ? T(1) : x == T(-1) ? (y & 1 ? T(-1) : T(1)) : T(0);
  U result = 1, base = U(x);
  for (U rest = U(y); rest != 0; rest >>= 1) {
    if (rest & 1) result *= base;
    base *= base;
  }
  return T(result);
}
template <class T>
static inline T complex_power(const T& x, const T& y) {
  if (y.im == 0 && y.re >= -64 && y.re <= 64 && y.re == rint(y.re)) return pow(x, int(y.re));
  return pow(x, y);
}
)";

// float64 with what the products lose, so that it is no worse than pow; a 0 of it has no sign.
constexpr const char* cube_text = R"(template <class T>
static inline T cubed(T x) {
  if constexpr (sizeof(T) == 4) {
    return T(double(x) * x * x);
  } else {
    const T square = x * x, cube = square * x;
    const T exact = cube + (fma(square, x, -cube) + fma(x, x, -square) * x);
    return exact == exact && exact != 0 ? exact : cube;
  }
}
)";

constexpr const char* sign_text = R"(template <class T>
static inline T complex_sign(const T& x) {
  const V size = abs(x);
  if (size == 0) return {V(0), V(0)};
  if (!isinf(size)) return {x.re / size, x.im / size};
  if (isinf(x.re) && isinf(x.im)) return {V(NAN), V(NAN)};
  return {isinf(x.re) ? copysign(V(1), x.re) : V(0), isinf(x.im) ? copysign(V(1), x.im) : V(0)};
}
)";

// least and most take a NaN, the other two what is none; see reduce.cpp for the two forms.
constexpr const char* extreme_text = R"(#ifdef __CUDACC_RTC__
template <class T> static inline T least(T a, T b) { return a < b || a != a ? a : b; }
template <class T> static inline T most(T a, T b) { return a > b || a != a ? a : b; }
template <class T> static inline T least_number(T a, T b) { return a < b || b != b ? a : b; }
template <class T> static inline T most_number(T a, T b) { return a > b || b != b ? a : b; }
#else
template <class T>
static inline T least(T a, T b) { return a != a ? a : b != b ? b : a < b ? a : b; }
template <class T>
static inline T most(T a, T b) { return a != a ? a : b != b ? b : a > b ? a : b; }
template <class T>
static inline T least_number(T a, T b) { return b != b ? a : a != a ? b : a < b ? a : b; }
template <class T>
static inline T most_number(T a, T b) { return b != b ? a : a != a ? b : a > b ? a : b; }
#endif
)";

// To places behind the point by a factor, to places before it by a divisor. What leaves the range
// on the way has no such places.
constexpr const char* round_text = R"(static inline V rounded_after(V x, V factor) {
  const V scaled = x * factor;
  return scaled - scaled == 0 ? rint(scaled) / factor : x;
}
static inline V rounded_before(V x, V divisor) {
  const V whole = rint(x / divisor);
  return x - x != 0 ? x : whole == 0 ? whole : whole * divisor;
}
template <class T>
static inline T whole_rounded(T x, unsigned long long divisor) {
  if (divisor == 0) return 0;
  const unsigned long long size = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
  const unsigned long long whole = size / divisor, rest = size % divisor, half = divisor / 2;
  const bool up = rest > half || (rest == half && whole & 1);
  const unsigned long long rounded = (whole + up) * divisor;
  return T(x < 0 ? 0 - rounded : rounded);
}
)";

constexpr const char* divisor_text = R"(template <class T>
static inline U size_of(T x) { return x < 0 ? 0 - U(x) : U(x); }
template <class T>
static inline U common_divisor(T x, T y) {
  U a = size_of(x), b = size_of(y);
  while (b != 0) {
    const U rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
template <class T>
static inline U common_multiple(T x, T y) {
  const U divisor = common_divisor(x, y);
  return divisor == 0 ? 0 : size_of(x) / divisor * size_of(y);
}
)";

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
   {nullptr, "floored_quotient(x, y)", "floored_quotient(x, y)", nullptr}, floored_text},
  {remainder, "remainder", "x y", "what floor_divide leaves, with the sign of y", number, itself,
   {nullptr, "floored_remainder(x, y)", "floored_remainder(x, y)", nullptr}, floored_text},
  {fmod, "fmod", "x y", "what division cut at the point leaves, with the sign of x", number, itself,
   {nullptr, "cut_remainder(x, y)", "fmod(x, y)", nullptr}, cut_text},
  {divmod, "divmod", "x y", "floor_divide and remainder", number, itself,
   {nullptr, "floored_quotient(x, y)", "floored_quotient(x, y)", nullptr}, floored_text, false,
   false, "quotient remainder",
   {nullptr, "floored_remainder(x, y)", "floored_remainder(x, y)", nullptr}},
  {power, "power", "x y", "x to the power of y", number, itself,
   {nullptr, "whole_power(x, y)", "pow(x, y)", "complex_power(x, y)"}, power_text},
  {float_power, "float_power", "x y", "x to the power of y, in float64 or complex128",
   Promotes::doubled, itself, {nullptr, nullptr, "pow(x, y)", "complex_power(x, y)"}, power_text},
  {negative, "negative", "x", "-x", same, itself, {nullptr, "0 - U(x)", "-x", "-x"}},
  {positive, "positive", "x", "x itself", same, itself, {nullptr, "x", "x", "x"}, "", true},
  {abs, "abs", "x", "the absolute value", same, part,
   {"x", "x < 0 ? 0 - U(x) : U(x)", "fabs(x)", "abs(x)"}},
  {sign, "sign", "x", "-1, 0 or 1; of a complex number x / abs(x)", same, itself,
   {nullptr, "(x > 0) - (x < 0)", "x != x ? x : C((x > 0) - (x < 0))", "complex_sign(x)"},
   sign_text},
  {square, "square", "x", "x * x", number, itself, {nullptr, "U(x) * U(x)", "x * x", "x * x"}},
  {reciprocal, "reciprocal", "x", "1 / x", number, itself,
   {nullptr, "x == 0 ? C(0) : C(1 / x)", "1 / x", "1 / x"}},
  {maximum, "maximum", "x y", "the greater of two; NaN if one is", same, itself,
   {"x | y", "most(x, y)", "most(x, y)", "most(x, y)"}, extreme_text},
  {minimum, "minimum", "x y", "the lesser of two; NaN if one is", same, itself,
   {"x & y", "least(x, y)", "least(x, y)", "least(x, y)"}, extreme_text},
  {fmax, "fmax", "x y", "the greater of two; the number if one is NaN", same, itself,
   {"x | y", "most_number(x, y)", "most_number(x, y)",
    "most_number(x, y)"}, extreme_text},
  {fmin, "fmin", "x y", "the lesser of two; the number if one is NaN", same, itself,
   {"x & y", "least_number(x, y)", "least_number(x, y)",
    "least_number(x, y)"}, extreme_text},
  {clip, "clip", "x low high", "x, but at least low and at most high", same, itself,
   {"(x | low) & high", "least(most(x, low), high)", "least(most(x, low), high)",
    "least(most(x, low), high)"},
   extreme_text},
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
   {nullptr, "common_divisor(x, y)", nullptr, nullptr}, divisor_text},
  {lcm, "lcm", "x y", "the least common multiple", same, itself,
   {nullptr, "common_multiple(x, y)", nullptr, nullptr}, divisor_text},
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
    "{rounded_before(x.re, V(divisor)), rounded_before(x.im, V(divisor))}"}, round_text, false,
   false, "out", {}, itself, 0, 1},
  {round_after, "round", "x factor", "", same, itself,
   {nullptr, nullptr, "rounded_after(x, V(factor))",
    "{rounded_after(x.re, V(factor)), rounded_after(x.im, V(factor))}"}, round_text, false,
   false, "out", {}, itself, 0, 1},
  {cube, "power", "x", "", number, itself,
   {nullptr, "U(x) * U(x) * U(x)", "cubed(x)", nullptr}, cube_text},
};
// clang-format on

static_assert(in_order(rows, add, equal) &&
              in_order(round_rows, round_before, Op{all_function_count}));

}  // namespace
}  // namespace arithmetic

const FunctionRow* const arithmetic_rows = arithmetic::rows;
const FunctionRow* const round_rows = arithmetic::round_rows;

}  // namespace gpuarr
