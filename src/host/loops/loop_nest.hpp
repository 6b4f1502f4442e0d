// Nested loops of a strided copy, put in the order that memory likes.
#pragma once

#include <array>
#include <cstdint>

#include "device/builtin.hpp"

namespace gpuarr::host {

struct Axis {
  int64_t extent = 1;
  int64_t target = 1;  // strides in elements
  int64_t source = 1;
};

/// The axes in as few loops as they make, outermost first.
struct LoopNest {
  std::array<Axis, max_ndim> axes;
  int count = 0;
  int64_t target_offset = 0;  // of the element that all loops start from
  int64_t source_offset = 0;

  Axis take(int at);  // removes an axis
};

/// Loops over all elements in any order: along the target's memory, upwards.
LoopNest ordered_nest(const Dims& shape, const Dims& target, const Dims& source);

/// Loops in C order of the indices.
LoopNest c_order_nest(const Dims& shape, const Dims& target);

}  // namespace gpuarr::host
