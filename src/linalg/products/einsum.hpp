// Sums of products in the notation of Einstein, as NumPy writes it.
#pragma once

#include <optional>
#include <string>

#include "linalg/products/contract.hpp"

namespace gpuarr {

/// `y` is null for one operand. Returns the array that was made, if `out` is null.
std::optional<Array> einsum(const Array* out, const std::string& subscripts, const Array& x,
                            const Array* y, int32_t flags, Stream* stream);

}  // namespace gpuarr
