#include "host/loops/loop_nest.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace gpuarr::host {
namespace {

void merge(LoopNest& nest) {
  int kept = 0;
  for (int i = 1; i < nest.count; ++i) {
    Axis& outer = nest.axes[static_cast<size_t>(kept)];
    const Axis inner = nest.axes[static_cast<size_t>(i)];
    if (outer.target == inner.target * inner.extent && outer.source == inner.source * inner.extent)
      outer = {outer.extent * inner.extent, inner.target, inner.source};
    else
      nest.axes[static_cast<size_t>(++kept)] = inner;
  }
  nest.count = std::min(nest.count, kept + 1);
}

// By insertion: std::stable_sort takes memory from the heap, and a launch may do this.
void sort_by_steps(LoopNest& nest) {
  auto lies_outside = [](const Axis& a, const Axis& b) {
    return std::tuple(a.target, std::abs(a.source)) > std::tuple(b.target, std::abs(b.source));
  };
  auto first = nest.axes.begin();
  for (auto next = first; next != first + nest.count; ++next)
    std::rotate(std::upper_bound(first, next, *next, lies_outside), next, next + 1);
}

}  // namespace

Axis LoopNest::take(int at) {
  const Axis taken = axes[static_cast<size_t>(at)];
  std::copy(axes.begin() + at + 1, axes.begin() + count, axes.begin() + at);
  --count;
  return taken;
}

LoopNest ordered_nest(const Dims& shape, const Dims& target, const Dims& source) {
  LoopNest nest;
  for (int i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    Axis axis{shape[i], target[i], source[i]};
    if (axis.target < 0 || (axis.target == 0 && axis.source < 0)) {
      nest.target_offset += (axis.extent - 1) * axis.target;
      nest.source_offset += (axis.extent - 1) * axis.source;
      axis.target = -axis.target;
      axis.source = -axis.source;
    }
    nest.axes[static_cast<size_t>(nest.count++)] = axis;
  }
  sort_by_steps(nest);
  merge(nest);
  return nest;
}

LoopNest c_order_nest(const Dims& shape, const Dims& target) {
  LoopNest nest;
  for (int i = 0; i < shape.size(); ++i)
    if (shape[i] != 1) nest.axes[static_cast<size_t>(nest.count++)] = {shape[i], target[i], 0};
  merge(nest);
  return nest;
}

}  // namespace gpuarr::host
