// Which elements of which blocks make up a box of indices, and the views that have them.
#pragma once

#include <vector>

#include "team/blocked/blocked.hpp"

namespace gpuarr::team {

/// Elements of a box that all come from one block.
struct Piece {
  Dims source;       // the block's location in its grid; with -1 along an axis: a constant
  Box box;           // the indices that they get
  Dims first, step;  // along each axis: index of the source that the first is a copy of, and on
  bool own = true;   // the block's own elements

  bool constant() const;
  /// In an array that has the elements of a box.
  Array in_target(const Array& array, const Box& has) const;
  Array in_source(const Array& array, const Box& has) const;
};

/// The stretches of a range of an axis, by the blocks of a grid.
std::vector<Stretch> stretches_of(const Grid& grid, int axis, int64_t low, int64_t high);

/// All combinations of the axes' stretches, in C order.
std::vector<Piece> pieces_of(const std::vector<std::vector<Stretch>>& axes);

std::vector<Piece> pieces_of_box(const Grid& grid, const Box& box);
/// Of a block with its ghost cells.
std::vector<Piece> pieces_of_ghosts(const Blocked& blocked, int64_t number);

}  // namespace gpuarr::team
