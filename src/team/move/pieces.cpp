#include "team/move/pieces.hpp"

#include <algorithm>

namespace gpuarr::team {

bool Piece::constant() const {
  return std::any_of(source.begin(), source.end(), [](int64_t block) { return block < 0; });
}

Array Piece::in_target(const Array& array, const Box& has) const {
  Layout layout = array.layout;
  int64_t offset = 0;
  for (int axis = 0; axis < box.ndim(); ++axis) {
    offset += (box.low[axis] - has.low[axis]) * layout.strides[axis];
    layout.shape[axis] = box.extent(axis);
  }
  return array.view(layout, offset);
}

Array Piece::in_source(const Array& array, const Box& has) const {
  Layout layout = array.layout;
  int64_t offset = 0;
  for (int axis = 0; axis < box.ndim(); ++axis) {
    offset += (first[axis] - has.low[axis]) * layout.strides[axis];
    layout.strides[axis] *= step[axis];
    layout.shape[axis] = box.extent(axis);
  }
  return array.view(layout, offset);
}

std::vector<Stretch> stretches_of(const Grid& grid, int axis, int64_t low, int64_t high) {
  std::vector<Stretch> out;
  while (low < high) {
    const int64_t block = grid.find(axis, low);
    const int64_t end = std::min(high, grid.cuts(axis)[static_cast<size_t>(block) + 1]);
    out.push_back({low, end, block, low});
    low = end;
  }
  return out;
}

std::vector<Piece> pieces_of(const std::vector<std::vector<Stretch>>& axes) {
  std::vector<Piece> out{{}};
  for (const auto& stretches : axes) {
    std::vector<Piece> longer;
    for (const Piece& begun : out)
      for (const Stretch& s : stretches) {
        Piece& piece = longer.emplace_back(begun);
        piece.source.push_back(s.source);
        piece.box.low.push_back(s.low);
        piece.box.high.push_back(s.high);
        piece.first.push_back(s.first);
        piece.step.push_back(s.step);
        piece.own = piece.own && s.own;
      }
    out = std::move(longer);
  }
  return out;
}

std::vector<Piece> pieces_of_box(const Grid& grid, const Box& box) {
  std::vector<std::vector<Stretch>> axes;
  axes.reserve(static_cast<size_t>(grid.ndim()));
  for (int axis = 0; axis < grid.ndim(); ++axis)
    axes.push_back(stretches_of(grid, axis, box.low[axis], box.high[axis]));
  return pieces_of(axes);
}

std::vector<Piece> pieces_of_ghosts(const Blocked& blocked, int64_t number) {
  const Grid& grid = blocked.grid();
  const Dims location = grid.location(number);
  if (grid.box(location).empty()) return {};
  std::vector<std::vector<Stretch>> axes;
  axes.reserve(static_cast<size_t>(grid.ndim()));
  for (int axis = 0; axis < grid.ndim(); ++axis)
    axes.push_back(stretches(grid, blocked.halo(), axis, location[axis]));
  std::vector<Piece> out = pieces_of(axes);
  std::erase_if(out, [](const Piece& piece) { return piece.own; });
  return out;
}

}  // namespace gpuarr::team
