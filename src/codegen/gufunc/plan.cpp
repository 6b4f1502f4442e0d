#include "codegen/gufunc/plan.hpp"

#include <algorithm>
#include <bit>

#include "codegen/gufunc/staging.hpp"

namespace gpuarr {
namespace {

constexpr int64_t most_for_a_thread = 64;
constexpr int64_t least_for_a_block = 1024;

void take_axes(Nest& nest, std::span<const Operand> operands, const Dims& shape) {
  nest.ndim = 0;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    nest.shape[as_index(nest.ndim)] = shape[axis];
    nest.reduced[as_index(nest.ndim)] = false;
    for (size_t k = 0; k < operands.size(); ++k)
      if (in_loop(operands[k].role))
        nest.strides[k][as_index(nest.ndim)] = broadcast_stride(*operands[k].layout, shape, axis);
    ++nest.ndim;
  }
}

bool is_wide(const GufuncPlan& p) {
  constexpr int64_t limit = int64_t{1} << 30;
  if (p.size > limit) return true;
  for (int k = 0; k < p.variant.operands.size(); ++k)
    if (in_loop(p.variant.operands[k].role) && furthest(p.nest, k) > limit) return true;
  return false;
}

// Whether a core's elements lie one after another in the signature's order.
bool lies_together(const CoreSignature& cores, const CoreAxes& axes, int k) {
  const auto& dims = cores.cores[as_index(k)];
  const Dims& strides = axes.operands[as_index(k)].strides;
  const int count = static_cast<int>(dims.size());
  int64_t step = 1;
  for (int n = 0; n < count; ++n) {
    const int axis = cores.order == Order::c ? count - 1 - n : n;
    const int64_t size = axes.sizes[as_index(dims[as_index(axis)])];
    if (size != 1 && strides[axis] != step) return false;
    step *= size;
  }
  return true;
}

// Sizes that the signature leaves open become constants where the whole core is a thread's: loops
// over it can be unrolled, and it can live in registers.
void take_constants(GufuncPlan& p, const CoreSignature& cores, const CoreAxes& axes) {
  if (p.variant.group != Group::thread || p.largest > most_for_a_thread) return;
  for (size_t dim = 0; dim < cores.dims.size(); ++dim)
    if (axes.sizes[dim] >= 0 && axes.sizes[dim] <= most_for_a_thread)
      p.variant.constants[dim] = 1 + axes.sizes[dim];
}

// Large cores may be few, so that each has to keep a processor busy by itself.
int warps_for(const GufuncPlan& p) {
  constexpr int64_t elements = 1024;  // for a warp, where there are more than 8
  if (p.variant.group != Group::block || p.largest <= 8 * elements) return 8;
  return p.largest <= 16 * elements ? 16 : 32;
}

// Compilers rearrange what they load or store of so many neighbours, if they know how many. Of five
// or nine they load each by itself, and for that must not know.
bool rearranges(int64_t elements) {
  return elements == 3 || std::has_single_bit(static_cast<uint64_t>(elements));
}

Access inner_access(const GufuncPlan& p, int k, int64_t elements) {
  const int64_t stride = p.nest.stride(k, p.nest.ndim - 1);
  if (stride == 0) return Access::repeated;
  if (stride == 1) return Access::vector;
  const bool packed = p.variant.operands[k].contiguous && stride == elements;
  return packed && p.largest <= most_for_a_thread && rearranges(elements) ? Access::packed
                                                                          : Access::general;
}

}  // namespace

Group group_for(int64_t largest) {
  if (largest <= most_for_a_thread) return Group::thread;
  return largest < least_for_a_block ? Group::warp : Group::block;
}

void make_plan(GufuncPlan& p, const Target& target, std::span<const Operand> operands,
               const Dims& shape, const CoreSignature& cores, const CoreAxes& axes,
               const Touched& touched) {
  GufuncVariant& v = p.variant;
  v.simt = target.simt;
  v.operands.take(operands);
  p.size = size_of(shape);
  for (size_t k = 0; k < operands.size(); ++k)
    p.nest.data[k] = static_cast<char*>(operands[k].data);
  take_axes(p.nest, operands, shape);
  if (p.nest.ndim > 1) sort_axes(p.nest, operands, outputs_decide);
  join_axes(p.nest, operands);
  if (p.nest.ndim == 0) insert_axis(p.nest, operands, 0, false);  // one place
  v.ndim = p.nest.ndim;
  v.wide = v.simt && is_wide(p);
  v.warps = warps_for(p);
  take_constants(p, cores, axes);
  for (int k = 0; k < v.operands.size(); ++k) {
    if (!in_loop(v.operands[k].role)) continue;
    v.operands[k].contiguous = lies_together(cores, axes, k);
    v.operands[k].access = v.simt || v.group != Group::thread
                               ? Access::general
                               : inner_access(p, k, axes.elements(cores, k));
  }
  if (v.simt && v.group == Group::thread) stage_cores(p, cores, axes, touched);
}

}  // namespace gpuarr
