#include "team/compute/panels.hpp"

#include <algorithm>

#include "array/views.hpp"
#include "linalg/products/matmul.hpp"
#include "team/move/pieces.hpp"
#include "team/move/redistribute.hpp"

namespace gpuarr::team {
namespace {

constexpr int64_t least_wide = 128;
constexpr int64_t wide_enough = 1024;
constexpr int64_t most_bytes = 64 * 1024 * 1024;

// A stretch of the axis in parts of at most so many elements, of about the same extent.
void add_parts(std::vector<int64_t>& cuts, int64_t end, int64_t most) {
  const int64_t low = cuts.back();
  const int64_t parts = (end - low + most - 1) / most;
  for (int64_t k = 1; k <= parts; ++k) cuts.push_back(low + (end - low) * k / parts);
}

// BLAS may choose by addresses too.
bool is_aligned(const void* data) { return reinterpret_cast<uintptr_t>(data) % 16 == 0; }

}  // namespace

std::vector<int64_t> panel_cuts(const Grid& x, const Grid& y, DType dtype) {
  const int64_t end = x.shape()[1];
  const int64_t across = std::max<int64_t>(x.shape()[0] + y.shape()[1], 1);
  const int64_t most = std::max(wide_enough, most_bytes / size_of(dtype) / across);
  std::set<int64_t> both(x.cuts(1).begin(), x.cuts(1).end());
  both.insert(y.cuts(0).begin(), y.cuts(0).end());
  std::vector<int64_t> cuts{0};
  for (int64_t cut : both)
    if (cut - cuts.back() >= least_wide || (cut == end && cut > cuts.back()))
      add_parts(cuts, cut, most);
  return cuts;
}

Panels::Panels(Blocked& operand, int inner, const Blocked& out, DType dtype)
    : operand_(operand),
      inner_(inner),
      dtype_(dtype),
      order_(operand.layout().order),
      grid_(out.grid()) {
  for (int64_t number = 0; number < grid_.size(); ++number)
    for (int place = 0; place < out.team().size(); ++place)
      if (out.owners().has(place, number))
        needs_.insert({place, grid_.location(number)[1 - inner_]});
}

void Panels::prepare(int64_t low, int64_t high) {
  const int across = 1 - inner_;
  std::vector<Move> moves;
  coming_.clear();
  for (const Key& key : needs_) {
    const auto& cuts = grid_.cuts(across);
    Box box{{low, low}, {high, high}};
    box.low[across] = cuts[static_cast<size_t>(key.second)];
    box.high[across] = cuts[static_cast<size_t>(key.second) + 1];
    add(moves, key, box);
  }
  exchange_ = std::make_unique<Exchange>(operand_.team(), operand_.dtype(), std::move(moves));
}

void Panels::add(std::vector<Move>& moves, const Key& key, const Box& box) {
  const auto [place, location] = key;
  Team& team = operand_.team();
  const bool is_here = team.is_local(place);
  if (is_here && take_as_it_lies(key, box)) return;
  const size_t before = moves.size();
  Array* target = nullptr;
  if (is_here) {
    Stream& stream = *team.local(place).stream;
    target = &coming_[key];
    *target = Array::empty(stream, operand_.dtype(), box.extents(), order_);
  }
  add_box(moves, operand_, box, place, target);
  if (order_ == Order::c) return;
  for (size_t k = before; k < moves.size(); ++k)  // messages go in C order
    for (Array* end : {&moves[k].source, &moves[k].target})
      if (end->buffer != nullptr) *end = reverse_axes(*end);
}

// What lies on the place as it would be copied is not copied.
bool Panels::take_as_it_lies(const Key& key, const Box& box) {
  if (box.empty()) return false;
  const Grid& grid = operand_.grid();
  const Dims location{grid.find(0, box.low[0]), grid.find(1, box.low[1])};
  const Box has = grid.box(location);
  if (has.high[0] < box.high[0] || has.high[1] < box.high[1]) return false;
  const Block* const block = operand_.find(grid.number(location), key.first);
  if (block == nullptr) return false;
  const Array panel = Piece{{}, box, box.low, {1, 1}}.in_source(block->inner, has);
  if (!is_contiguous(panel.layout, order_) || !is_aligned(panel.data)) return false;
  coming_[key] = panel;
  return true;
}

void Panels::begin() { exchange_->begin(); }

void Panels::end() {
  exchange_->end();
  here_ = std::move(coming_);
  for (auto& [key, panel] : here_)
    panel = converted(panel, dtype_, *operand_.team().local(key.first).stream);
}

}  // namespace gpuarr::team
