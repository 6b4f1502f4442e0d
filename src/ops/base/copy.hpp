// Copies, conversions and fills of arrays of any layout, on one device and between devices.
#pragma once

#include "array/array.hpp"
#include "array/scalar.hpp"

namespace gpuarr {

/// target = (target type)source, of equal shape, in a stream of the target's device. The arrays may
/// overlap, and may be on different devices; a copy between devices is complete on return.
void assign(const Array& target, const Array& source, Stream& stream);

/// A copy in memory of its own, on the source's device; `dtype` may differ.
Array copy(const Array& source, DType dtype, Order order, Stream& stream);

/// The array itself if its elements lie in the order, else a copy.
Array contiguous(const Array& array, Order order, Stream& stream);

/// target[...] = value, which the target's dtype must be able to hold.
void fill(const Array& target, const Scalar& value, Stream& stream);

/// target[i] = start + i * step, in C order of the indices; integers modulo 2^64.
void arange(const Array& target, int64_t start, int64_t step, Stream& stream);
void arange(const Array& target, double start, double step, Stream& stream);

/// Fails if the array, which is the argument of that name, is read-only or has elements that share
/// memory.
void check_writable(const Array& target, const char* argument);

}  // namespace gpuarr
