#include "codegen/elementwise/plan.hpp"

#include <algorithm>

namespace gpuarr {
namespace {

// Takes over the loop's axes, without those of one index. i is walked like an operand with the
// strides of C order.
void take_axes(Plan& p, std::span<const Operand> operands, const Dims& shape) {
  Dims c_strides = dense_strides(shape, Order::c);
  Nest& nest = p.nest;
  nest.counters[0].used = p.uses_i;
  nest.ndim = 0;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    nest.shape[as_index(nest.ndim)] = shape[axis];
    nest.reduced[as_index(nest.ndim)] = false;
    nest.counters[0].strides[as_index(nest.ndim)] = c_strides[axis];
    for (int k = 0; k < p.operands; ++k)
      if (in_loop(operands[as_index(k)].role))
        nest.strides[as_index(k)][as_index(nest.ndim)] =
            broadcast_stride(*operands[as_index(k)].layout, shape, axis);
    ++nest.ndim;
  }
}

// The outputs decide, then the inputs.
bool lies_inside(const Nest& nest, std::span<const Operand> operands, int a, int b) {
  int order = compare_steps(nest, operands, Role::output, a, b);
  if (order == 0) order = compare_steps(nest, operands, Role::input, a, b);
  return order != 0 ? order > 0 : a > b;
}

// Indices fit 31 bits when the loop's size and every operand's furthest element do. Packs and
// single elements of short rows may be half as many again as the elements, hence the distance.
bool is_wide(const Plan& p, std::span<const Operand> operands) {
  constexpr int64_t limit = int64_t{1} << 30;
  if (p.size > limit) return true;
  for (int k = 0; k < p.operands; ++k) {
    if (!in_loop(operands[as_index(k)].role)) continue;
    if (furthest(p.nest, k) > limit) return true;
  }
  return false;
}

bool is_single(const Plan& p, int k) {
  for (int axis = 0; axis < p.nest.ndim; ++axis)
    if (p.stride(k, axis) != 0) return false;
  return true;
}

void align_packs(Plan& p, std::span<const Operand> operands) {
  bool all = true;
  PackGrid grid{p.pack, p.nest.ndim - 1};
  for (int k = 0; k < p.operands; ++k)
    if (p.how(k) == Access::vector) all &= packs_aligned(p.nest, operands, k, grid);
  if (all) return;
  p.shifts = true;
  for (Role role : {Role::input, Role::output})
    for (int k = p.operands - 1; k >= 0; --k)  // ends at the first output, if there is one
      if (p.how(k) == Access::vector && operands[as_index(k)].role == role) p.anchor = k;
  grid.anchor = p.anchor;
  for (int k = 0; k < p.operands; ++k)
    if (p.how(k) == Access::vector && !packs_aligned(p.nest, operands, k, grid)) {
      p.access[as_index(k)] = Access::shifted;
      if (operands[as_index(k)].role == Role::input)
        p.margin = std::max(p.margin, 16 / size_of(operands[as_index(k)].dtype) - 1);
    }
}

// Rows: every operand has inner stride 0 or 1, and rows are long enough to be worth packs.
bool try_rows(Plan& p, std::span<const Operand> operands, const BodyTraits& body) {
  for (int k = 0; k < p.operands; ++k) {
    if (!in_loop(operands[as_index(k)].role)) continue;
    int64_t stride = p.stride(k, p.nest.ndim - 1);
    if (is_single(p, k))
      p.access[as_index(k)] = Access::single;
    else if (stride == 0)
      p.access[as_index(k)] = Access::repeated;
    else if (stride == 1)
      p.access[as_index(k)] = Access::vector;
    else
      return false;
  }
  p.form = Form::rows;
  p.pack = body.has_loop || !p.target->simt ? 1 : pack_size(p.access, operands);
  for (int k = 0; k < p.operands; ++k)
    if (operands[as_index(k)].role == Role::output && p.how(k) == Access::vector)
      p.pack = std::min(p.pack, 16 / size_of(operands[as_index(k)].dtype));
  if (p.nest.ndim > 1 && p.pack > 1 && p.inner() < 2 * p.pack) return false;
  if (p.pack > 1) align_packs(p, operands);
  // A row of more single elements than it has elements would be worse than none, and too many rows
  // of them would not be counted in 32 bits.
  if (p.nest.ndim > 1 && p.row_packs() > p.inner()) return false;
  return true;
}

bool lies_across(const Plan& p, int k, int axis) {
  return p.stride(k, axis) == 1 && p.stride(k, p.nest.ndim - 1) > 1;
}

// Tiled: some input has stride 1 along another axis than the inner one, and both axes are long.
void try_tiled(Plan& p, std::span<const Operand> operands) {
  constexpr int64_t long_axis = 16;
  constexpr int64_t shared_limit = 40 * 1024;
  if (p.nest.ndim < 2 || p.inner() < long_axis) return;
  for (int axis = p.nest.ndim - 2; axis >= 0 && p.tile_axis < 0; --axis)
    for (int k = 0; k < p.operands; ++k)
      if (operands[as_index(k)].role == Role::input && lies_across(p, k, axis) &&
          p.extent(axis) >= long_axis)
        p.tile_axis = axis;
  if (p.tile_axis < 0) return;
  int64_t element_bytes = 0;
  p.tile = 64;
  for (int k = 0; k < p.operands; ++k)
    if (operands[as_index(k)].role == Role::input && lies_across(p, k, p.tile_axis)) {
      int size = size_of(operands[as_index(k)].dtype);
      element_bytes += size;
      if (size > 4) p.tile = 32;
    }
  if (p.target->simt && element_bytes * p.tile * (p.tile + 1) > shared_limit) return;
  p.form = Form::tiled;
  for (int k = 0; k < p.operands; ++k)
    if (operands[as_index(k)].role == Role::input && lies_across(p, k, p.tile_axis))
      p.access[as_index(k)] = Access::transposed;
}

}  // namespace

void make_plan(Plan& p, const Target& target, std::span<const Operand> operands, const Dims& shape,
               const BodyTraits& body) {
  p.target = &target;
  p.operands = static_cast<int>(operands.size());
  p.uses_i = body.uses_i || body.uses_ind;
  p.uses_ind = body.uses_ind;
  p.size = size_of(shape);
  if (p.uses_ind) p.loop_shape = shape;
  for (int k = 0; k < p.operands; ++k) {
    p.access[as_index(k)] = Access::none;
    p.nest.data[as_index(k)] = static_cast<char*>(operands[as_index(k)].data);
  }
  take_axes(p, operands, shape);
  if (p.nest.ndim > 1) sort_axes(p.nest, operands, lies_inside);
  for (int axis = 0; axis < p.nest.ndim; ++axis) flip_axis(p.nest, operands, axis);
  join_axes(p.nest, operands);
  if (p.nest.ndim == 0) insert_axis(p.nest, operands, 0, false);  // a loop over one element
  p.wide = is_wide(p, operands);
  if (try_rows(p, operands, body)) return;
  p.form = Form::strided;
  p.pack = 1;
  p.shifts = false;
  p.margin = 0;
  p.anchor = -1;
  for (int k = 0; k < p.operands; ++k)
    if (in_loop(operands[as_index(k)].role))
      p.access[as_index(k)] = is_single(p, k) ? Access::single : Access::general;
  try_tiled(p, operands);
}

}  // namespace gpuarr
