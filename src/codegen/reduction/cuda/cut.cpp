// How reductions are cut into blocks on a GPU.
#include <algorithm>

#include "codegen/reduction/parameters.hpp"
#include "codegen/reduction/writers.hpp"

namespace gpuarr {
namespace {

// How the items of a tile are shared.
struct Sharing {
  int64_t items;
  int64_t side_by_side;    // that a block takes at a time
  int64_t least;           // that are worth a block
  int64_t most = 1 << 20;  // blocks
  int64_t empty = 0;       // items that may be nothing, at the end
};

// Splits work on each of `tiles` so that all blocks run at a time, if they have enough to do. The
// last takes what is left, which is more than what may be nothing.
void split(ReductionGeometry& g, int64_t tiles, const Sharing& s, int64_t resident) {
  int64_t most = std::clamp<int64_t>(s.items / s.least, 1, s.most);
  g.splits = std::clamp<int64_t>(resident / tiles, 1, most);
  g.split_items = ceil_div(ceil_div(s.items, g.splits), s.side_by_side) * s.side_by_side;
  g.splits = std::max<int64_t>(1, ceil_div(s.items - s.empty, g.split_items));
  g.tiles = tiles;
  g.blocks = tiles * g.splits;
  if (g.splits > 1) g.counters = tiles;
}

void cut_rows(const ReductionPlan& p, int64_t resident, ReductionGeometry& g) {
  const ReductionVariant& v = p.variant;
  int64_t groups = g.threads / v.lanes;
  g.split_items = p.items();
  if (v.single) {
    g.blocks = ceil_div(p.results, groups * v.packs);
  } else if (v.lanes < g.threads) {
    g.blocks = ceil_div(p.results, groups);
  } else {
    Sharing s{p.items(), g.threads, int64_t{g.threads} * v.packs};
    if (v.shifts) s.empty = p.row_items() - p.row_length() / v.pack;
    split(g, p.results, s, resident);
    if (g.splits > 1) g.partials = p.results * g.splits;
  }
}

void cut_columns(const ReductionPlan& p, int64_t resident, ReductionGeometry& g) {
  const ReductionVariant& v = p.variant;
  int64_t tile = int64_t{v.lanes} * v.pack;
  int64_t inner = p.columns();
  int64_t lines = g.threads / v.lanes;
  g.inner_tiles = ceil_div(inner, tile);
  split(g, p.results / inner * g.inner_tiles, {p.items(), lines, 2 * lines * v.packs, 48 * lines},
        resident);
  if (g.splits > 1) g.partials = g.blocks * tile;
}

}  // namespace

void cut_for_cuda(const ReductionPlan& p, int64_t resident, ReductionGeometry& g) {
  if (p.variant.form == ReductionForm::rows)
    cut_rows(p, resident, g);
  else
    cut_columns(p, resident, g);
}

}  // namespace gpuarr
