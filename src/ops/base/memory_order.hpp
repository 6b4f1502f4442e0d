// In which memory order a result is made.
#pragma once

#include <span>

#include "core/shape.hpp"

namespace gpuarr {

/// Strides of a new array whose axes lie in memory in the order of another's. `axes` has for each
/// new axis the other's that it comes from, several from one included, or -1 for none.
Dims strides_following(const Layout& other, const Dims& shape, std::span<const int> axes);

/// The same where the axes are the other's, with extents of their own.
Dims strides_following(const Layout& other, const Dims& shape);

}  // namespace gpuarr
