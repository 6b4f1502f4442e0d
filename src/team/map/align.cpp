#include "team/map/align.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"

namespace gpuarr::team {

Alignment::Alignment(Blocked& over, std::vector<Aligned> arrays, Extents extents)
    : over_(over),
      extents_(extents),
      arrays_(std::move(arrays)),
      missing_(arrays_.size()),
      fetched_(arrays_.size()) {
  for (const Aligned& a : arrays_) {
    check_team(a);
    if (a.blocked != &over_) check_axes(a);
  }
  for (size_t k = 0; k < arrays_.size(); ++k)
    if (arrays_[k].blocked != &over_) check_places(k);
}

void Alignment::check_team(const Aligned& a) const {
  if (&a.blocked->team() != &over_.team())
    fail(GPUARR_ERR_ARGUMENT, "{} is of another team than the first output", a.label);
}

// Axes are matched from the last one.
void Alignment::check_axes(const Aligned& a) const {
  const Grid& own = a.blocked->grid();
  const Grid& out = over_.grid();
  const int shift = out.ndim() - own.ndim();
  if (shift < 0 || (a.is_output && shift != 0))
    fail(GPUARR_ERR_SHAPE, "{} has {} axes, but the first output has {}", a.label, own.ndim(),
         out.ndim());
  for (int axis = 0; axis < own.ndim(); ++axis) {
    const int64_t count = own.counts()[axis];
    const int64_t wanted = out.counts()[axis + shift];
    if (count != wanted && (count != 1 || a.is_output))
      fail(GPUARR_ERR_LAYOUT,
           "{} has {} blocks along axis {}, but the first output has {}; give it as many{}, by "
           "gpuarr_redistribute",
           a.label, count, axis, wanted, a.is_output ? "" : ", or one");
    const int64_t extent = own.shape()[axis];
    const bool fits = own.cuts(axis) == out.cuts(axis + shift) || extent == 1 ||
                      (count == wanted && own.largest(axis) == 1) ||
                      (count == 1 && extent == out.shape()[axis + shift]);
    if (!fits && extents_ == Extents::broadcast)
      fail(GPUARR_ERR_SHAPE,
           "{}, of {}, does not go with the first output, of {}: along axis {} its blocks must "
           "have the same extents, or 1",
           a.label, own.to_text(), out.to_text(), axis);
  }
}

bool Alignment::repeats(const Grid& grid) const {
  const int shift = over_.grid().ndim() - grid.ndim();
  for (int axis = 0; axis < over_.grid().ndim(); ++axis)
    if (over_.grid().counts()[axis] > (axis < shift ? 1 : grid.counts()[axis - shift])) return true;
  return false;
}

int64_t Alignment::number_for(const Grid& grid, const Dims& location) const {
  const int shift = over_.grid().ndim() - grid.ndim();
  Dims own = Dims::filled(grid.ndim(), 0);
  for (int axis = 0; axis < grid.ndim(); ++axis)
    if (grid.counts()[axis] > 1) own[axis] = location[axis + shift];
  return grid.number(own);
}

// A block may come from another place only where it goes with several.
void Alignment::check_places(size_t k) {
  const Aligned& a = arrays_[k];
  const Owners& own = a.blocked->owners();
  const Owners& out = over_.owners();
  const Grid& grid = a.blocked->grid();
  const bool may_fetch = !a.is_output && repeats(grid);
  if (own.everywhere() || (own == out && grid.counts() == over_.grid().counts())) return;
  std::set<std::pair<int64_t, int>> missing;
  for (int64_t number = 0; number < over_.grid().size(); ++number) {
    const int64_t needed = number_for(grid, over_.grid().location(number));
    for (int place = 0; place < team().size(); ++place) {
      if (!out.has(place, number) || own.has(place, needed)) continue;
      if (!may_fetch)
        fail(GPUARR_ERR_LAYOUT,
             "{} has block {} on place {}, but the first output has it on place {}; bring them "
             "together by gpuarr_redistribute",
             a.label, to_string(grid.location(needed)), own.of(needed), place);
      missing.insert({needed, place});
    }
  }
  missing_[k].assign(missing.begin(), missing.end());
}

void Alignment::fetch() {
  for (size_t k = 0; k < arrays_.size(); ++k)
    if (!missing_[k].empty()) fetch_of(k);
}

void Alignment::fetch_of(size_t k) {
  Blocked& from = *arrays_[k].blocked;
  std::vector<Move> moves;
  for (auto [number, place] : missing_[k]) {
    const int owner = from.owners().of(number);
    const Dims extents = from.grid().box(number).extents();
    Move& move = moves.emplace_back(Move{owner, place, size_of(extents), {}, {}});
    if (Block* block = from.find(number, owner); block != nullptr) move.source = block->inner;
    if (!team().is_local(place)) continue;
    Stream& stream = *team().local(place).stream;
    move.target = Array::empty(stream, from.dtype(), extents, from.layout().order);
    fetched_[k].push_back({number, place, move.target});
  }
  std::erase_if(moves, [&](const Move& move) {
    return !team().is_local(move.from) && !team().is_local(move.to);
  });
  Exchange exchange(team(), from.dtype(), std::move(moves));
  exchange.run();
}

const Array& Alignment::array(size_t k, const Block& block, bool with_halo) const {
  Blocked& from = *arrays_[k].blocked;
  const int64_t number =
      &from == &over_ ? block.number : number_for(from.grid(), over_.grid().location(block.number));
  if (const Block* own = from.find(number, block.place); own != nullptr)
    return with_halo ? own->whole : own->inner;
  for (const Fetched& f : fetched_[k])
    if (f.number == number && f.place == block.place) return f.array;
  fail(GPUARR_ERR_INTERNAL, "{} lacks block {} on place {}", arrays_[k].label, number, block.place);
}

Array Alignment::cut(size_t k, const Block& block) const {
  const Array& whole = array(k, block, false);
  const Box box = over_.grid().box(block.number);
  const int shift = box.ndim() - whole.ndim();
  Layout layout = whole.layout;
  int64_t offset = 0;
  for (int axis = 0; axis < whole.ndim(); ++axis) {
    const int64_t wanted = box.extent(axis + shift);
    if (extents_ == Extents::free || layout.shape[axis] == wanted || layout.shape[axis] == 1)
      continue;
    offset += box.low[axis + shift] * layout.strides[axis];
    layout.shape[axis] = wanted;
  }
  return offset == 0 && layout.shape == whole.layout.shape ? whole : whole.view(layout, offset);
}

Array Alignment::nothing(size_t k, Stream& stream) const {
  const Blocked& blocked = *arrays_[k].blocked;
  return Array::empty(stream, blocked.dtype(), Dims::filled(blocked.shape().size(), 0));
}

}  // namespace gpuarr::team
