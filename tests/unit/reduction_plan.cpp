// Plans of reductions for GPUs keep every element, and their blocks have every item: random shapes
// and layouts, on devices of several sizes.
#include "check.hpp"
#include "codegen/reduction/parameters.hpp"
#include "codegen/reduction/plan.hpp"
#include "codegen/targets.hpp"
#include "core/text.hpp"
#include "random_loop.hpp"

using namespace gpuarr;

namespace {

struct Drawn {
  RandomLoop loop;
  ReducedAxes axes;
  Layout results;
  ReductionTraits traits;
};

Drawn draw(LoopMaker& maker, int64_t most_elements) {
  Drawn d{maker.draw(5, most_elements), {}, {}, {}};
  std::erase_if(d.loop.operands, [](const Operand& o) { return o.role != Role::input; });
  if (d.loop.operands.empty()) {
    const Layout& whole =
        d.loop.layouts.emplace_back(Layout{d.loop.shape, dense_strides(d.loop.shape, Order::c)});
    d.loop.operands.push_back(
        {Role::input, DType::f32, reinterpret_cast<void*>(int64_t{1} << 36), &whole, nullptr});
  }
  Dims kept;
  for (int axis = 0; axis < d.loop.shape.size(); ++axis) {
    bool reduced = maker.one_in(2);
    d.axes.reduced[static_cast<size_t>(axis)] = reduced;
    if (!reduced) kept.push_back(d.loop.shape[axis]);
  }
  d.results = {kept, dense_strides(kept, Order::c)};
  d.traits.uses_i = maker.one_in(3);
  d.traits.uses_j = maker.one_in(3);
  d.traits.uses_l = maker.one_in(3);
  d.traits.ordered = maker.one_in(3);
  d.traits.is_struct = maker.one_in(4);
  d.traits.partial_bytes = d.traits.is_struct ? 16 : 4;
  return d;
}

ReductionPlan plan_of(Drawn& d) {
  std::vector<Operand> operands = d.loop.operands;
  operands.push_back(
      {Role::output, DType::f32, reinterpret_cast<void*>(int64_t{9} << 40), &d.results, nullptr});
  ReductionPlan p;
  make_reduction_plan(p, cuda_target, operands, d.loop.shape, d.axes, d.traits);
  return p;
}

void keeps_all(const ReductionPlan& p, const Drawn& d) {
  int64_t results = 1;
  int64_t length = 1;
  for (int axis = 0; axis < p.nest.ndim; ++axis) {
    bool kept = axis < p.variant.kept;
    CHECK(p.nest.reduced[static_cast<size_t>(axis)] == !kept);
    (kept ? results : length) *= p.nest.extent(axis);
  }
  CHECK(results == p.results && length == p.length);
  CHECK(results * length == size_of(d.loop.shape));
  CHECK(p.variant.kept >= 1 && p.variant.kept < p.nest.ndim);
  int64_t inner = p.nest.extent(p.variant.form == ReductionForm::rows ? p.variant.inner_reduced()
                                                                      : p.variant.inner_kept());
  if (p.variant.form == ReductionForm::columns || p.variant.exact)
    CHECK(inner % p.variant.pack == 0);
  if (p.variant.traits.ordered && p.variant.pack > 1 && p.variant.form == ReductionForm::rows)
    CHECK(p.variant.exact);
  CHECK(p.row_items() * p.variant.pack >= p.row_length() ||
        p.variant.form == ReductionForm::columns);
  CHECK(!p.variant.single || p.items() <= p.variant.lanes);
  CHECK(p.variant.packs >= 1 && p.variant.packs <= 8);
}

// By the arithmetic of the generated text: what the last block takes is what is left.
void shares_all(const ReductionPlan& p, int64_t resident) {
  ReductionGeometry g = geometry_of(p, resident);
  CHECK(g.blocks >= 1 && g.blocks <= INT32_MAX && g.threads == 256);
  bool whole_blocks = p.variant.form == ReductionForm::columns || p.variant.lanes == g.threads;
  if (!whole_blocks) {
    int64_t groups = g.threads / p.variant.lanes * (p.variant.single ? int{p.variant.packs} : 1);
    CHECK(g.blocks * groups >= p.results && (g.blocks - 1) * groups < p.results);
    CHECK(g.counters == 0 && g.partials == 0);
    return;
  }
  CHECK(g.blocks == g.tiles * g.splits);
  CHECK(g.blocks <= std::max(resident, g.tiles));
  int64_t last = p.items() - (g.splits - 1) * g.split_items;
  int64_t nothing = p.variant.shifts ? p.row_items() - p.row_length() / p.variant.pack : 0;
  CHECK(last > (g.splits > 1 ? nothing : 0));
  int64_t tile =
      p.variant.form == ReductionForm::rows ? 1 : int64_t{p.variant.lanes} * p.variant.pack;
  if (p.variant.form == ReductionForm::columns) {
    int64_t inner = p.columns();
    CHECK(g.inner_tiles * tile >= inner && (g.inner_tiles - 1) * tile < inner);
    CHECK(g.tiles == p.results / inner * g.inner_tiles);
  } else {
    CHECK(g.tiles == p.results);
  }
  CHECK(g.partials == (g.splits > 1 ? g.blocks * tile : 0));
  CHECK(g.counters == (g.splits > 1 ? g.tiles : 0));
}

// Rows that begin anywhere have items that are nothing, at their end: no block may have only those.
void shares_what_is_shifted() {
  for (int64_t n = 150000; n < 160000; n += 3) {
    const Layout in{{n}, {1}};
    const Layout out{};
    const Operand operands[] = {
        {Role::input, DType::i8, reinterpret_cast<void*>((int64_t{1} << 36) + 1), &in, nullptr},
        {Role::output, DType::i8, reinterpret_cast<void*>(int64_t{1} << 37), &out, nullptr}};
    ReducedAxes axes;
    axes.reduced[0] = true;
    ReductionPlan p;
    make_reduction_plan(p, cuda_target, operands, {n}, axes, {.partial_bytes = 1});
    CHECK(p.variant.shifts);
    shares_all(p, 528);
  }
}

}  // namespace

int main() {
  shares_what_is_shifted();
  int shared = 0;
  int shifted = 0;
  int columns = 0;
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    LoopMaker maker(seed);
    Drawn d = draw(maker, seed % 2 == 0 ? int64_t{1} << 22 : 5000);
    ReductionPlan p = plan_of(d);
    keeps_all(p, d);
    for (int64_t resident : {1, 60, 528, 1056}) shares_all(p, resident);
    shared += geometry_of(p, 1056).splits > 1;
    shifted += p.variant.shifts;
    columns += p.variant.form == ReductionForm::columns;
    if (check::result() != 0) {
      check::report(__FILE__, __LINE__)
          << "seed " << seed << ", shape " << to_string(d.loop.shape) << "\n";
      break;
    }
  }
  CHECK(shared > 50 && shifted > 50 && columns > 50);
  return check::result();
}
