#include "codegen/reduction/plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace gpuarr {
namespace {

struct CounterSteps {
  Dims input, reduced, result, element;  // for each axis of the loop
};

// Strides of C order of the whole loop, of its reduced axes alone, of its kept ones, and of the
// loop with its reduced axes first; empty if no text asks for them.
CounterSteps counter_steps(const ReductionPlan& p, const Dims& shape, const ReducedAxes& axes) {
  CounterSteps steps;
  const ReductionTraits& t = p.traits;
  if (!t.uses_i && !t.uses_j && !t.uses_l && !t.uses_result) return steps;
  steps.input = steps.reduced = steps.result = Dims::filled(shape.size(), 0);
  int64_t input = 1;
  int64_t reduced = 1;
  int64_t result = 1;
  for (int axis = shape.size() - 1; axis >= 0; --axis) {
    steps.input[axis] = input;
    input *= shape[axis];
    int64_t& own = axes.reduced[as_index(axis)] ? reduced : result;
    (axes.reduced[as_index(axis)] ? steps.reduced : steps.result)[axis] = own;
    own *= shape[axis];
  }
  steps.element = steps.result;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (axes.reduced[as_index(axis)]) steps.element[axis] = steps.reduced[axis] * result;
  return steps;
}

void start_counters(ReductionPlan& p, const CounterSteps& steps, const Piece& piece) {
  const bool used[] = {p.traits.uses_i, p.traits.uses_j, p.traits.uses_l, p.traits.uses_result};
  for (size_t c = 0; c < 4; ++c) {
    p.nest.counters[c].used = used[c];
    p.nest.counters[c].start = 0;
  }
  if (piece.axis < 0) return;
  p.nest.counters[input_counter].start = piece.first * steps.input[piece.axis];
  p.nest.counters[reduced_counter].start = piece.first * steps.reduced[piece.axis];
  p.nest.counters[element_counter].start = piece.first * steps.element[piece.axis];
}

// Takes over the axes that have more than one index. `shape` is that of the inputs.
void take_axes(ReductionPlan& p, std::span<const Operand> operands, const Dims& shape,
               const ReducedAxes& axes, const Piece& piece) {
  Dims whole = shape;
  if (piece.axis >= 0) whole[piece.axis] = piece.extent;
  CounterSteps steps = counter_steps(p, whole, axes);
  start_counters(p, steps, piece);
  Nest& nest = p.nest;
  nest.ndim = 0;
  int out_axis = 0;
  for (int axis = 0; axis < shape.size(); ++axis) {
    bool reduced = axes.reduced[as_index(axis)];
    int own = axes.keepdims ? axis : out_axis;
    out_axis += reduced ? 0 : 1;
    if (shape[axis] == 1) continue;
    size_t to = as_index(nest.ndim++);
    nest.shape[to] = shape[axis];
    nest.reduced[to] = reduced;
    if (!steps.input.empty()) {
      nest.counters[input_counter].strides[to] = steps.input[axis];
      nest.counters[reduced_counter].strides[to] = steps.reduced[axis];
      nest.counters[element_counter].strides[to] = steps.element[axis];
      nest.counters[result_counter].strides[to] = steps.result[axis];
    }
    for (size_t k = 0; k < operands.size(); ++k)
      if (operands[k].role == Role::input)
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
  Nest& nest = p.nest;
  if (nest.ndim > 1)
    sort_axes(nest, operands, p.traits.ordered ? lies_inside_in_order : lies_inside_by_kind);
  for (int axis = 0; axis < nest.ndim; ++axis)
    if (!p.traits.ordered || !nest.reduced[as_index(axis)]) flip_axis(nest, operands, axis);
  join_axes(nest, operands);
  if (nest.ndim == 0 || nest.reduced[0]) insert_axis(nest, operands, 0, false);
  if (!nest.reduced[as_index(nest.ndim - 1)]) insert_axis(nest, operands, nest.ndim, true);
  p.kept = 1;
  while (!nest.reduced[as_index(p.kept)]) ++p.kept;
}

// Where most of the bytes lie along.
ReductionForm choose_form(const ReductionPlan& p, std::span<const Operand> operands) {
  if (p.results == 1) return ReductionForm::rows;
  if (p.length == 1) return ReductionForm::columns;
  constexpr int64_t few = 8;  // threads would be idle at the ends of rows
  if (p.target->simt && p.length < few && p.length % 4 != 0) return ReductionForm::columns;
  // On the CPU a short row leaves vectors unfilled: better one of neighbouring results, however
  // far apart they lie.
  if (!p.target->simt && p.length <= 16) return ReductionForm::columns;
  int64_t along_rows = 0;
  int64_t along_columns = 0;
  for (int k = 0; k < p.operands; ++k) {
    if (operands[as_index(k)].role != Role::input) continue;
    int64_t bytes = size_of(operands[as_index(k)].dtype);
    for (int axis = 0; axis < p.nest.ndim; ++axis)
      if (p.nest.stride(k, axis) != 0) bytes *= p.nest.extent(axis);
    int64_t row = std::abs(p.nest.stride(k, p.inner_reduced()));
    int64_t column = std::abs(p.nest.stride(k, p.inner_kept()));
    if (row == 0 && column == 0) continue;
    (column == 0 || (row != 0 && row < column) ? along_rows : along_columns) += bytes;
  }
  return along_columns > along_rows ? ReductionForm::columns : ReductionForm::rows;
}

// How each input is reached along the axis that the threads lie along. Returns whether packs are
// possible: none has another stride than 0 and 1.
bool take_accesses(ReductionPlan& p, std::span<const Operand> operands, int inner) {
  bool packs = true;
  for (int k = 0; k < p.operands; ++k) {
    Role role = operands[as_index(k)].role;
    int64_t stride = in_loop(role) ? p.nest.stride(k, inner) : 0;
    p.access[as_index(k)] = role == Role::output  ? Access::general
                            : role != Role::input ? Access::none
                            : stride == 0         ? Access::repeated
                            : stride == 1         ? Access::vector
                                                  : Access::general;
    packs &= role != Role::input || stride == 0 || stride == 1;
  }
  return packs;
}

bool is_vector_input(const ReductionPlan& p, std::span<const Operand> operands, int k) {
  return operands[as_index(k)].role == Role::input &&
         (p.how(k) == Access::vector || p.how(k) == Access::shifted);
}

// Settles on packs of one size: which are aligned, and what is single elements.
void try_row_packs(ReductionPlan& p, std::span<const Operand> operands, int pack) {
  PackGrid grid{pack, p.inner_reduced()};
  p.pack = pack;
  p.shifts = false;
  p.anchor = -1;
  p.margin = 0;
  int anchor = -1;
  bool aligned = true;
  for (int k = p.operands - 1; k >= 0; --k)  // ends at the first
    if (is_vector_input(p, operands, k)) {
      p.access[as_index(k)] = Access::vector;
      aligned &= packs_aligned(p.nest, operands, k, grid);
      anchor = k;
    }
  p.exact = aligned && p.nest.extent(p.inner_reduced()) % pack == 0;
  if (aligned || pack == 1) return;
  p.shifts = true;
  p.anchor = grid.anchor = anchor;
  for (int k = 0; k < p.operands; ++k)
    if (is_vector_input(p, operands, k) && !packs_aligned(p.nest, operands, k, grid)) {
      p.access[as_index(k)] = Access::shifted;
      p.margin = std::max(p.margin, 16 / size_of(operands[as_index(k)].dtype) - 1);
    }
}

// The size of packs that leaves a row the fewest items. An operator that is not commutative gets
// only items in the order of their elements.
void choose_row_packs(ReductionPlan& p, std::span<const Operand> operands, int largest) {
  int best = 1;
  int64_t fewest = p.nest.extent(p.inner_reduced());
  for (int pack = largest; pack > 1; pack /= 2) {
    if (p.nest.extent(p.inner_reduced()) < pack) continue;
    try_row_packs(p, operands, pack);
    if ((p.traits.ordered && !p.exact) || p.row_items() >= fewest) continue;
    fewest = p.row_items();
    best = pack;
    if (p.exact) return;  // smaller packs would be more
  }
  try_row_packs(p, operands, best);
}

// Packs that are aligned in every input, fill the axis, and are no larger than a thread has
// registers for as many partial results.
void choose_column_packs(ReductionPlan& p, std::span<const Operand> operands, int largest) {
  constexpr int most_bytes = 64;
  auto aligned = [&](Role role, int k) {
    return operands[as_index(k)].role != role || p.nest.stride(k, p.inner_kept()) != 1 ||
           packs_aligned(p.nest, operands, k, {p.pack, p.inner_kept()});
  };
  auto fits = [&] {
    if (p.nest.extent(p.inner_kept()) % p.pack != 0) return false;
    if (p.pack * p.traits.partial_bytes > most_bytes) return false;
    for (int k = 0; k < p.operands; ++k)
      if (!aligned(Role::input, k)) return false;
    return true;
  };
  p.pack = largest;
  while (p.pack > 1 && !fits()) p.pack /= 2;
  for (int k = 0; k < p.operands; ++k)
    if (operands[as_index(k)].role == Role::output && p.nest.stride(k, p.inner_kept()) == 1 &&
        aligned(Role::output, k))
      p.access[as_index(k)] = Access::vector;
}

int power_of_two_at_least(int64_t n) {
  return static_cast<int>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(n, 1))));
}

constexpr int block = 256;

void choose_lanes(ReductionPlan& p) {
  constexpr int warp = 32;
  if (p.form == ReductionForm::rows) {
    constexpr int64_t enough_results = 4096;  // for every multiprocessor to have its warps
    int64_t most = p.results >= enough_results ? 2048 : 128;
    p.single = p.items() <= warp;
    if (p.single)
      p.lanes = power_of_two_at_least(p.items());
    else
      p.lanes = p.items() <= most ? warp : block;
    return;
  }
  int64_t across = ceil_div(p.nest.extent(p.inner_kept()), p.pack);
  p.lanes = power_of_two_at_least(std::min<int64_t>(across, p.length <= 64 ? block : warp));
}

// Packs of a thread, at most so many that all threads that a large GPU could run have some.
int64_t packs_there(const ReductionPlan& p) {
  constexpr int64_t blocks = 2048;
  if (p.single) return p.exact || p.pack == 1 ? p.results : 2;
  if (p.form == ReductionForm::columns) return p.items() / (block / p.lanes);
  if (p.lanes < block) return p.items() / p.lanes;
  return std::min(p.items() / block, p.results * p.items() / (block * blocks));
}

// Enough bytes under way. Structs cost more to combine than to wait for, and where a thread's packs
// are neighbours, so as to keep the order, a few suffice too.
void choose_unroll(ReductionPlan& p, std::span<const Operand> operands) {
  bool rows = p.form == ReductionForm::rows && !p.single;
  int64_t wanted = (rows && p.traits.ordered) || p.traits.is_struct ? 32 : 64;
  int inputs = 0;
  int64_t bytes = 0;
  for (int k = 0; k < p.operands; ++k)
    if (operands[as_index(k)].role == Role::input && p.how(k) != Access::repeated) {
      bytes += size_of(operands[as_index(k)].dtype) * (p.how(k) == Access::general ? 1 : p.pack);
      ++inputs;
    }
  if (rows && p.lanes == block && inputs > 1) wanted *= 2;
  int64_t packs = std::min(wanted / std::max<int64_t>(bytes, 1), packs_there(p));
  p.packs =
      static_cast<int>(std::bit_floor(static_cast<uint64_t>(std::clamp<int64_t>(packs, 1, 8))));
}

}  // namespace

int64_t ReductionPlan::row_items() const {
  int64_t n = nest.extent(inner_reduced());
  return n / pack + (shifts ? 2 * (pack - 1) + margin : n % pack);
}

int64_t ReductionPlan::items() const {
  if (form == ReductionForm::columns) return length;
  return length / nest.extent(inner_reduced()) * row_items();
}

void make_reduction_plan(ReductionPlan& p, const Target& target, std::span<const Operand> operands,
                         const Dims& shape, const ReducedAxes& axes, const ReductionTraits& traits,
                         const Piece& piece) {
  p.target = &target;
  p.traits = traits;  // partial results are kept by the result's number
  p.traits.uses_result |= p.stage != Stage::whole && p.stage != Stage::empty;
  p.operands = static_cast<int>(operands.size());
  p.results = p.length = 1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    (axes.reduced[as_index(axis)] ? p.length : p.results) *= shape[axis];
    if (traits.uses_out_ind && (axes.keepdims || !axes.reduced[as_index(axis)]))
      p.out_shape.push_back(axes.reduced[as_index(axis)] ? 1 : shape[axis]);
  }
  p.size = p.results * p.length;
  if (piece.axis >= 0) p.size = p.size / shape[piece.axis] * piece.extent;
  if (traits.uses_in_ind) {
    p.in_shape = shape;
    if (piece.axis >= 0) p.in_shape[piece.axis] = piece.extent;
  }
  for (int k = 0; k < p.operands; ++k)
    p.nest.data[as_index(k)] = static_cast<char*>(operands[as_index(k)].data);
  take_axes(p, operands, shape, axes, piece);
  arrange_axes(p, operands);
  p.form = choose_form(p, operands);
  bool rows = p.form == ReductionForm::rows;
  bool packs = take_accesses(p, operands, rows ? p.inner_reduced() : p.inner_kept());
  if (!target.simt) return;
  int largest = packs ? pack_size(p.access, operands) : 1;
  if (rows)
    choose_row_packs(p, operands, largest);
  else
    choose_column_packs(p, operands, largest);
  choose_lanes(p);
  choose_unroll(p, operands);
  // Items may be packs of many elements, and are found in rows by the numbers of these.
  p.wide = p.items() > (int64_t{1} << 30) || p.nest.extent(p.inner_reduced()) > INT32_MAX;
  p.many = p.results > INT32_MAX;
}

}  // namespace gpuarr
