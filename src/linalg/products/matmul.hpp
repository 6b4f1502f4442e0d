// The matrix product as NumPy has it.
#pragma once

#include <optional>

#include "linalg/products/multiply.hpp"

namespace gpuarr {

/// What the product of two arrays is. Fails where there is none; needs no memory of them.
struct ProductFacts {
  DType dtype;
  Dims shape;
};
ProductFacts product_of(const Array& x, const Array& y);

/// How it is laid out where it is made.
Order product_order(const Array& x, const Array& y);

/// `flags`: GPUARR_MATMUL_... as they came over the C ABI. Returns the array that was made, if
/// `out` is null. A null stream is the current one of the arrays' device.
std::optional<Array> matmul(const Array* out, const Array& x, const Array& y, int32_t flags,
                            Stream* stream);

ProductOptions checked_flags(int32_t flags);

/// Fails unless both are on one device; the stream to work in, checked.
Stream& stream_for(const Array& x, const Array& y, Stream* given);

/// The smallest dtype that both fit in.
DType common_dtype(const Array& x, const Array& y);

/// The array in another dtype; itself if it has that.
Array converted(const Array& array, DType dtype, Stream& stream);

}  // namespace gpuarr
