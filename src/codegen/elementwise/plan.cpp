#include "codegen/elementwise/plan.hpp"

#include <algorithm>

namespace gpuarr {
namespace {

// Takes over the loop's axes, without those of one index. i is walked like an operand with the
// strides of C order.
void take_axes(Plan& p, std::span<const Operand> operands, const Dims& shape) {
  const LoopVariant& v = p.variant;
  const Dims c_strides = dense_strides(shape, Order::c);
  Nest& nest = p.nest;
  nest.counters[0].used = v.uses_i;
  nest.ndim = 0;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    nest.shape[as_index(nest.ndim)] = shape[axis];
    nest.reduced[as_index(nest.ndim)] = false;
    nest.counters[0].strides[as_index(nest.ndim)] = c_strides[axis];
    for (int k = 0; k < v.operands.size(); ++k)
      if (in_loop(v.operands[k].role))
        nest.strides[as_index(k)][as_index(nest.ndim)] =
            broadcast_stride(*operands[as_index(k)].layout, shape, axis);
    ++nest.ndim;
  }
}

// Indices fit 31 bits when the loop's size and every operand's furthest element do. Packs and
// single elements of short rows may be half as many again as the elements, hence the distance.
bool is_wide(const Plan& p) {
  const LoopVariant& v = p.variant;
  constexpr int64_t limit = int64_t{1} << 30;
  if (p.size > limit) return true;
  for (int k = 0; k < v.operands.size(); ++k)
    if (in_loop(v.operands[k].role) && furthest(p.nest, k) > limit) return true;
  return false;
}

bool is_single(const Plan& p, int k) {
  for (int axis = 0; axis < p.nest.ndim; ++axis)
    if (p.stride(k, axis) != 0) return false;
  return true;
}

void align_packs(Plan& p, std::span<const Operand> operands) {
  LoopVariant& v = p.variant;
  bool all = true;
  PackGrid grid{v.pack, p.nest.ndim - 1};
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.how(k) == Access::vector) all &= packs_aligned(p.nest, operands, k, grid);
  if (all) return;
  v.shifts = true;
  for (Role role : {Role::input, Role::output})
    for (int k = v.operands.size() - 1; k >= 0; --k)  // ends at the first output, if there is one
      if (v.how(k) == Access::vector && v.operands[k].role == role) v.anchor = k;
  grid.anchor = v.anchor;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.how(k) == Access::vector && !packs_aligned(p.nest, operands, k, grid)) {
      v.operands[k].access = Access::shifted;
      if (v.operands[k].role == Role::input)
        v.margin = std::max<int>(v.margin, 16 / size_of(v.operands[k].dtype) - 1);
    }
}

// Rows: every operand has inner stride 0 or 1, and rows are long enough to be worth packs.
bool try_rows(Plan& p, std::span<const Operand> operands, const BodyTraits& body) {
  LoopVariant& v = p.variant;
  for (int k = 0; k < v.operands.size(); ++k) {
    if (!in_loop(v.operands[k].role)) continue;
    int64_t stride = p.stride(k, p.nest.ndim - 1);
    if (is_single(p, k))
      v.operands[k].access = Access::single;
    else if (stride == 0)
      v.operands[k].access = Access::repeated;
    else if (stride == 1)
      v.operands[k].access = Access::vector;
    else
      return false;
  }
  v.form = Form::rows;
  v.pack = body.has_loop || !v.simt ? 1 : pack_size(v.operands);
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::output && v.how(k) == Access::vector)
      v.pack = std::min<int>(v.pack, 16 / size_of(v.operands[k].dtype));
  if (p.nest.ndim > 1 && v.pack > 1 && p.inner() < 2 * v.pack) return false;
  if (v.pack > 1) align_packs(p, operands);
  // A row of more single elements than it has elements would be worse than none, and too many rows
  // of them would not be counted in 32 bits.
  return p.nest.ndim == 1 || p.row_packs() <= p.inner();
}

bool lies_across(const Plan& p, int k, int axis) {
  return p.stride(k, axis) == 1 && p.stride(k, p.nest.ndim - 1) > 1;
}

// Tiled: some input has stride 1 along another axis than the inner one, and both axes are long.
void try_tiled(Plan& p) {
  constexpr int64_t long_axis = 16;
  constexpr int64_t shared_limit = 40 * 1024;
  LoopVariant& v = p.variant;
  if (p.nest.ndim < 2 || p.inner() < long_axis) return;
  auto across = [&](int k, int axis) {
    return v.operands[k].role == Role::input && lies_across(p, k, axis);
  };
  int tile_axis = -1;
  for (int axis = p.nest.ndim - 2; axis >= 0 && tile_axis < 0; --axis)
    for (int k = 0; k < v.operands.size(); ++k)
      if (across(k, axis) && p.extent(axis) >= long_axis) tile_axis = axis;
  if (tile_axis < 0) return;
  int64_t element_bytes = 0;
  int tile = 64;
  for (int k = 0; k < v.operands.size(); ++k)
    if (across(k, tile_axis)) {
      int size = size_of(v.operands[k].dtype);
      element_bytes += size;
      if (size > 4) tile = 32;
    }
  if (v.simt && element_bytes * tile * (tile + 1) > shared_limit) return;
  v.form = Form::tiled;
  v.tile_axis = tile_axis;
  v.tile = tile;
  for (int k = 0; k < v.operands.size(); ++k)
    if (across(k, tile_axis)) v.operands[k].access = Access::transposed;
}

}  // namespace

void make_plan(Plan& p, const Target& target, std::span<const Operand> operands, const Dims& shape,
               const BodyTraits& body) {
  LoopVariant& v = p.variant;
  v.simt = target.simt;
  v.operands.take(operands);
  v.uses_i = body.uses_i || body.uses_ind;
  v.uses_ind = body.uses_ind;
  p.size = size_of(shape);
  if (v.uses_ind) {
    p.loop_shape = shape;
    v.loop_ndim = shape.size();
  }
  for (size_t k = 0; k < operands.size(); ++k)
    p.nest.data[k] = static_cast<char*>(operands[k].data);
  take_axes(p, operands, shape);
  if (p.nest.ndim > 1) sort_axes(p.nest, operands, outputs_decide);
  for (int axis = 0; axis < p.nest.ndim; ++axis) flip_axis(p.nest, operands, axis);
  join_axes(p.nest, operands);
  if (p.nest.ndim == 0) insert_axis(p.nest, operands, 0, false);  // a loop over one element
  v.ndim = p.nest.ndim;
  v.wide = v.simt && is_wide(p);
  if (try_rows(p, operands, body)) return;
  v.form = Form::strided;
  v.pack = 1;
  v.shifts = false;
  v.margin = 0;
  v.anchor = 0;
  for (int k = 0; k < v.operands.size(); ++k)
    if (in_loop(v.operands[k].role))
      v.operands[k].access = is_single(p, k) ? Access::single : Access::general;
  try_tiled(p);
}

}  // namespace gpuarr
