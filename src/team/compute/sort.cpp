// Shi and Schaeffer, "Parallel sorting by regular sampling", 1992.
//
// Each place sorts a range of the vector, and of all ranges every so many elements are samples.
// Some of these, alike on all places, divide all elements into buckets of about equal size, one for
// each place, which sorts what it gets. Equal elements are told apart by their range and place in
// it: so the order is that of a stable sort, and buckets are as large where all elements are equal.
#include "team/compute/sort.hpp"

#include <algorithm>

#include "ops/base/copy.hpp"
#include "ops/base/transfer.hpp"
#include "ops/sort/order.hpp"
#include "team/map/map.hpp"
#include "team/move/redistribute.hpp"

namespace gpuarr::team {
namespace {

// An element of a sorted range, and which of the samples it is.
struct Splitter {
  int64_t sample, range, index;
};

// Where part k of n elements begins, in so many parts.
int64_t even_cut(int64_t n, int64_t parts, int64_t k) {
  return n / parts * k + std::min(k, n % parts);
}

Array part_of_row(const Array& row, int64_t first, int64_t count) {
  return row.view({{count}, row.layout.strides}, count > 0 ? first * row.layout.strides[0] : 0);
}

Grid grid_of_extents(const std::vector<int64_t>& extents) {
  std::vector<int64_t> cuts{0};
  for (int64_t extent : extents) cuts.push_back(cuts.back() + extent);
  return Grid({cuts});
}

// One range for each place: the blocks that it has, if they follow each other and are not far more
// than the other places', or else even parts.
BlockedLayout ranges_of(const Blocked& x) {
  const int places = x.team().size();
  const int64_t n = x.shape()[0];
  std::vector<int64_t> extents;
  std::vector<int32_t> owners;
  for (int64_t number = 0; number < x.grid().size(); ++number) {
    const int64_t extent = x.grid().box(number).extent(0);
    if (extent == 0) continue;
    if (owners.empty() || owners.back() != x.owners().of(number)) {
      owners.push_back(x.owners().of(number));
      extents.push_back(0);
    }
    extents.back() += extent;
  }
  std::vector<int32_t> different = owners;
  std::ranges::sort(different);
  const bool follow = std::ranges::adjacent_find(different) == different.end();
  if (follow && std::ranges::max(extents) <= 2 * (n / places + 1))
    return {x.dtype(), grid_of_extents(extents), Owners::listed(std::move(owners))};
  extents.clear();
  for (int k = 0; k < places; ++k)
    extents.push_back(even_cut(n, places, k + 1) - even_cut(n, places, k));
  return {x.dtype(), grid_of_extents(extents), Owners::balanced(places, places)};
}

class SampleSort {
 public:
  SampleSort(Blocked& x, bool descending);

  /// The buckets, sorted: one block for each place.
  std::shared_ptr<Blocked> run();

 private:
  Stream& stream_of(const Block& block) { return *team_.local(block.place).stream; }
  void sort_ranges();
  void sort_block(const Block& block, const Array& from);
  int64_t samples_of(int64_t range) const { return ranges_->grid().box(range).extent(0) / step_; }
  std::shared_ptr<Blocked> gather_samples();
  std::vector<Splitter> choose_splitters(Blocked& samples);
  std::vector<int64_t> cut_ranges(Blocked& samples, const std::vector<Splitter>& splitters);
  void cut_range(int64_t* cuts, const Block& range, const Array& samples,
                 const std::vector<Splitter>& splitters);
  std::shared_ptr<Blocked> fill_buckets(const std::vector<int64_t>& cuts);
  const int64_t* cuts_of(const std::vector<int64_t>& cuts, int64_t range) const {
    return &cuts[static_cast<size_t>(ranges_->owners().of(range)) * parts()];
  }
  size_t parts() const { return static_cast<size_t>(team_.size()) + 1; }  // cuts of a range

  Blocked& x_;
  bool descending_;
  Team& team_;
  std::shared_ptr<Blocked> ranges_;
  int64_t step_;  // from one sample to the next
};

// With so many samples a bucket is at most a quarter larger than others.
SampleSort::SampleSort(Blocked& x, bool descending)
    : x_(x),
      descending_(descending),
      team_(x.team()),
      ranges_(Blocked::create(x.shared_team(), ranges_of(x))),
      step_(std::max<int64_t>(x.shape()[0] / team_.size() / team_.size() / 4, 1)) {}

void SampleSort::sort_block(const Block& block, const Array& from) {
  gpuarr::sort(&block.inner, from, 0, descending_, stream_of(block));
}

void SampleSort::sort_ranges() {
  const bool as_they_are = ranges_->grid() == x_.grid() && ranges_->owners() == x_.owners();
  if (as_they_are)
    team_.agree();
  else
    redistribute(*ranges_, x_);
  each_block(*ranges_, [&](const BlockCall& call) {
    const Block& block = *call.block;
    sort_block(block, as_they_are ? x_.find(block.number, block.place)->inner : block.inner);
  });
}

std::shared_ptr<Blocked> SampleSort::gather_samples() {
  std::vector<int64_t> counts;
  for (int64_t k = 0; k < ranges_->grid().size(); ++k) counts.push_back(samples_of(k));
  const Grid grid = grid_of_extents(counts);
  const BlockedLayout layout{x_.dtype(), grid, ranges_->owners()};
  const auto mine = Blocked::adopt(x_.shared_team(), layout, [&](int place, int64_t number) {
    const Array& range = ranges_->find(number, place)->inner;
    const int64_t count = samples_of(number);
    return range.view({{count}, {step_}}, count > 0 ? step_ - 1 : 0);
  });
  auto all = Blocked::create(x_.shared_team(),
                             {x_.dtype(), Grid({{0, grid.shape()[0]}}), Owners::replicated()});
  redistribute(*all, *mine);
  return all;
}

// Sample number k of all, as sorted, has between (k + 1) steps and that and a step for each range
// less elements before it, itself included. What a device that fails gives must not be followed.
std::vector<Splitter> SampleSort::choose_splitters(Blocked& samples) {
  const Block& block = samples.blocks().front();
  const int64_t count = block.inner.size();
  std::vector<int64_t> order(static_cast<size_t>(count));
  const Array sorted = *argsort(nullptr, block.inner, 0, descending_, stream_of(block));
  team_.wait_for(stream_of(block));
  read(host_memory(DType::i64, {count}, nullptr, order.data()), sorted, stream_of(block));
  const Grid& ranges = ranges_->grid();
  std::vector<int64_t> first{0};
  for (int64_t k = 0; k < ranges.size(); ++k) first.push_back(first.back() + samples_of(k));
  std::vector<Splitter> out;
  for (int64_t k = 1; k < team_.size(); ++k) {
    const int64_t wanted = even_cut(x_.shape()[0], team_.size(), k);
    const int64_t rank = (wanted - ranges.size() * (step_ - 1) / 2) / step_ - 1;
    const int64_t found = order[static_cast<size_t>(std::clamp<int64_t>(rank, 0, count - 1))];
    const int64_t sample = std::clamp<int64_t>(found, 0, count - 1);
    const int64_t range = std::ranges::upper_bound(first, sample) - first.begin() - 1;
    const int64_t index = (sample - first[static_cast<size_t>(range)] + 1) * step_ - 1;
    out.push_back({sample, range, index});
  }
  return out;
}

// Up to where a range's elements belong into each bucket, of all ranges, by their places.
std::vector<int64_t> SampleSort::cut_ranges(Blocked& samples,
                                            const std::vector<Splitter>& splitters) {
  std::vector<int64_t> cuts(static_cast<size_t>(team_.size()) * parts());
  for (const Block& range : ranges_->blocks()) {
    int64_t* const own = &cuts[static_cast<size_t>(range.place) * parts()];
    own[splitters.size() + 1] = range.inner.size();
    cut_range(own + 1, range, samples.find(0, range.place)->inner, splitters);
  }
  team_.all_gather(cuts.data(), static_cast<int64_t>(parts() * sizeof(int64_t)));
  return cuts;
}

// Splitters are the last of their buckets. Their equals in ranges before come before them.
void SampleSort::cut_range(int64_t* cuts, const Block& range, const Array& samples,
                           const std::vector<Splitter>& splitters) {
  const auto count = static_cast<int64_t>(splitters.size());
  if (range.inner.size() == 0) return;  // all are 0
  std::vector<int64_t> which;
  std::vector<uint8_t> right;
  for (const Splitter& s : splitters) {
    which.push_back(s.sample);
    right.push_back(range.number < s.range ? 1 : 0);
  }
  Stream& stream = stream_of(range);
  team_.wait_for(stream);
  const auto on_device = [&](DType dtype, const void* data) {
    return from_memory(host_memory(dtype, {count}, nullptr, data), stream);
  };
  const Array places =
      places_in(range.inner, descending_, samples, on_device(DType::i64, which.data()),
                on_device(DType::boolean, right.data()), stream);
  read(host_memory(DType::i64, {count}, nullptr, cuts), places, stream);
  int64_t before = 0;
  for (const Splitter& s : splitters) {
    const int64_t cut = s.range == range.number ? s.index + 1 : *cuts;
    before = *cuts++ = std::clamp(cut, before, range.inner.size());
  }
}

std::shared_ptr<Blocked> SampleSort::fill_buckets(const std::vector<int64_t>& cuts) {
  const int64_t ranges = ranges_->grid().size();
  std::vector<int64_t> extents(static_cast<size_t>(team_.size()));
  for (int64_t range = 0; range < ranges; ++range)
    for (size_t k = 0; k < extents.size(); ++k)
      extents[k] += cuts_of(cuts, range)[k + 1] - cuts_of(cuts, range)[k];
  auto buckets = Blocked::create(x_.shared_team(), {x_.dtype(), grid_of_extents(extents),
                                                    Owners::balanced(team_.size(), team_.size())});
  std::vector<Move> moves;
  for (int to = 0; to < team_.size(); ++to) {
    const Block* const bucket = buckets->find(to, to);
    int64_t at = 0;
    for (int64_t range = 0; range < ranges; ++range) {
      const int from = ranges_->owners().of(range);
      const int64_t* const own = cuts_of(cuts, range) + to;
      const int64_t count = own[1] - own[0];
      if (team_.is_local(from) || bucket != nullptr) {
        Move& move = moves.emplace_back(Move{from, to, count, {}, {}});
        if (bucket != nullptr) move.target = part_of_row(bucket->inner, at, count);
        if (const Block* source = ranges_->find(range, from); source != nullptr)
          move.source = part_of_row(source->inner, own[0], count);
      }
      at += count;
    }
  }
  Exchange exchange(team_, x_.dtype(), std::move(moves));
  team_.agree();
  exchange.run();
  return buckets;
}

std::shared_ptr<Blocked> SampleSort::run() {
  sort_ranges();
  if (team_.size() == 1) return ranges_;
  const std::shared_ptr<Blocked> samples = gather_samples();
  const std::vector<int64_t> cuts = cut_ranges(*samples, choose_splitters(*samples));
  std::shared_ptr<Blocked> buckets = fill_buckets(cuts);
  ranges_.reset();
  for (const Block& block : buckets->blocks())
    if (block.inner.size() > 0) sort_block(block, block.inner);
  return buckets;
}

// Each place has all elements, and sorts them for itself.
void sort_replicated(Blocked& out, Blocked& x, bool descending) {
  Team& team = x.team();
  std::vector<Array> wholes;
  for (Place& place : team.places())
    wholes.push_back(Array::empty(*place.stream, x.dtype(), x.shape()));
  team.agree();
  const auto part = [&](Blocked& of, const Block& block) {
    const Box box = of.grid().box(block.number);
    const Array& whole = wholes[static_cast<size_t>(block.place - team.first())];
    return part_of_row(whole, box.low[0], box.extent(0));
  };
  for (const Block& block : x.blocks())
    assign(part(x, block), block.inner, *team.local(block.place).stream);
  for (size_t k = 0; k < wholes.size(); ++k)
    gpuarr::sort(&wholes[k], wholes[k], 0, descending, *team.places()[k].stream);
  for (const Block& block : out.blocks())
    assign(block.inner, part(out, block), *team.local(block.place).stream);
}

}  // namespace

void sort(Blocked& out, Blocked& x, bool descending) {
  if (x.shape()[0] == 0) return;
  if (x.owners().everywhere()) return sort_replicated(out, x, descending);
  redistribute(out, *SampleSort(x, descending).run());
}

}  // namespace gpuarr::team
