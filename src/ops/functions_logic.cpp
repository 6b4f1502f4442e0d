// Elementwise functions that compare, choose, classify, or work on bits.
#include "ops/functions.hpp"
#include "ops/preambles_text.hpp"

namespace gpuarr {

// Named, since these short names are the neighbours' too.
namespace logic {
namespace {

namespace texts = preamble_parts;

constexpr auto same = Promotes::same;
constexpr auto number = Promotes::number;
constexpr auto itself = Gives::same;
constexpr auto truth = Gives::truth;
using enum Op;

// clang-format off
constexpr FunctionRow rows[] = {
  {equal, "equal", "x y", "whether x == y", same, truth,
   {"x == y", "x == y", "x == y", "x == y"}, "", false, true},
  {not_equal, "not_equal", "x y", "whether x != y", same, truth,
   {"x != y", "x != y", "x != y", "x != y"}, "", false, true},
  {less, "less", "x y", "whether x < y", same, truth,
   {"x < y", "x < y", "x < y", "x < y"}, "", false, true},
  {less_equal, "less_equal", "x y", "whether x <= y", same, truth,
   {"x <= y", "x <= y", "x <= y", "x <= y"}, "", false, true},
  {greater, "greater", "x y", "whether x > y", same, truth,
   {"x > y", "y < x", "x > y", "x > y"}, "", false, true},
  {greater_equal, "greater_equal", "x y", "whether x >= y", same, truth,
   {"x >= y", "y <= x", "x >= y", "x >= y"}, "", false, true},
  {isclose, "isclose", "x y rtol atol equal_nan",
   "whether abs(x - y) <= atol + rtol * abs(y)", Promotes::divided, truth,
   {nullptr, nullptr, "is_close(x, y, V(rtol), V(atol), equal_nan != 0)",
    "is_close(x, y, V(rtol), V(atol), equal_nan != 0)"}, texts::close, false, false, "out", {},
   itself, 0, 2},
  {logical_and, "logical_and", "x y", "whether neither is 0", same, truth,
   {"x & y", "(x != 0) & (y != 0)", "(x != 0) & (y != 0)", "(x != 0) & (y != 0)"}},
  {logical_or, "logical_or", "x y", "whether one is not 0", same, truth,
   {"x | y", "(x != 0) | (y != 0)", "(x != 0) | (y != 0)", "(x != 0) | (y != 0)"}},
  {logical_xor, "logical_xor", "x y", "whether just one is not 0", same, truth,
   {"x != y", "(x != 0) != (y != 0)", "(x != 0) != (y != 0)", "(x != 0) != (y != 0)"}},
  {logical_not, "logical_not", "x", "whether x is 0", same, truth,
   {"!is_true(x)", "x == 0", "x == 0", "x == 0"}},
  {bitwise_and, "bitwise_and", "x y", "bits that both have", same, itself,
   {"x & y", "x & y", nullptr, nullptr}},
  {bitwise_or, "bitwise_or", "x y", "bits that one has", same, itself,
   {"x | y", "x | y", nullptr, nullptr}},
  {bitwise_xor, "bitwise_xor", "x y", "bits that just one has", same, itself,
   {"x ^ y", "x ^ y", nullptr, nullptr}},
  {invert, "invert", "x", "bits that x has not; for a bool, whether it is false", same, itself,
   {"!is_true(x)", "~x", nullptr, nullptr}},
  {left_shift, "left_shift", "x y", "x with its bits moved y places up", number, itself,
   {nullptr, "(unsigned long long)y < 8 * sizeof(C) ? U(x) << y : U(0)", nullptr, nullptr}},
  {right_shift, "right_shift", "x y", "x with its bits moved y places down", number, itself,
   {nullptr, "(unsigned long long)y < 8 * sizeof(C) ? C(x >> y) : C(x < 0 ? -1 : 0)", nullptr,
    nullptr}},
  {isnan, "isnan", "x", "whether x is NaN", same, truth,
   {"false", "false", "x != x", "(x.re != x.re) | (x.im != x.im)"}},
  {isinf, "isinf", "x", "whether x is infinite", same, truth,
   {"false", "false", "isinf(x)", "isinf(x.re) | isinf(x.im)"}},
  {isfinite, "isfinite", "x", "whether x is neither infinite nor NaN", same, truth,
   {"true", "true", "isfinite(x)", "isfinite(x.re) & isfinite(x.im)"}},
  {signbit, "signbit", "x", "whether the sign of x is minus, also of 0 and NaN", same, truth,
   {"false", "x < 0", "has_sign(x)", nullptr}, texts::has_sign, true},
  {where, "where", "condition x y", "x where the condition is not 0, else y", same, itself,
   {"is_true(condition) ? x : y", "is_true(condition) ? x : y", "is_true(condition) ? x : y",
    "is_true(condition) ? x : y"}, "", true, false, "out", {}, itself, 1, 2},
};
// clang-format on

static_assert(in_order(rows, equal, exp));

}  // namespace
}  // namespace logic

const FunctionRow* const logic_rows = logic::rows;

}  // namespace gpuarr
