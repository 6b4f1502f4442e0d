// How nodes are made: every dtype, shape and mistake is found here, as the eager functions would.
#pragma once

#include <array>
#include <span>

#include "expr/node.hpp"

namespace gpuarr::expr {

/// Its contents count when the expression is evaluated, not now.
Expr array_node(const Array& array);
/// One that stands for an input of a formula: a layout without memory of its own.
Expr array_node(const Array& array, Device& device, int32_t input);

/// Weak, as the scalars of eager functions are: beside arrays only its kind counts.
Expr scalar_node(const Scalar& value, int32_t input = -1);

/// An elementwise function; the second is empty unless it has two outputs. An empty operand is a
/// bound of clip that is left out.
std::array<Expr, 2> function_nodes(Op function, std::span<const Expr> operands);
inline Expr function_node(Op function, std::span<const Expr> operands) {
  return function_nodes(function, operands)[0];
}

/// Whether what scalars are worth chooses what computes it, or is checked.
bool reads_scalars(Op function);

Expr convert_node(const Expr& x, DType dtype);
/// The same, but a node of its own even where the dtype is the same.
Expr copy_node(const Expr& x, DType dtype);

/// A bit for each of the axes. Fails if one is not there.
uint32_t axis_bits(const AxisRequest& request, int ndim);

/// `ddof` is that of var and std.
Expr reduction_node(Reducer reducer, const Expr& x, const AxisRequest& axes, double ddof = 0);

}  // namespace gpuarr::expr
