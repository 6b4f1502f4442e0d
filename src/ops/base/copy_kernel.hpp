// Fills and ranges as compiled kernels, for devices that do not bring them.
#pragma once

#include "array/array.hpp"
#include "array/scalar.hpp"

namespace gpuarr {

// Nothing overlaps, and there is at least one element.
void run_fill_kernel(const Array& target, const Scalar& value, Stream& stream);  // target's dtype
void run_arange_kernel(const Array& target, int64_t start, int64_t step, Stream& stream);
void run_arange_kernel(const Array& target, double start, double step, Stream& stream);

}  // namespace gpuarr
