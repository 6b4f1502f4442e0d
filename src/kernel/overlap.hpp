// Whether two arrays may share memory, and where.
#pragma once

#include "array/array.hpp"

namespace gpuarr {

/// Whether elements of the two may lie at one address. Exact enough for views of one array: ranges
/// that do not meet, and interleaved ones such as a[::2] and a[1::2], are told apart.
bool may_overlap(const Array& a, const Array& b);

/// Whether both go along the loop's axes in the same steps.
bool same_steps(const Layout& a, const Layout& b, const Dims& loop_shape);

/// Whether each index of the loop finds both at the same address.
bool same_place(const Array& a, const Array& b, const Dims& loop_shape);

}  // namespace gpuarr
