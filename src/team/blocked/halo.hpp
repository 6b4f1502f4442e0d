// Ghost cells: copies, around a block, of its neighbours' elements.
#pragma once

#include <cstdint>
#include <vector>

#include "array/scalar.hpp"
#include "team/blocked/grid.hpp"

namespace gpuarr::team {

/// What lies beyond the ends of an axis.
enum class Boundary : int32_t {
  none,      // no ghost cells
  periodic,  // the other end
  constant,  // a value
  nearest,   // the last element: a a | a b c | c c
  reflect,   // elements backwards from the last: b a | a b c | c b, as SciPy and Dask do
};

/// How many ghost cells a block has along each axis, before it and behind it. No dims: none.
struct Halo {
  Dims low, high;
  std::vector<Boundary> boundary;  // of each axis
  Scalar fill;                     // of constant ones

  bool any() const;
  /// Of a block of the grid, with its ghost cells.
  Box box(const Grid& grid, const Dims& location) const;
  /// Fails where an axis has not as many elements as ghost cells need.
  void check(const Grid& grid) const;
};

/// A stretch of neighbouring indices along an axis of a block with its ghost cells, all of which
/// come from one block, or from none.
struct Stretch {
  int64_t low, high;  // in the axis, beyond its ends where they are ghost cells of a boundary
  int64_t source;     // block along the axis; -1: the constant
  int64_t first = 0;  // index in the axis that `low` is a copy of
  int64_t step = 1;   // to the next one's: 1, -1 or 0
  bool own = false;   // the block's own elements
};

/// The stretches that make up an axis of a block, in order.
std::vector<Stretch> stretches(const Grid& grid, const Halo& halo, int axis, int64_t block);

}  // namespace gpuarr::team
