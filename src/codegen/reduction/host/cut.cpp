#include "codegen/reduction/host/cut.hpp"

#include <algorithm>
#include <bit>

namespace gpuarr {
namespace {

// A task has part of a long row, or several short rows.
void cut_rows(const ReductionPlan& p, ReductionGeometry& g) {
  int64_t inner = p.row_length();
  int64_t rows = p.length / inner;
  g.split_items = std::min(inner, host_task);
  g.inner_tiles = ceil_div(inner, host_task);
  g.rows = std::min(rows, std::max<int64_t>(1, host_task / inner));
  g.splits = ceil_div(rows, g.rows) * g.inner_tiles;
  g.tasks = p.results * g.splits;
  if (g.splits == 1) g.group = std::max<int64_t>(1, host_task / p.length);
  if (g.splits > 1) g.partials = g.tasks;
}

// A task has some lines of a tile. Tasks are a power of two, so that threads end at about one time;
// more than `enough` would only leave more partial results.
void cut_columns(const ReductionPlan& p, ReductionGeometry& g) {
  constexpr int64_t enough = 512;
  int64_t inner = p.columns();
  g.inner_tiles = ceil_div(inner, host_tile(p.variant));
  g.tile = ceil_div(inner, g.inner_tiles);
  int64_t units = p.results / inner * g.inner_tiles;
  int64_t most = std::min(p.length * g.tile / (4 * host_task), enough / units);
  auto splits = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(most)));
  g.split_items = ceil_div(p.length, std::max<int64_t>(1, splits));
  g.splits = ceil_div(p.length, g.split_items);
  g.tasks = units * g.splits;
  if (g.splits == 1) g.group = std::max<int64_t>(1, host_task / (p.length * g.tile));
  if (g.splits > 1) g.partials = g.tasks * g.tile;
}

}  // namespace

// Of several operators as of each alone, so that each gives the same bits.
int host_tile(const ReductionVariant& v) {
  return 16384 * std::max<int>(v.folds, 1) / v.traits.partial_bytes;
}

void cut_for_host(const ReductionPlan& p, int64_t /*resident*/, ReductionGeometry& g) {
  if (p.variant.form == ReductionForm::rows)
    cut_rows(p, g);
  else
    cut_columns(p, g);
  g.blocks = ceil_div(g.tasks, g.group);
  if (g.splits > 1) g.counters = g.tasks;
}

}  // namespace gpuarr
