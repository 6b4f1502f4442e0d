#include "codegen/row/plan.hpp"

#include <algorithm>

#include "codegen/reduction/host/cut.hpp"
#include "codegen/row/room.hpp"

namespace gpuarr {
namespace {

void count_elements(RowPlan& p, const Dims& shape, const ReducedAxes& axes,
                    const RowTraits& traits) {
  const bool used[] = {traits.uses_i, traits.uses_j, false, false};
  for (size_t c = 0; c < 4; ++c) {
    p.nest.counters[c].used = used[c];
    p.nest.counters[c].start = 0;
  }
  p.rows = 1;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (!axes.reduced[as_index(axis)]) p.rows *= shape[axis];
}

int64_t output_stride(const Layout& layout, const Dims& shape, const ReducedAxes& axes, int axis) {
  if (layout.ndim() == shape.size()) return layout.shape[axis] == 1 ? 0 : layout.strides[axis];
  if (axes.reduced[as_index(axis)]) return 0;
  int own = 0;
  for (int a = 0; a < axis; ++a) own += axes.reduced[as_index(a)] ? 0 : 1;
  return layout.strides[own];
}

// Takes over the axes that have more than one index.
void take_axes(RowPlan& p, std::span<const Operand> operands, const Dims& shape,
               const ReducedAxes& axes) {
  Nest& nest = p.nest;
  nest.ndim = 0;
  int64_t element = size_of(shape);
  int64_t in_row = element / p.rows;
  for (int axis = 0; axis < shape.size(); ++axis) {
    const bool reduced = axes.reduced[as_index(axis)];
    if (shape[axis] == 1) continue;
    const size_t to = as_index(nest.ndim++);
    nest.shape[to] = shape[axis];
    nest.reduced[to] = reduced;
    element /= shape[axis];
    if (reduced) in_row /= shape[axis];
    nest.counters[0].strides[to] = element;
    nest.counters[1].strides[to] = reduced ? in_row : 0;
    for (size_t k = 0; k < operands.size(); ++k)
      if (operands[k].role == Role::input)
        nest.strides[k][to] = broadcast_stride(*operands[k].layout, shape, axis);
      else if (operands[k].role == Role::output)
        nest.strides[k][to] = output_stride(*operands[k].layout, shape, axes, axis);
      else
        nest.strides[k][to] = 0;
  }
}

// Kept axes first; among those of a kind the inputs decide, then the outputs.
bool lies_inside(const Nest& nest, std::span<const Operand> operands, int a, int b) {
  if (nest.reduced[as_index(a)] != nest.reduced[as_index(b)]) return nest.reduced[as_index(a)];
  int order = compare_steps(nest, operands, Role::input, a, b);
  if (order == 0) order = compare_steps(nest, operands, Role::output, a, b);
  return order != 0 ? order > 0 : a > b;
}

// Whether the reduced axes are one.
bool arrange_axes(RowPlan& p, std::span<const Operand> operands) {
  Nest& nest = p.nest;
  sort_axes(nest, operands, lies_inside);
  for (int axis = 0; axis < nest.ndim; ++axis) flip_axis(nest, operands, axis);
  join_axes(nest, operands);
  if (nest.ndim == 0 || nest.reduced[0]) insert_axis(nest, operands, 0, false);
  if (!nest.reduced[as_index(nest.ndim - 1)]) insert_axis(nest, operands, nest.ndim, true);
  return !nest.reduced[as_index(nest.ndim - 2)];
}

Access access_of(const RowPlan& p, const Operand& o, int k, bool along) {
  if (!in_loop(o.role)) return Access::none;
  const int64_t stride = p.nest.stride(k, p.variant.inner());
  if (!along || (o.role == Role::input && (stride == 0 || p.row_length() == 1)))
    return Access::repeated;
  if (p.row_length() > 1 && stride != 1) return Access::general;
  bool moves = o.role == Role::output || p.rows == 1;
  for (int axis = 0; axis < p.variant.inner(); ++axis) moves |= p.nest.stride(k, axis) != 0;
  return moves ? Access::vector : Access::common;
}

// The CPU reads what all rows have alike as it reads a row. What no stage reads is no matter.
void take_accesses(RowPlan& p, std::span<const Operand> operands, const RowTraits& traits) {
  int outputs = 0;
  for (int k = 0; k < p.variant.operands.size(); ++k) {
    const Operand& o = operands[as_index(k)];
    const bool along = o.role != Role::output || outputs++ < traits.outputs_along;
    Access& access = p.variant.operands[k].access;
    access = access_of(p, o, k, along);
    if (access == Access::common && !p.variant.simt) access = Access::vector;
    if (o.role == Role::input && access != Access::repeated && traits.last[as_index(k)] < 0)
      access = Access::none;
  }
}

// Whether packs that are aligned in the first of the operands are so in all.
bool shares_grid(const RowPlan& p, std::span<const Operand> operands, int pack) {
  const RowVariant& v = p.variant;
  const PackGrid grid{pack, v.inner(), v.anchor()};
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.how(k) == Access::vector && !packs_aligned(p.nest, operands, k, grid)) return false;
  return true;
}

// Packs that are aligned in every operand, and of which rows are made.
void choose_pack(RowPlan& p, std::span<const Operand> operands) {
  RowVariant& v = p.variant;
  const auto fits = [&](int pack) {
    if (p.row_length() % pack != 0) return false;
    for (int k = 0; k < v.operands.size(); ++k)
      if ((v.how(k) == Access::vector || v.how(k) == Access::common) &&
          !packs_aligned(p.nest, operands, k, PackGrid{pack, v.inner()}))
        return false;
    return true;
  };
  int pack = v.has(Access::general) ? 1 : pack_size({v.operands.begin(), v.operands.end()});
  while (pack > 1 && !fits(pack)) pack /= 2;
  v.pack = pack;
}

// Rows that are no whole packs of more than 4 bytes, and too long for registers: what is copied to
// shared memory are aligned packs, of which the first begins before the row.
void shift_packs(RowPlan& p, std::span<const Operand> operands, const RowTraits& traits) {
  RowVariant& v = p.variant;
  if (!has_small_packs(v) || v.has(Access::general) || fits_registers(p, traits)) return;
  const int most = pack_size({v.operands.begin(), v.operands.end()});
  if (v.pack == most || !shares_grid(p, operands, most)) return;
  v.ends = RowEnds::shifted;
  v.pack = most;
}

// A few rows of which a processor has no second one would leave most processors idle, where kernels
// for each pass use all.
bool is_narrow(const RowPlan& p, const RowDevice& device) {
  return p.variant.blocks > 1 && 2 * p.slot_bytes > device.shared_bytes &&
         p.rows * p.variant.blocks < device.processors;
}

}  // namespace

const char* make_row_plan(RowPlan& p, const Target& target, const RowDevice& device,
                          std::span<const Operand> operands, const Dims& shape,
                          const ReducedAxes& axes, const RowTraits& traits) {
  RowVariant& v = p.variant;
  p.target = &target;
  v.simt = target.simt;
  v.uses_i = traits.uses_i;
  v.uses_j = traits.uses_j;
  v.operands.take(operands);
  for (size_t k = 0; k < operands.size(); ++k)
    p.nest.data[k] = static_cast<char*>(operands[k].data);
  count_elements(p, shape, axes, traits);
  take_axes(p, operands, shape, axes);
  if (!arrange_axes(p, operands)) return "its reduced axes are not one";
  v.ndim = p.nest.ndim;
  take_accesses(p, operands, traits);
  if (!target.simt) {
    v.form = RowForm::cached;
    place_on_stack(p, traits);
    return nullptr;
  }
  if (p.row_length() > INT32_MAX) return "its rows are too long";
  v.many = p.rows > INT32_MAX;
  choose_pack(p, operands);
  const int pack = v.pack;
  shift_packs(p, operands, traits);
  if (choose_form(p, device, traits)) return nullptr;
  v.ends = RowEnds::whole;
  v.pack = pack;
  return choose_form(p, device, traits) ? nullptr : "its rows do not fit a processor";
}

bool row_fits(const Target& target, const RowDevice& device, std::span<const Operand> operands,
              const Dims& shape, const ReducedAxes& axes, const RowTraits& traits) {
  RowPlan p;
  if (make_row_plan(p, target, device, operands, shape, axes, traits) != nullptr) return false;
  if (p.variant.has(Access::general)) return false;
  if (target.simt) return !is_narrow(p, device);
  // A row has one thread, where a reduction of a long one has several.
  return p.row_length() <= host_task || p.rows >= device.processors;
}

}  // namespace gpuarr
