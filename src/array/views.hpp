// Views: the same memory through another layout. Arguments come from the C ABI and are checked
// here.
#pragma once

#include <span>

#include "array/array.hpp"

namespace gpuarr {

constexpr int64_t left_out = INT64_MIN;  // a slice's start or stop that is not given

Array slice(const Array& array, int64_t axis, int64_t start, int64_t stop, int64_t step);
Array select(const Array& array, int64_t axis, int64_t index);
Array reverse_axes(const Array& array);
Array transpose(const Array& array, std::span<const int32_t> axes);
Array reshape(const Array& array, int32_t ndim, const int64_t* shape);
Array broadcast(const Array& array, const Dims& shape);
Array squeeze(const Array& array);
Array squeeze(const Array& array, std::span<const int32_t> axes);
Array expand(const Array& array, int64_t axis);
Array flip(const Array& array, std::span<const int32_t> axes);
Array flip(const Array& array);  // all axes
/// Quarter turns from the first axis towards the second.
Array rotate(const Array& array, int64_t turns, int64_t axis1, int64_t axis2);
Array diagonal(const Array& array, int64_t offset, int64_t axis1, int64_t axis2);

/// A list of axes that came over the C ABI: what `axes` points to, which may be NULL if count is 0.
std::span<const int32_t> checked_axes(int32_t count, const int32_t* axes);

}  // namespace gpuarr
