// How a global shape is divided into a grid of blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/shape.hpp"

namespace gpuarr::team {

/// The indices from `low` to below `high`, along each axis.
struct Box {
  Dims low, high;

  int ndim() const { return low.size(); }
  int64_t extent(int axis) const { return high[axis] - low[axis]; }
  Dims extents() const;
  bool empty() const;
  bool operator==(const Box&) const = default;
};

/// Blocks are numbered in C order of their places in the grid.
class Grid {
 public:
  Grid() = default;
  /// `cuts`: for each axis where blocks begin, from 0, and the extent behind the last.
  explicit Grid(std::vector<std::vector<int64_t>> cuts);
  /// Blocks of one extent, the last of each axis maybe shorter.
  static Grid of_chunks(const Dims& shape, const Dims& chunk);

  int ndim() const { return shape_.size(); }
  const Dims& shape() const { return shape_; }
  const Dims& counts() const { return counts_; }  // of blocks, along each axis
  int64_t size() const { return size_; }
  const std::vector<std::vector<int64_t>>& cuts() const { return cuts_; }
  const std::vector<int64_t>& cuts(int axis) const { return cuts_[static_cast<size_t>(axis)]; }

  Dims location(int64_t block) const;
  int64_t number(const Dims& location) const;
  Box box(const Dims& location) const;
  Box box(int64_t block) const { return box(location(block)); }
  /// Which block along an axis has the index.
  int64_t find(int axis, int64_t index) const;
  /// The largest extent of a block along an axis.
  int64_t largest(int axis) const;

  Grid transposed(const std::vector<int>& axes) const;  // axis i is this one's axes[i]
  bool operator==(const Grid& other) const { return cuts_ == other.cuts_; }
  std::string to_text() const;  // "shape (6, 4) in blocks (4, 2)"

 private:
  Dims shape_, counts_;
  int64_t size_ = 1;
  std::vector<std::vector<int64_t>> cuts_;
};

}  // namespace gpuarr::team
