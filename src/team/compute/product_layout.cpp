// What the product of two blocked matrices is, and on which places its blocks are made.
#include <algorithm>
#include <optional>
#include <set>

#include "core/error.hpp"
#include "ops/functions/promotion.hpp"
#include "team/compute/matmul.hpp"

namespace gpuarr::team {
namespace {

constexpr const char* as_vector_or_matrix = "give a vector or a matrix";

void check_factor(const Blocked& factor, const char* argument) {
  const int ndim = factor.grid().ndim();
  if (ndim != 1 && ndim != 2)
    fail(GPUARR_ERR_SHAPE, "{} has {} axes; {}", argument, ndim, as_vector_or_matrix);
}

void check_factors(const Blocked& x, const Blocked& y) {
  check_factor(x, "x");
  check_factor(y, "y");
  if (&x.team() != &y.team()) fail(GPUARR_ERR_ARGUMENT, "x and y are of different teams");
  const int64_t last = x.shape()[x.grid().ndim() - 1];
  if (last != y.shape()[0])
    fail(GPUARR_ERR_SHAPE,
         "x has shape {} and y {}: the last axis of x has extent {}, but the first of y has {}; "
         "they must be equal",
         to_string(x.shape()), to_string(y.shape()), last, y.shape()[0]);
}

// A factor as a matrix: its grid, and who has a block. Vectors lack one of the axes.
struct FactorBlocks {
  const Blocked& blocked;
  Grid grid;
  int inner;  // the axis that is added up

  int64_t number(int64_t outer_at, int64_t inner_at) const {
    return grid.number(inner == 1 ? Dims{outer_at, inner_at} : Dims{inner_at, outer_at});
  }
  int64_t bytes_of(int64_t block) const {
    return size_of(grid.box(block).extents()) * size_of(blocked.dtype());
  }
};

FactorBlocks blocks_of(const Blocked& factor, int inner) {
  const Grid& grid = factor.grid();
  std::vector<std::vector<int64_t>> cuts{grid.cuts(0), {0, 1}};
  if (grid.ndim() == 2) cuts[1] = grid.cuts(1);
  if (grid.ndim() == 1 && inner == 1) std::swap(cuts[0], cuts[1]);
  return {factor, Grid(std::move(cuts)), inner};
}

// The product's blocks on the places of a factor's that have the same rows or columns: of those
// along its inner axis one after the other.
Owners beside(const FactorBlocks& factor, const Grid& product) {
  const int across = 1 - factor.inner;
  std::vector<int32_t> places;
  for (int64_t k = 0; k < product.size(); ++k) {
    const Dims at = product.location(k);
    const int64_t inner_at =
        at[factor.inner] * factor.grid.counts()[factor.inner] / product.counts()[factor.inner];
    places.push_back(factor.blocked.owners().of(factor.number(at[across], inner_at)));
  }
  return Owners::listed(std::move(places));
}

// How many bytes of the factor are sent.
int64_t bytes_sent(const FactorBlocks& factor, const Grid& product, const Owners& owners) {
  if (factor.blocked.owners().everywhere()) return 0;
  std::set<std::pair<int, int64_t>> needs;
  for (int64_t k = 0; k < product.size(); ++k)
    needs.insert({owners.of(k), product.location(k)[1 - factor.inner]});
  int64_t bytes = 0;
  for (auto [place, outer_at] : needs)
    for (int64_t k = 0; k < factor.grid.counts()[factor.inner]; ++k) {
      const int64_t block = factor.number(outer_at, k);
      if (!factor.blocked.owners().has(place, block)) bytes += factor.bytes_of(block);
    }
  return bytes;
}

// Elements of the place that has most.
int64_t most_work(const Grid& product, const Owners& owners, int places) {
  std::vector<int64_t> work(static_cast<size_t>(places));
  for (int64_t k = 0; k < product.size(); ++k)
    work[static_cast<size_t>(owners.of(k))] += size_of(product.box(k).extents());
  return *std::max_element(work.begin(), work.end());
}

// Of those that divide the work about evenly, the one for which least is sent.
Owners owners_for(const Grid& product, const FactorBlocks& x, const FactorBlocks& y, int places) {
  std::vector<Owners> all;
  for (const FactorBlocks* factor : {&x, &y})
    if (!factor->blocked.owners().everywhere()) all.push_back(beside(*factor, product));
  if (all.empty()) return Owners::replicated();
  all.push_back(Owners::balanced(product.size(), places));
  int64_t least_work = INT64_MAX;
  for (const Owners& owners : all)
    least_work = std::min(least_work, most_work(product, owners, places));
  const Owners* best = nullptr;
  int64_t least_sent = 0;
  for (const Owners& owners : all) {
    if (most_work(product, owners, places) > least_work + least_work / 4) continue;
    const int64_t sent = bytes_sent(x, product, owners) + bytes_sent(y, product, owners);
    if (best != nullptr && sent >= least_sent) continue;
    best = &owners;
    least_sent = sent;
  }
  return *best;
}

}  // namespace

BlockedLayout product_layout(const Blocked& x, const Blocked& y) {
  check_factors(x, y);
  const FactorBlocks left = blocks_of(x, 1);
  const FactorBlocks right = blocks_of(y, 0);
  Joining join;
  join.add_array(x.dtype());
  join.add_array(y.dtype());
  BlockedLayout made{join.dtype(Promotes::same), Grid({left.grid.cuts(0), right.grid.cuts(1)}),
                     Owners::replicated()};
  made.owners = owners_for(made.grid, left, right, x.team().size());
  if (x.layout().order == Order::f && y.layout().order == Order::f) made.order = Order::f;
  std::vector<std::vector<int64_t>> cuts;  // without the axes that vectors lack
  if (x.grid().ndim() == 2) cuts.push_back(left.grid.cuts(0));
  if (y.grid().ndim() == 2) cuts.push_back(right.grid.cuts(1));
  made.grid = Grid(std::move(cuts));
  return made;
}

}  // namespace gpuarr::team
