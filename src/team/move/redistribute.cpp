#include "team/move/redistribute.hpp"

#include <algorithm>

#include "team/move/pieces.hpp"

namespace gpuarr::team {
namespace {

// Where a block's elements are taken from for a place.
int source_place(const Blocked& source, int64_t number, int for_place) {
  return source.owners().everywhere() ? for_place : source.owners().of(number);
}

int64_t old_number(const Grid& old, const Grid& grid, const std::vector<int>& axes,
                   int64_t number) {
  const Dims location = grid.location(number);
  Dims from = Dims::filled(location.size(), 0);
  for (int k = 0; k < location.size(); ++k) from[axes[static_cast<size_t>(k)]] = location[k];
  return old.number(from);
}

Box meet(const Box& a, const Box& b) {
  Box out;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    out.low.push_back(std::max(a.low[axis], b.low[axis]));
    out.high.push_back(std::min(a.high[axis], b.high[axis]));
  }
  return out;
}

// At most: those without elements count.
int64_t blocks_in(const Grid& grid, const Box& box) {
  int64_t count = 1;
  for (int axis = 0; axis < box.ndim(); ++axis)
    count *= grid.find(axis, box.high[axis] - 1) - grid.find(axis, box.low[axis]) + 1;
  return count;
}

// What a place of another process gets of the blocks that are here, in the order of the pieces.
void add_sent(std::vector<Move>& moves, Blocked& source, const Box& box, int place) {
  if (source.owners().everywhere()) return;
  for (const Block& block : source.blocks()) {
    const Box has = source.grid().box(block.number);
    const Box both = meet(has, box);
    if (both.empty()) continue;
    const Piece piece{{}, both, both.low, Dims::filled(both.ndim(), 1)};
    const Array part = piece.in_source(block.inner, has);
    moves.push_back({block.place, place, size_of(both.extents()), part, {}});
  }
}

// Whether a place gets the slab: of a process's places one does.
bool is_end(const Slab& slab, Team& team, int place) {
  if (slab.place >= 0) return place == slab.place;
  return !team.is_local(place) || place == team.first();
}

// Complete when it returns. Each process then has what it was to get; that the others have is not
// waited for, but that they could.
void move_by_host(Team& team, DType dtype, std::vector<Move> moves) {
  Exchange exchange(team, dtype, std::move(moves), Exchange::Ends::program);
  team.agree();
  exchange.run();
  for (Place& place : team.places()) team.wait_for(*place.stream);
}

}  // namespace

void add_box(std::vector<Move>& moves, Blocked& source, const Box& box, int place,
             const Array* target) {
  if (box.empty()) return;
  Team& team = source.team();
  const auto here = static_cast<int64_t>(source.blocks().size());
  if (!team.is_local(place) && blocks_in(source.grid(), box) > here)
    return add_sent(moves, source, box, place);
  for (const Piece& piece : pieces_of_box(source.grid(), box)) {
    const int64_t number = source.grid().number(piece.source);
    const int from = source_place(source, number, place);
    if (!team.is_local(place) && !team.is_local(from)) continue;
    Move& move = moves.emplace_back(Move{from, place, size_of(piece.box.extents()), {}, {}});
    if (target != nullptr) move.target = piece.in_target(*target, box);
    if (Block* block = source.find(number, from); block != nullptr)
      move.source = piece.in_source(block->inner, source.grid().box(piece.source));
  }
}

void redistribute(Blocked& target, Blocked& source) {
  std::vector<Move> moves;
  for (int64_t number = 0; number < target.grid().size(); ++number)
    for (int place = 0; place < target.team().size(); ++place) {
      if (!target.owners().has(place, number)) continue;
      Block* const block = target.find(number, place);
      add_box(moves, source, target.grid().box(number), place,
              block != nullptr ? &block->inner : nullptr);
    }
  Exchange exchange(target.team(), target.dtype(), std::move(moves));
  target.team().agree();
  exchange.run();
}

std::shared_ptr<Blocked> transposed(Blocked& blocked, const std::vector<int>& axes) {
  BlockedLayout layout = blocked.layout();
  layout.grid = blocked.grid().transposed(axes);
  if (std::is_sorted(axes.rbegin(), axes.rend()) && axes.size() > 1)
    layout.order = layout.order == Order::c ? Order::f : Order::c;
  const auto permuted = [&](const Dims& of) {
    Dims out;
    for (size_t k = 0; !of.empty() && k < axes.size(); ++k) out.push_back(of[axes[k]]);
    return out;
  };
  layout.halo.low = permuted(blocked.halo().low);
  layout.halo.high = permuted(blocked.halo().high);
  for (size_t k = 0; k < layout.halo.boundary.size(); ++k)
    layout.halo.boundary[k] = blocked.halo().boundary[static_cast<size_t>(axes[k])];
  if (!blocked.owners().everywhere()) {
    std::vector<int32_t> owners;
    for (int64_t number = 0; number < layout.grid.size(); ++number)
      owners.push_back(blocked.owners().of(old_number(blocked.grid(), layout.grid, axes, number)));
    layout.owners = Owners::listed(std::move(owners));
  }
  return Blocked::adopt(blocked.shared_team(), layout, [&](int place, int64_t number) {
    const Array& whole =
        blocked.find(old_number(blocked.grid(), layout.grid, axes, number), place)->whole;
    return whole.view({permuted(whole.layout.shape), permuted(whole.layout.strides)});
  });
}

void read_slab(const Slab& slab, Blocked& blocked) {
  Team& team = blocked.team();
  std::vector<Move> moves;
  for (int place = 0; place < team.size(); ++place)
    if (is_end(slab, team, place))
      add_box(moves, blocked, slab.box, place,
              slab.memory.buffer != nullptr && team.is_local(place) ? &slab.memory : nullptr);
  move_by_host(team, blocked.dtype(), std::move(moves));
}

void write_slab(Blocked& blocked, const Slab& slab) {
  Team& team = blocked.team();
  std::vector<Move> moves;
  for (int64_t number = 0; number < blocked.grid().size(); ++number) {
    const Box box = meet(blocked.grid().box(number), slab.box);
    for (int place = 0; place < team.size() && !box.empty(); ++place) {
      if (!blocked.owners().has(place, number)) continue;
      const int from = slab.place < 0 ? place : slab.place;
      if (!team.is_local(place) && !team.is_local(from)) continue;
      Move& move = moves.emplace_back(Move{from, place, size_of(box.extents()), {}, {}});
      const Piece piece{{}, box, box.low, Dims::filled(box.ndim(), 1)};
      if (Block* block = blocked.find(number, place); block != nullptr)
        move.target = piece.in_target(block->inner, blocked.grid().box(number));
      if (team.is_local(from)) move.source = piece.in_source(slab.memory, slab.box);
    }
  }
  move_by_host(team, blocked.dtype(), std::move(moves));
}

}  // namespace gpuarr::team
