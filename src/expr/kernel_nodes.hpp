// Nodes of users' kernels, of scans, of products of matrices and of indices.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expr/node.hpp"

namespace gpuarr::expr {

/// A node for each output.
std::vector<Expr> kernel_nodes(const std::shared_ptr<Elementwise>& kernel,
                               std::span<const Expr> operands);
std::vector<Expr> user_reduction_nodes(const std::shared_ptr<Reduction>& kernel,
                                       std::span<const Expr> operands, const AxisRequest& axes);

Expr scan_node(Scanner scanner, const Expr& x, int64_t axis, bool exclusive);
Expr matmul_node(const Expr& x, const Expr& y);
/// The index of each element of x along the axis; what x is worth is not read.
Expr indices_node(const Expr& x, int64_t axis);

/// Whether the text says what becomes of one element and of nothing else, so that it may stand
/// among others, be run for some elements again, and see no more than its parameters.
bool may_be_inlined(const Elementwise& kernel);
bool may_be_inlined(const Reduction& kernel, const ReductionText& text);

}  // namespace gpuarr::expr
