// Borders around an array: the elements first, then axis by axis what lies before and after them,
// taken from what is there by then.
#include "array/views.hpp"
#include "core/error.hpp"
#include "gpuarr/rearrange.h"
#include "kernel/copy.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/memory_order.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/result.hpp"
#include "ops/index/index.hpp"
#include "ops/index/rearrange.hpp"
#include "ops/kernels_text.hpp"

namespace gpuarr {
namespace {

Elementwise& border_kernel() {
  static Elementwise* const kernel = own_kernel(
      "pad_index", "int64 first, int64 extent, int32 mode", "int64 k", kernel_parts::pad_index,
      formatted("enum {{ edge = {}, reflect = {}, symmetric = {} }};\n", int{GPUARR_PAD_EDGE},
                int{GPUARR_PAD_REFLECT}, int{GPUARR_PAD_SYMMETRIC}));
  return *kernel;
}

int64_t width(std::span<const int64_t> widths, const char* name, int axis) {
  const int64_t value = widths[static_cast<size_t>(axis)];
  if (value < 0) fail(GPUARR_ERR_ARGUMENT, "{}[{}] is {}; give 0 or more", name, axis, value);
  return value;
}

Dims padded_shape(const Array& x, const Padding& padding) {
  Dims shape = x.layout.shape;
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const int64_t before = width(padding.before, "before", axis);
    const int64_t after = width(padding.after, "after", axis);
    if (padding.mode != GPUARR_PAD_CONSTANT && shape[axis] == 0 && (before > 0 || after > 0))
      fail(GPUARR_ERR_SHAPE,
           "axis {} has no elements to pad it from; use GPUARR_PAD_CONSTANT, or widths of 0", axis);
    if (__builtin_add_overflow(shape[axis], before, &shape[axis]) ||
        __builtin_add_overflow(shape[axis], after, &shape[axis]))
      fail(GPUARR_ERR_SHAPE, "axis {} would have more than 2^63 - 1 indices", axis);
  }
  return checked_shape(shape.size(), shape.data(), x.itemsize());
}

// The indices along an axis that stand for `count` ones of its border.
Array border_indices(int64_t first, int64_t count, int64_t extent, int32_t mode, Stream& stream) {
  Array k = Array::empty(stream, DType::i64, Dims{count});
  run_own(border_kernel(), {first, extent, mode}, {&k}, stream);
  return k;
}

class Padder {
 public:
  Padder(const Array& to, const Array& x, const Padding& padding, Stream& stream)
      : to_(to), shape_(x.layout.shape), padding_(padding), stream_(stream) {
    if (to.size() == 0) return;
    convert(inside(to_, 0), x, stream);
    for (int axis = 0; axis < x.ndim(); ++axis) {
      const int64_t before = width(padding.before, "before", axis);
      const int64_t after = width(padding.after, "after", axis);
      border(axis, 0, before);
      border(axis, before + shape_[axis], after);
    }
  }

 private:
  // The elements of x, and along the axes before `first` also their borders.
  Array inside(Array view, int first) const {
    for (int axis = first; axis < view.ndim(); ++axis) {
      const int64_t before = padding_.before[static_cast<size_t>(axis)];
      view = slice(view, axis, before, before + shape_[axis], 1);
    }
    return view;
  }

  void border(int axis, int64_t start, int64_t count) const {
    if (count == 0) return;
    const Array into = inside(slice(to_, axis, start, start + count, 1), axis + 1);
    if (into.size() == 0) return;
    if (padding_.mode == GPUARR_PAD_CONSTANT) return fill(into, *padding_.value, stream_);
    const int64_t first = start - padding_.before[static_cast<size_t>(axis)];
    const Array k = border_indices(first, count, shape_[axis], padding_.mode, stream_);
    take_into(into, inside(to_, axis), k, axis, stream_);
  }

  const Array& to_;
  const Dims shape_;
  const Padding& padding_;
  Stream& stream_;
};

}  // namespace

std::optional<Array> pad(const Array* out, const Array& x, const Padding& padding, Stream* given) {
  if (padding.mode < GPUARR_PAD_CONSTANT || padding.mode > GPUARR_PAD_WRAP)
    fail(GPUARR_ERR_ARGUMENT, "mode is {}; give one of GPUARR_PAD_CONSTANT to GPUARR_PAD_WRAP",
         padding.mode);
  unsigned char unused[16];
  if (padding.mode == GPUARR_PAD_CONSTANT) padding.value->convert_to(x.dtype, unused, "value");
  const Dims shape = padded_shape(x, padding);
  Stream& stream = stream_for(given, x.device());
  Result result(out, {x.dtype, shape, strides_following(x.layout, shape)}, stream);
  const Array* inputs[] = {&x};
  result.fill(inputs, stream, [&](const Array& to) { Padder(to, x, padding, stream); });
  return result.take();
}

}  // namespace gpuarr
