#include "team/blocked/halo.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace gpuarr::team {
namespace {

// The index in the axis that one beyond its ends is a copy of; not for constant and none.
int64_t source_of(int64_t index, int64_t extent, Boundary boundary) {
  if (index >= 0 && index < extent) return index;
  if (boundary == Boundary::periodic) return (index % extent + extent) % extent;
  if (boundary == Boundary::nearest) return std::clamp<int64_t>(index, 0, extent - 1);
  return index < 0 ? -1 - index : 2 * extent - 1 - index;
}

int64_t step_of(int64_t index, int64_t extent, Boundary boundary) {
  if ((index >= 0 && index < extent) || boundary == Boundary::periodic) return 1;
  return boundary == Boundary::nearest ? 0 : -1;
}

// The stretch that begins at an index, and ends at `end` at the latest.
Stretch stretch_from(const Grid& grid, Boundary boundary, int axis, int64_t index, int64_t end) {
  const int64_t extent = grid.shape()[axis];
  const bool outside = index < 0 || index >= extent;
  if (index < 0) end = std::min<int64_t>(end, 0);
  if (index < extent) end = std::min(end, index < 0 ? int64_t{0} : extent);
  if (outside && boundary == Boundary::constant) return {index, end, -1};
  const int64_t first = source_of(index, extent, boundary);
  const int64_t step = step_of(index, extent, boundary);
  const int64_t block = grid.find(axis, first);
  const auto& cuts = grid.cuts(axis);
  int64_t room = end - index;
  if (step > 0) room = cuts[static_cast<size_t>(block) + 1] - first;
  if (step < 0) room = first - cuts[static_cast<size_t>(block)] + 1;
  return {index, std::min(end, index + room), block, first, step};
}

}  // namespace

bool Halo::any() const {
  return std::any_of(low.begin(), low.end(), [](int64_t n) { return n > 0; }) ||
         std::any_of(high.begin(), high.end(), [](int64_t n) { return n > 0; });
}

Box Halo::box(const Grid& grid, const Dims& location) const {
  Box out = grid.box(location);
  for (int axis = 0; axis < low.size(); ++axis) {
    const bool open = boundary[static_cast<size_t>(axis)] == Boundary::none;
    out.low[axis] -= low[axis];
    out.high[axis] += high[axis];
    if (!open) continue;
    out.low[axis] = std::max<int64_t>(out.low[axis], 0);
    out.high[axis] = std::min(out.high[axis], grid.shape()[axis]);
  }
  return out;
}

void Halo::check(const Grid& grid) const {
  for (int axis = 0; axis < low.size(); ++axis) {
    const Boundary kind = boundary[static_cast<size_t>(axis)];
    if (kind == Boundary::none || kind == Boundary::constant) continue;
    const int64_t needed = kind == Boundary::nearest ? 1 : std::max(low[axis], high[axis]);
    if (low[axis] + high[axis] > 0 && grid.shape()[axis] < needed)
      fail(GPUARR_ERR_SHAPE,
           "the halo of axis {} is {} and {} wide, but the axis has {} elements; at its boundary "
           "that needs at least {}",
           axis, low[axis], high[axis], grid.shape()[axis], needed);
  }
}

std::vector<Stretch> stretches(const Grid& grid, const Halo& halo, int axis, int64_t block) {
  const int64_t low = grid.cuts(axis)[static_cast<size_t>(block)];
  const int64_t high = grid.cuts(axis)[static_cast<size_t>(block) + 1];
  if (halo.low.empty()) return {{low, high, block, low, 1, true}};
  const Boundary boundary = halo.boundary[static_cast<size_t>(axis)];
  int64_t begin = low - halo.low[axis];
  int64_t end = high + halo.high[axis];
  if (boundary == Boundary::none) {
    begin = std::max<int64_t>(begin, 0);
    end = std::min(end, grid.shape()[axis]);
  }
  std::vector<Stretch> out;
  while (begin < low) {
    out.push_back(stretch_from(grid, boundary, axis, begin, low));
    begin = out.back().high;
  }
  out.push_back({low, high, block, low, 1, true});
  for (begin = high; begin < end; begin = out.back().high)
    out.push_back(stretch_from(grid, boundary, axis, begin, end));
  return out;
}

}  // namespace gpuarr::team
