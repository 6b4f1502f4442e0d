// Traces and norms of matrices.
#pragma once

#include <optional>

#include "array/array.hpp"

namespace gpuarr {

/// The sum along a diagonal of two axes. Returns the array that was made, if `out` is null.
std::optional<Array> trace(const Array* out, const Array& x, int64_t offset, int32_t axis1,
                           int32_t axis2, Stream* stream);

/// `ord`: GPUARR_NORM_... The last two axes are the matrices'.
std::optional<Array> matrix_norm(const Array* out, const Array& x, int32_t ord, int32_t keepdims,
                                 Stream* stream);

}  // namespace gpuarr
