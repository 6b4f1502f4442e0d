// Copies, conversions and fills: what a device brings precompiled first, a compiled kernel else.
#include "ops/base/copy.hpp"

#include "core/error.hpp"
#include "kernel/copy.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/copy_kernel.hpp"
#include "ops/base/transfer.hpp"

namespace gpuarr {

void check_writable(const Array& target, const char* argument) {
  if (target.read_only) fail_read_only(argument);
  if (overlaps_itself(target.layout))
    fail(GPUARR_ERR_OVERLAP,
         "an array of shape {} and strides {} has elements that share memory, so it cannot be "
         "written to; write to a copy",
         to_string(target.layout.shape), to_string(target.layout.strides));
}

void assign(const Array& target, const Array& source, Stream& stream) {
  check_writable(target, "target");
  if (target.size() == 0) return;
  if (&target.device() != &source.device()) {
    Stream& source_stream = current_stream(source.device());
    const bool by_host = target.device().has_host_memory() || source.device().has_host_memory();
    if (by_host && !source_stream.captures()) source.buffer->let_wait(source_stream);
    transfer(target, stream, source, source_stream);
  } else if (!may_overlap(target, source)) {
    convert(target, source, stream);
  } else if (target.data != source.data || target.dtype != source.dtype ||
             !(target.layout == source.layout)) {
    convert(target, copy(source, target.dtype, Order::k, stream), stream);
  }
}

Array copy(const Array& source, DType dtype, Order order, Stream& stream) {
  Dims strides =
      order == Order::k ? strides_like(source.layout) : dense_strides(source.layout.shape, order);
  Array out = Array::with_strides(stream, dtype, source.layout.shape, strides);
  convert(out, source, stream);
  return out;
}

Array contiguous(const Array& array, Order order, Stream& stream) {
  return is_contiguous(array.layout, order) ? array : copy(array, array.dtype, order, stream);
}

void fill(const Array& target, const Scalar& value, Stream& stream) {
  Scalar converted;
  converted.dtype = target.dtype;
  value.convert_to(target.dtype, converted.bytes, "value");
  check_writable(target, "array");
  if (target.size() == 0) return;
  target.buffer->used_in(stream);
  Builtin loop = loop_over(Builtin::Kind::fill, target);
  std::copy(std::begin(converted.bytes), std::end(converted.bytes), loop.value);
  if (!stream.device().run(loop, stream)) run_fill_kernel(target, converted, stream);
}

void arange(const Array& target, int64_t start, int64_t step, Stream& stream) {
  if (target.size() == 0) return;
  target.buffer->used_in(stream);
  Builtin loop = loop_over(Builtin::Kind::arange, target);
  loop.whole_numbers = true;
  loop.start_whole = start;
  loop.step_whole = step;
  if (!stream.device().run(loop, stream)) run_arange_kernel(target, start, step, stream);
}

void arange(const Array& target, double start, double step, Stream& stream) {
  if (target.size() == 0) return;
  target.buffer->used_in(stream);
  Builtin loop = loop_over(Builtin::Kind::arange, target);
  loop.start_real = start;
  loop.step_real = step;
  if (!stream.device().run(loop, stream)) run_arange_kernel(target, start, step, stream);
}

}  // namespace gpuarr
