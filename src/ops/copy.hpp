// Copies, conversions and fills of arrays of any layout, on a device and between devices.
#pragma once

#include "array/array.hpp"

namespace gpuarr {

/// target = (target type)source, of equal shape. The arrays may overlap, and may be on different
/// devices; a copy between devices is complete on return.
void assign(const Array& target, const Array& source, Stream& stream);

/// A copy in memory of its own; `dtype` may differ.
Array copy(const Array& source, DType dtype, Order order, Stream& stream);

/// target[...] = *value, `value` of type `dtype` in the host's memory.
void fill(const Array& target, DType dtype, const void* value, Stream& stream);

/// target[i] = start + i * step, in C order of the indices.
void arange(const Array& target, int64_t start, int64_t step, Stream& stream);
void arange(const Array& target, double start, double step, Stream& stream);

}  // namespace gpuarr
