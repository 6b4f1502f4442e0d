// What binding the arguments of reductions and row kernels checks besides.
#include <algorithm>

#include "core/error.hpp"
#include "kernel/binding.hpp"
#include "kernel/overlap.hpp"

namespace gpuarr {

Binding::Binding(const Signature& signature, std::span<const Argument> inputs,
                 std::span<const Array* const> outputs, const AxisRequest& axes)
    : Binding(signature, inputs, outputs) {
  reduces_ = true;
  take_input_shape();
  take_axes(axes);
  take_layouts();
}

Binding::Binding(const Signature& signature, std::span<const Argument> inputs,
                 std::span<const Array* const> outputs, const AxisRequest& axes, int along)
    : Binding(signature, inputs, outputs) {
  reduces_ = rows_ = true;
  along_ = along;
  take_input_shape();
  take_axes(axes);
  take_layouts();
}

void Binding::take_input_shape() {
  if (!join_shapes(inputs_))
    fail(GPUARR_ERR_ARGUMENT,
         "none of the inputs is an array that is not raw; a reduction takes its shape from one");
  check_size(shape_);
}

void Binding::take_axes(const AxisRequest& request) {
  axes_.keepdims = request.keepdims;
  if (request.axes.size() > static_cast<size_t>(shape_.size()))
    fail(GPUARR_ERR_AXIS, "axis_count is {}, but there are {} axes", request.axes.size(),
         shape_.size());
  if (request.all) std::fill_n(axes_.reduced.begin(), shape_.size(), true);
  for (size_t k = 0; !request.all && k < request.axes.size(); ++k) {
    int axis = checked_axis_of(request.axes, k, shape_.size());
    bool& reduced = axes_.reduced[static_cast<size_t>(axis)];
    if (reduced)
      fail(GPUARR_ERR_AXIS, "axes[{}] is {}, which is given twice; name each axis once", k,
           request.axes[k]);
    reduced = true;
  }
  out_shape_ = results_shape(axes_.keepdims);
}

Dims Binding::results_shape(bool keepdims) const {
  Dims out;
  for (int axis = 0; axis < shape_.size(); ++axis)
    if (!axes_.reduced[static_cast<size_t>(axis)])
      out.push_back(shape_[axis]);
    else if (keepdims)
      out.push_back(1);
  return out;
}

void Binding::require_apart() const {
  int count = static_cast<int>(count_);
  for (int out = inputs_; out < count; ++out)
    for (int other = 0; other < out; ++other) {
      if (array(out) == nullptr || array(other) == nullptr || parameter(other).raw) continue;
      if (may_overlap(*array(out), *array(other)))
        fail(GPUARR_ERR_OVERLAP, "{} shares memory with {}; give it memory of its own", label(out),
             label(other));
    }
}

}  // namespace gpuarr
