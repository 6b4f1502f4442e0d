#include "team/blocked/grid.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace gpuarr::team {

Dims Box::extents() const {
  Dims out;
  for (int axis = 0; axis < ndim(); ++axis) out.push_back(extent(axis));
  return out;
}

bool Box::empty() const {
  for (int axis = 0; axis < ndim(); ++axis)
    if (extent(axis) <= 0) return true;
  return false;
}

Grid::Grid(std::vector<std::vector<int64_t>> cuts) : cuts_(std::move(cuts)) {
  for (const auto& axis : cuts_) {
    shape_.push_back(axis.back());
    counts_.push_back(static_cast<int64_t>(axis.size()) - 1);
  }
  size_ = size_of(counts_);
}

Grid Grid::of_chunks(const Dims& shape, const Dims& chunk) {
  std::vector<std::vector<int64_t>> cuts;
  int64_t all = 1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (chunk[axis] < 1)
      fail(GPUARR_ERR_SHAPE, "chunk[{}] is {}; give the extent of a block, at least 1", axis,
           chunk[axis]);
    // Counted ahead, as a chunk of 1 may be given for a long axis.
    const int64_t count = shape[axis] == 0 ? 1 : (shape[axis] - 1) / chunk[axis] + 1;
    constexpr int64_t most = int64_t{1} << 24;
    if (count > most || (all *= count) > most)
      fail(GPUARR_ERR_SHAPE,
           "chunk is {}, which makes more than {} blocks of shape {}; give larger extents",
           to_string(chunk), most, to_string(shape));
    std::vector<int64_t>& own = cuts.emplace_back();
    for (int64_t k = 0; k < count; ++k) own.push_back(k * chunk[axis]);
    own.push_back(shape[axis]);
  }
  return Grid(std::move(cuts));
}

Dims Grid::location(int64_t block) const {
  Dims out = Dims::filled(ndim(), 0);
  for (int axis = ndim() - 1; axis >= 0; --axis) {
    out[axis] = block % counts_[axis];
    block /= counts_[axis];
  }
  return out;
}

int64_t Grid::number(const Dims& location) const {
  int64_t block = 0;
  for (int axis = 0; axis < ndim(); ++axis) block = block * counts_[axis] + location[axis];
  return block;
}

Box Grid::box(const Dims& location) const {
  Box out;
  for (int axis = 0; axis < ndim(); ++axis) {
    const auto at = static_cast<size_t>(location[axis]);
    out.low.push_back(cuts(axis)[at]);
    out.high.push_back(cuts(axis)[at + 1]);
  }
  return out;
}

int64_t Grid::find(int axis, int64_t index) const {
  const auto& own = cuts(axis);
  return std::upper_bound(own.begin(), own.end() - 1, index) - own.begin() - 1;
}

int64_t Grid::largest(int axis) const {
  const auto& own = cuts(axis);
  int64_t most = 0;
  for (size_t k = 0; k + 1 < own.size(); ++k) most = std::max(most, own[k + 1] - own[k]);
  return most;
}

Grid Grid::transposed(const std::vector<int>& axes) const {
  std::vector<std::vector<int64_t>> out;
  out.reserve(axes.size());
  for (int axis : axes) out.push_back(cuts(axis));
  return Grid(std::move(out));
}

std::string Grid::to_text() const {
  return formatted("shape {} in {} blocks", to_string(shape_), to_string(counts_));
}

}  // namespace gpuarr::team
