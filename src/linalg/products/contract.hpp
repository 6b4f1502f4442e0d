// Sums of products over axes that are called by labels, which einsum and tensordot come down to.
#pragma once

#include <optional>

#include "linalg/products/multiply.hpp"

namespace gpuarr {

/// An array, and a label for each of its axes. Axes of one label have one extent, or extent 1,
/// which repeats.
struct Labelled {
  Array array;
  Dims labels;
};

/// out[labels] = sum of x * y (or of x alone, where y is null) over the labels that `labels` does
/// not have. As matmul: bool is "or" of "and"s, integers wrap around in the result's dtype. Returns
/// the array that was made, if `out` is null; it may be a view with its axes in any memory order.
std::optional<Array> contract(const Array* out, Labelled x, const Labelled* y, const Dims& labels,
                              DType dtype, const ProductOptions& options, Stream& stream);

/// x * y, element by element, of shapes that broadcast to that of `out`.
void multiply_elements(const Array& out, const Array& x, const Array& y, Stream& stream);

}  // namespace gpuarr
