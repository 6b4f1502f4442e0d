// Products that come down to sums of products, or to products of pairs of elements.
#pragma once

#include <optional>

#include "linalg/products/contract.hpp"

namespace gpuarr {

// Each returns the array that was made, if `out` is null. A null stream is the current one of the
// arrays' device.

/// The sum of conj(x) * y over all elements, in C order of each.
std::optional<Array> vdot(const Array* out, const Array& x, const Array& y, Stream* stream);

/// The sum over the last axis of both.
std::optional<Array> inner(const Array* out, const Array& x, const Array& y, int32_t flags,
                           Stream* stream);

/// Every element of x times every one of y.
std::optional<Array> outer(const Array* out, const Array& x, const Array& y, Stream* stream);

std::optional<Array> kron(const Array* out, const Array& x, const Array& y, Stream* stream);

/// The sum over pairs of axes. Axes are null where they are the last ones of x and the first of y.
std::optional<Array> tensordot(const Array* out, const Array& x, const Array& y,
                               const int32_t* x_axes, const int32_t* y_axes, int32_t axis_count,
                               int32_t flags, Stream* stream);

/// x multiplied by itself so many times; 0 or more. The last two axes are the matrices'.
std::optional<Array> matrix_power(const Array* out, const Array& x, int64_t n, int32_t flags,
                                  Stream* stream);

}  // namespace gpuarr
