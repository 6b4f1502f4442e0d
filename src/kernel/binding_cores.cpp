// What binding the arguments of a gufunc checks besides: which axes are a core's, and their sizes.
#include <algorithm>

#include "core/error.hpp"
#include "kernel/binding.hpp"

namespace gpuarr {

Binding::Binding(const Signature& signature, std::span<const Argument> inputs,
                 std::span<const Array* const> outputs, const CoreSignature& cores, CoreAxes& axes)
    : Binding(signature, inputs, outputs) {
  cores_ = &cores;
  core_axes_ = &axes;
  axes.operands.resize(count_);
  take_missing();
  take_core_shapes();
  join_shapes(static_cast<int>(count_));
  check_size(shape_);
  out_shape_ = shape_;
  take_core_layouts();
}

int Binding::core_axes(int k) const {
  int count = 0;
  for (const int dim : cores_->cores[as_index(k)]) count += !core_axes_->missing[as_index(dim)];
  return count;
}

// As NumPy does: an array with too few axes lacks its first optional dimensions, and then so do all
// others.
void Binding::take_missing() {
  for (int k = 0; k < static_cast<int>(count_); ++k) {
    if (array(k) == nullptr && is_output(k)) continue;
    const int own = array(k) != nullptr ? array(k)->ndim() : 0;
    for (const int dim : cores_->cores[as_index(k)]) {
      if (own >= core_axes(k)) break;
      if (cores_->dims[as_index(dim)].optional) core_axes_->missing[as_index(dim)] = true;
    }
    if (own >= core_axes(k)) {
      if (array(k) != nullptr || cores_->cores[as_index(k)].empty()) continue;
      fail(GPUARR_ERR_SHAPE, "{} is a scalar, but its core is {}; give an array", label(k),
           cores_->core_text(k));
    }
    fail(GPUARR_ERR_SHAPE, "{} {}, but its core {} takes {} ax{}s", label(k),
         array(k) == nullptr ? "is a scalar" : "has shape " + to_string(array(k)->layout.shape),
         cores_->core_text(k), core_axes(k), core_axes(k) == 1 ? "i" : "e");
  }
}

// Sets the axes of an array's core apart.
void Binding::split(int k) {
  const Layout& layout = array(k)->layout;
  CoreAxes::Operand& axes = core_axes_->operands[as_index(k)];
  const int core = core_axes(k);
  const int outer = layout.ndim() - core;
  axes = {};
  for (int axis = 0; axis < outer; ++axis)
    axes.outer.add_axis_of(layout, cores_->order == Order::c ? axis : layout.ndim() - 1 - axis);
  int axis = cores_->order == Order::c ? outer : 0;
  for (const int dim : cores_->cores[as_index(k)]) {
    const bool missing = core_axes_->missing[as_index(dim)];
    axes.strides.push_back(missing ? 0 : layout.strides[axis]);
    if (!missing) take_size(k, dim, layout.shape[axis++]);
  }
}

void Binding::take_size(int k, int dim, int64_t extent) {
  int64_t& size = core_axes_->sizes[as_index(dim)];
  if (size < 0) size = extent;
  if (size == extent) return;
  const CoreDim& d = cores_->dims[as_index(dim)];
  if (d.fixed >= 0)
    fail(GPUARR_ERR_SHAPE, "{} has shape {}, with {} where its core {} says {}", label(k),
         to_string(array(k)->layout.shape), extent, cores_->core_text(k), d.fixed);
  int other = 0;  // which said what the size is
  while (array(other) == nullptr || std::ranges::find(cores_->cores[as_index(other)], dim) ==
                                        cores_->cores[as_index(other)].end())
    ++other;
  fail(GPUARR_ERR_SHAPE, "{} has shape {}, so {} of its core {} is {}, but {} of {} is {}",
       label(k), to_string(array(k)->layout.shape), d.name, cores_->core_text(k), extent, d.name,
       other == k ? "the same core" : label(other), size);
}

void Binding::take_core_shapes() {
  for (size_t dim = 0; dim < cores_->dims.size(); ++dim)
    core_axes_->sizes[dim] = core_axes_->missing[dim] ? 1 : cores_->dims[dim].fixed;
  for (int k = 0; k < static_cast<int>(count_); ++k)
    if (array(k) != nullptr) split(k);
  for (int k = inputs_; k < static_cast<int>(count_); ++k)
    for (const int dim : cores_->cores[as_index(k)])
      if (core_axes_->sizes[as_index(dim)] < 0)
        fail(GPUARR_ERR_SHAPE,
             "{} has the core {}, and no array tells the size of {}; give that output", label(k),
             cores_->core_text(k), cores_->dims[as_index(dim)].name);
}

void Binding::take_core_layouts() {
  for (int k = 0; k < static_cast<int>(count_); ++k) {
    if (array(k) == nullptr) continue;
    operands_[as_index(k)].data = array(k)->data;
    operands_[as_index(k)].layout = &loop_layout(k);
    if (!is_output(k)) continue;
    if (array(k)->read_only) [[unlikely]]
      fail_read_only(label(k));
    if (loop_layout(k).shape != shape_)
      fail(GPUARR_ERR_SHAPE, "{} has outer shape {}, but the loop's shape is {}", label(k),
           to_string(loop_layout(k).shape), to_string(shape_));
    require_own_elements(k);
  }
}

// The core's elements lie together, and the outer axes in the memory order of the inputs.
Layout Binding::layout_of_new(int k) const {
  const bool c_order = cores_->order == Order::c;
  Dims core;
  for (const int dim : cores_->cores[as_index(k)])
    if (!core_axes_->missing[as_index(dim)]) core.push_back(core_axes_->sizes[as_index(dim)]);
  if (core.size() + shape_.size() > max_ndim)
    fail(GPUARR_ERR_SHAPE,
         "{} would have {} axes: {} of the loop and {} of its core {}; at most {}", label(k),
         core.size() + shape_.size(), shape_.size(), core.size(), cores_->core_text(k), max_ndim);
  Dims whole = shape_;
  for (const int64_t size : core) whole.push_back(size);
  checked_bytes(whole, size_of(operands_[as_index(k)].dtype));
  const Dims steps = dense_strides(core, cores_->order);
  const Dims outer = strides_of_new(true);
  const int64_t elements = std::max<int64_t>(1, size_of(core));
  Layout out;
  for (int axis = 0; !c_order && axis < core.size(); ++axis) out.add_axis(core[axis], steps[axis]);
  for (int axis = 0; axis < shape_.size(); ++axis) {
    const int from = c_order ? axis : shape_.size() - 1 - axis;
    out.add_axis(shape_[from], outer[from] * elements);
  }
  for (int axis = 0; c_order && axis < core.size(); ++axis) out.add_axis(core[axis], steps[axis]);
  return out;
}

}  // namespace gpuarr
