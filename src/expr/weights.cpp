// What the functions cost: an H200 adds about 14 floats in the time that it takes to move a byte.
#include <algorithm>

#include "expr/plan.hpp"

namespace gpuarr::expr {
namespace {

constexpr Op divisions[] = {Op::divide, Op::sqrt, Op::rsqrt, Op::reciprocal, Op::hypot};
constexpr Op cheap[] = {
    Op::add,         Op::subtract,    Op::multiply,      Op::negative,    Op::positive,
    Op::abs,         Op::sign,        Op::square,        Op::cube,        Op::maximum,
    Op::minimum,     Op::fmax,        Op::fmin,          Op::clip,        Op::rint,
    Op::floor,       Op::ceil,        Op::trunc,         Op::real,        Op::imag,
    Op::conj,        Op::complex,     Op::equal,         Op::not_equal,   Op::less,
    Op::less_equal,  Op::greater,     Op::greater_equal, Op::logical_and, Op::logical_or,
    Op::logical_xor, Op::logical_not, Op::bitwise_and,   Op::bitwise_or,  Op::bitwise_xor,
    Op::invert,      Op::left_shift,  Op::right_shift,   Op::isnan,       Op::isinf,
    Op::isfinite,    Op::signbit,     Op::where,         Op::deg2rad,     Op::rad2deg,
    Op::copysign,    Op::heaviside};
constexpr Op transcendental[] = {Op::exp,    Op::exp2,  Op::expm1, Op::log,  Op::log2,
                                 Op::log10,  Op::log1p, Op::sin,   Op::cos,  Op::tanh,
                                 Op::arctan, Op::cbrt,  Op::expit, Op::sinh, Op::cosh};

}  // namespace

int weight_of(const Node& node) {
  constexpr int users = 32;  // of a user's kernel nobody knows: it is not computed twice
  if (is_leaf(node)) return 0;
  if (node.kind == NodeKind::kernel) return users;
  if (node.kind != NodeKind::function) return 1;
  const Op op = node.function().op;
  if (std::ranges::find(cheap, op) != std::end(cheap)) return 1;
  if (std::ranges::find(divisions, op) != std::end(divisions)) return 4;
  return std::ranges::find(transcendental, op) != std::end(transcendental) ? 8 : 16;
}

}  // namespace gpuarr::expr
