#include "codegen/reduction/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace gpuarr {
namespace {

// A loop, and where in the larger one it is.
struct Loop {
  const Dims& shape;
  const Dims& whole;
  const Dims& first;  // empty: at its beginning
};

using CounterSteps = std::array<Dims, reduction_counters>;  // for each axis of the loop

// Strides of C order of the whole loop, of its reduced axes alone, of the loop with its reduced
// axes first, of its kept axes, and of this loop's.
void count_steps(CounterSteps& steps, const Loop& loop, const ReducedAxes& axes) {
  steps.fill(Dims::filled(loop.shape.size(), 0));
  int64_t input = 1;
  int64_t reduced = 1;
  int64_t result = 1;
  int64_t own = 1;
  for (int axis = loop.shape.size() - 1; axis >= 0; --axis) {
    const int64_t extent = loop.whole[axis];
    steps[input_counter][axis] = input;
    input *= extent;
    if (axes.reduced[as_index(axis)]) {
      steps[reduced_counter][axis] = reduced;
      reduced *= extent;
      continue;
    }
    steps[result_counter][axis] = steps[element_counter][axis] = result;
    steps[set_counter][axis] = own;
    result *= extent;
    own *= loop.shape[axis];
  }
  for (int axis = 0; axis < loop.shape.size(); ++axis)
    if (axes.reduced[as_index(axis)])
      steps[element_counter][axis] = steps[reduced_counter][axis] * result;
}

// `steps` is set if there are any. A set of partial results is numbered from 0.
void start_counters(ReductionPlan& p, CounterSteps& steps, const Loop& loop,
                    const ReducedAxes& axes) {
  const ReductionTraits& t = p.variant.traits;
  const bool used[] = {t.uses_i, t.uses_j, t.uses_l, t.uses_result, p.variant.has_sets()};
  bool any = false;
  for (size_t c = 0; c < reduction_counters; ++c) {
    p.nest.counters[c].used = used[c];
    p.nest.counters[c].start = 0;
    any |= used[c];
  }
  if (!any) return;
  count_steps(steps, loop, axes);
  for (size_t c = 0; c < set_counter; ++c)
    for (int axis = 0; axis < loop.first.size(); ++axis)
      p.nest.counters[c].start += loop.first[axis] * steps[c][axis];
}

// Takes over the axes that have more than one index.
void take_axes(ReductionPlan& p, std::span<const Operand> operands, const Loop& loop,
               const ReducedAxes& axes) {
  const Dims& shape = loop.shape;
  CounterSteps steps;
  start_counters(p, steps, loop, axes);
  Nest& nest = p.nest;
  nest.ndim = 0;
  int out_axis = 0;
  for (int axis = 0; axis < shape.size(); ++axis) {
    bool reduced = axes.reduced[as_index(axis)];
    int own = axes.keepdims ? axis : out_axis;
    out_axis += reduced ? 0 : 1;
    if (shape[axis] == 1) continue;
    const size_t to = as_index(nest.ndim++);
    nest.shape[to] = shape[axis];
    nest.reduced[to] = reduced;
    for (size_t c = 0; c < reduction_counters; ++c)
      if (nest.counters[c].used) nest.counters[c].strides[to] = steps[c][axis];
    for (size_t k = 0; k < operands.size(); ++k)
      if (operands[k].role == Role::input && !p.variant.reads_sets())
        nest.strides[k][to] = broadcast_stride(*operands[k].layout, shape, axis);
      else if (operands[k].role == Role::output && operands[k].layout != nullptr)
        nest.strides[k][to] = reduced ? 0 : operands[k].layout->strides[own];
      else
        nest.strides[k][to] = 0;
  }
}

// Kept axes first; among those of a kind the inputs decide, then the outputs.
bool lies_inside_by_kind(const Nest& nest, std::span<const Operand> operands, int a, int b) {
  if (nest.reduced[as_index(a)] != nest.reduced[as_index(b)]) return nest.reduced[as_index(a)];
  int order = compare_steps(nest, operands, Role::input, a, b);
  if (order == 0) order = compare_steps(nest, operands, Role::output, a, b);
  return order != 0 ? order > 0 : a > b;
}

// Likewise, but reduced axes stay in C order.
bool lies_inside_in_order(const Nest& nest, std::span<const Operand> operands, int a, int b) {
  if (nest.reduced[as_index(a)] && nest.reduced[as_index(b)]) return a > b;
  return lies_inside_by_kind(nest, operands, a, b);
}

void arrange_axes(ReductionPlan& p, std::span<const Operand> operands) {
  ReductionVariant& v = p.variant;
  Nest& nest = p.nest;
  if (nest.ndim > 1)
    sort_axes(nest, operands, v.traits.ordered ? lies_inside_in_order : lies_inside_by_kind);
  for (int axis = 0; axis < nest.ndim; ++axis)
    if (!v.traits.ordered || !nest.reduced[as_index(axis)]) flip_axis(nest, operands, axis);
  join_axes(nest, operands);
  if (nest.ndim == 0 || nest.reduced[0]) insert_axis(nest, operands, 0, false);
  if (!nest.reduced[as_index(nest.ndim - 1)]) insert_axis(nest, operands, nest.ndim, true);
  int kept = 1;
  while (!nest.reduced[as_index(kept)]) ++kept;
  v.kept = kept;
  v.ndim = nest.ndim;
}

// Where most of the bytes lie along.
ReductionForm choose_form(const ReductionPlan& p) {
  const ReductionVariant& v = p.variant;
  if (p.results == 1) return ReductionForm::rows;
  if (p.length == 1) return ReductionForm::columns;
  constexpr int64_t few = 8;  // threads would be idle at the ends of rows
  if (v.simt && p.length < few && p.length % 4 != 0) return ReductionForm::columns;
  // On the CPU a short row leaves vectors unfilled: better one of neighbouring results, however
  // far apart they lie.
  if (!v.simt && p.length <= 16) return ReductionForm::columns;
  int64_t along_rows = 0;
  int64_t along_columns = 0;
  for (int k = 0; k < v.operands.size(); ++k) {
    if (v.operands[k].role != Role::input) continue;
    int64_t bytes = size_of(v.operands[k].dtype);
    for (int axis = 0; axis < p.nest.ndim; ++axis)
      if (p.nest.stride(k, axis) != 0) bytes *= p.nest.extent(axis);
    int64_t row = std::abs(p.nest.stride(k, v.inner_reduced()));
    int64_t column = std::abs(p.nest.stride(k, v.inner_kept()));
    if (row == 0 && column == 0) continue;
    (column == 0 || (row != 0 && row < column) ? along_rows : along_columns) += bytes;
  }
  return along_columns > along_rows ? ReductionForm::columns : ReductionForm::rows;
}

// How each input is reached along the axis that the threads lie along. Returns whether packs are
// possible: none has another stride than 0 and 1.
bool take_accesses(ReductionPlan& p, int inner) {
  ReductionVariant& v = p.variant;
  bool packs = true;
  for (int k = 0; k < v.operands.size(); ++k) {
    Role role = v.operands[k].role;
    int64_t stride = in_loop(role) ? p.nest.stride(k, inner) : 0;
    v.operands[k].access = role == Role::output  ? Access::general
                           : role != Role::input ? Access::none
                           : stride == 0         ? Access::repeated
                           : stride == 1         ? Access::vector
                                                 : Access::general;
    packs &= role != Role::input || stride == 0 || stride == 1;
  }
  return packs;
}

bool is_vector_input(const OperandVariant& o) {
  return o.role == Role::input && (o.access == Access::vector || o.access == Access::shifted);
}

// Settles on packs of one size: which are aligned, and what is single elements.
void try_row_packs(ReductionPlan& p, std::span<const Operand> operands, int pack) {
  ReductionVariant& v = p.variant;
  PackGrid grid{pack, v.inner_reduced()};
  v.pack = pack;
  v.shifts = false;
  v.anchor = 0;
  v.margin = 0;
  int anchor = -1;
  bool aligned = true;
  for (int k = v.operands.size() - 1; k >= 0; --k)  // ends at the first
    if (is_vector_input(v.operands[k])) {
      v.operands[k].access = Access::vector;
      aligned &= packs_aligned(p.nest, operands, k, grid);
      anchor = k;
    }
  v.exact = pack == 1 || (aligned && p.row_length() % pack == 0);
  if (aligned || pack == 1) return;
  v.shifts = true;
  v.anchor = grid.anchor = anchor;
  for (int k = 0; k < v.operands.size(); ++k)
    if (is_vector_input(v.operands[k]) && !packs_aligned(p.nest, operands, k, grid)) {
      v.operands[k].access = Access::shifted;
      v.margin = std::max<int>(v.margin, 16 / size_of(v.operands[k].dtype) - 1);
    }
}

// The size of packs that leaves a row the fewest items. An operator that is not commutative gets
// only items in the order of their elements.
void choose_row_packs(ReductionPlan& p, std::span<const Operand> operands, int largest) {
  const ReductionVariant& v = p.variant;
  int best = 1;
  int64_t fewest = p.row_length();
  for (int pack = largest; pack > 1; pack /= 2) {
    if (p.row_length() < pack) continue;
    try_row_packs(p, operands, pack);
    if ((v.traits.ordered && !v.exact) || p.row_items() >= fewest) continue;
    fewest = p.row_items();
    best = pack;
    if (v.exact) return;  // smaller packs would be more
  }
  try_row_packs(p, operands, best);
}

// Packs that are aligned in every input, fill the axis, and are no larger than a thread has
// registers for as many partial results.
void choose_column_packs(ReductionPlan& p, std::span<const Operand> operands, int largest) {
  ReductionVariant& v = p.variant;
  constexpr int most_bytes = 64;
  auto aligned = [&](Role role, int k) {
    return v.operands[k].role != role || p.nest.stride(k, v.inner_kept()) != 1 ||
           packs_aligned(p.nest, operands, k, PackGrid{v.pack, v.inner_kept()});
  };
  auto fits = [&] {
    if (p.columns() % v.pack != 0) return false;
    if (v.pack * v.traits.partial_bytes > most_bytes) return false;
    for (int k = 0; k < v.operands.size(); ++k)
      if (!aligned(Role::input, k)) return false;
    return true;
  };
  v.pack = largest;
  while (v.pack > 1 && !fits()) v.pack = v.pack / 2;
  const bool stores_packs = v.pack > 1 && v.stage == Stage::whole;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::output && stores_packs &&
        p.nest.stride(k, v.inner_kept()) == 1 && aligned(Role::output, k))
      v.operands[k].access = Access::vector;
    else if (v.pack == 1 && v.how(k) == Access::vector)
      v.operands[k].access = Access::general;
}

int power_of_two_at_least(int64_t n) {
  return static_cast<int>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(n, 1))));
}

constexpr int block = 256;

void choose_lanes(ReductionPlan& p) {
  ReductionVariant& v = p.variant;
  constexpr int warp = 32;
  if (v.form == ReductionForm::rows) {
    constexpr int64_t enough_results = 4096;  // for every multiprocessor to have its warps
    int64_t most = p.results >= enough_results ? 2048 : 128;
    v.single = p.items() <= warp;
    if (v.single)
      v.lanes = power_of_two_at_least(p.items());
    else
      v.lanes = p.items() <= most ? warp : block;
    return;
  }
  int64_t across = ceil_div(p.columns(), v.pack);
  v.lanes = power_of_two_at_least(std::min<int64_t>(across, p.length <= 64 ? block : warp));
}

// Packs of a thread, at most so many that all threads that a large GPU could run have some.
int64_t packs_there(const ReductionPlan& p) {
  const ReductionVariant& v = p.variant;
  constexpr int64_t blocks = 2048;
  if (v.single) return v.exact || v.pack == 1 ? p.results : 2;
  if (v.form == ReductionForm::columns) return p.items() / (block / v.lanes);
  if (v.lanes < block) return p.items() / v.lanes;
  return std::min(p.items() / block, p.results * p.items() / (block * blocks));
}

// Enough bytes under way. Structs cost more to combine than to wait for, and where a thread's packs
// are neighbours, so as to keep the order, a few suffice too.
void choose_unroll(ReductionPlan& p) {
  ReductionVariant& v = p.variant;
  bool rows = v.form == ReductionForm::rows && !v.single;
  int64_t wanted = (rows && v.traits.ordered) || v.traits.is_struct ? 32 : 64;
  int inputs = 0;
  int64_t bytes = 0;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::input && v.how(k) != Access::repeated) {
      bytes += size_of(v.operands[k].dtype) * (v.how(k) == Access::general ? 1 : int{v.pack});
      ++inputs;
    }
  if (rows && v.lanes == block && inputs > 1) wanted *= 2;
  int64_t packs = std::min(wanted / std::max<int64_t>(bytes, 1), packs_there(p));
  v.packs =
      static_cast<int>(std::bit_floor(static_cast<uint64_t>(std::clamp<int64_t>(packs, 1, 8))));
}

// Elements have no numbers where map is not called, results where post is not.
void leave_out_counters(ReductionVariant& v) {
  ReductionTraits& t = v.traits;
  if (v.reads_sets()) t.uses_i = t.uses_j = t.uses_l = false;
  if (v.stage != Stage::finish) t.uses_result = false;
}

Dims results_alone(const Dims& shape, const ReducedAxes& axes) {
  Dims out = shape;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (axes.reduced[as_index(axis)]) out[axis] = 1;
  return out;
}

// Items may be packs of many elements, and are found in rows by the numbers of these.
void set_wide(ReductionPlan& p) {
  ReductionVariant& v = p.variant;
  v.wide = v.simt && (p.items() > (int64_t{1} << 30) || p.row_length() > INT32_MAX);
  v.many = v.simt && p.results > INT32_MAX;
}

}  // namespace

int64_t ReductionPlan::row_items() const {
  const ReductionVariant& v = variant;
  const int64_t n = row_length();
  return n / v.pack + (v.shifts ? 2 * (v.pack - 1) + v.margin : n % v.pack);
}

int64_t ReductionPlan::items() const {
  if (variant.form == ReductionForm::columns) return length;
  return length / row_length() * row_items();
}

void make_reduction_plan(ReductionPlan& p, const Target& target, std::span<const Operand> operands,
                         const Dims& given, const ReducedAxes& axes, const ReductionTraits& traits,
                         const Piece& piece) {
  ReductionVariant& v = p.variant;
  Dims results;
  if (v.reads_sets()) results = results_alone(given, axes);
  const Dims& shape = v.reads_sets() ? results : given;
  const Dims& whole = piece.whole.empty() ? given : piece.whole;
  p.target = &target;
  v.simt = target.simt;
  v.traits = traits;
  if (v.has_sets()) leave_out_counters(v);
  v.operands.take(operands);
  p.results = p.length = p.size = p.all_results = 1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    const bool reduced = axes.reduced[as_index(axis)];
    (reduced ? p.length : p.results) *= shape[axis];
    p.size *= whole[axis];
    if (!reduced) p.all_results *= whole[axis];
    if (traits.uses_out_ind && (axes.keepdims || !reduced))
      p.out_shape.push_back(reduced ? 1 : whole[axis]);
  }
  v.out_ndim = p.out_shape.size();
  if (traits.uses_in_ind) p.in_shape = whole;
  v.in_ndim = p.in_shape.size();
  for (size_t k = 0; k < operands.size(); ++k)
    p.nest.data[k] = static_cast<char*>(operands[k].data);
  take_axes(p, operands, {shape, whole, piece.first}, axes);
  arrange_axes(p, operands);
  if (v.gathers()) return set_wide(p);
  v.form = choose_form(p);
  bool rows = v.form == ReductionForm::rows;
  bool packs = take_accesses(p, rows ? v.inner_reduced() : v.inner_kept());
  if (!target.simt) return;
  int largest = packs ? pack_size(v.operands) : 1;
  if (rows)
    choose_row_packs(p, operands, largest);
  else
    choose_column_packs(p, operands, largest);
  choose_lanes(p);
  choose_unroll(p);
  set_wide(p);
}

}  // namespace gpuarr
