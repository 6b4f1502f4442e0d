// Views of expressions: where all below are arrays and elementwise operations they become views of
// the arrays, else of what is stored.
#pragma once

#include <span>

#include "array/views.hpp"
#include "expr/node.hpp"

namespace gpuarr::expr {

/// As the functions of array/views.hpp, of which these have the rules and the errors.
Expr slice_node(const Expr& x, int64_t axis, int64_t start, int64_t stop, int64_t step);
Expr index_node(const Expr& x, int64_t axis, int64_t index);  // drops the axis
Expr expand_node(const Expr& x, int64_t axis);
Expr transpose_node(const Expr& x, std::span<const int32_t> axes);  // none: all reversed
Expr flip_node(const Expr& x, std::span<const int32_t> axes);       // none: all
Expr broadcast_node(const Expr& x, const Dims& shape);
/// Elements in C order; -1 for one extent that follows from the others.
Expr reshape_node(const Expr& x, std::span<const int64_t> shape);

/// What the steps make of an array. One that no view reshapes is copied.
Array viewed(const Array& array, std::span<const ViewStep> steps, Stream& stream);

}  // namespace gpuarr::expr
