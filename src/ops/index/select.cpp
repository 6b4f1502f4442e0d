#include "ops/index/select.hpp"

#include <algorithm>

#include "backends.hpp"
#include "core/error.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/algorithms.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/result.hpp"
#include "ops/base/transfer.hpp"
#include "ops/index/select_job.hpp"

namespace gpuarr {
namespace {

// A mask with elements.
void run(SelectJob& job, Stream& stream) {
  job.variant.mask = mask_alike(job.mask.dtype);
  SelectParameters& p = job.parameters;
  p.mask = job.mask.data;
  p.from = job.from ? job.from->data : nullptr;
  p.to = job.to.data;
  p.n = job.mask.size();
  p.count = job.count ? static_cast<int64_t*>(job.count->data) : nullptr;
  job.mask.buffer->used_in(stream);
  job.to.buffer->used_in(stream);
  if (job.from) job.from->buffer->used_in(stream);
  if (job.count) job.count->buffer->used_in(stream);
  algorithms_of(stream.device()).select(job, stream);
}

void check_mask(const Array& x, const Array& mask) {
  if (mask.dtype != DType::boolean)
    fail(GPUARR_ERR_DTYPE, "mask is {}; give bool, such as a comparison makes", name(mask.dtype));
  if (!(mask.layout.shape == x.layout.shape))
    fail(GPUARR_ERR_SHAPE, "mask has shape {}, but x has {}; give one for each element",
         to_string(mask.layout.shape), to_string(x.layout.shape));
  check_device(mask, "mask", x.device());
}

void check_may_wait(Stream& stream, const char* instead) {
  if (stream.captures() || stream.is_capturing())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured, but the call waits for the number of selected elements; {}",
         instead);
}

// Never more than there may be: a device that lost its work has anything there.
int64_t value_of(const Array& count, int64_t most, Stream& stream) {
  return std::clamp<int64_t>(number_in<int64_t>(count, stream), 0, most);
}

Array front(const Array& x, int64_t count) { return x.view({Dims{count}, Dims{1}}); }

// Memory of which less than half is used would be held for nothing.
Array fitted(const Array& all, int64_t count, Stream& stream) {
  const Array chosen = front(all, count);
  return 2 * count >= all.size() ? chosen : copy(chosen, chosen.dtype, Order::c, stream);
}

constexpr const char* into_instead = "capture gpuarr_select_into, which does not wait";

// In C order, apart from what will be written.
Array readable(const Array& x, const Array& written, Stream& stream) {
  return may_overlap(x, written) ? copy(x, x.dtype, Order::c, stream)
                                 : contiguous(x, Order::c, stream);
}

void place_scalar(const Array& x, const Array& mask, const Scalar& value, Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("place", "bool mask, T value", "T x", "if (mask) x = value");
  Scalar converted;
  converted.dtype = x.dtype;
  value.convert_to(x.dtype, converted.bytes, "values");
  run_own(*kernel, {mask, converted}, {&x}, stream);
}

void place_array(const Array& x, const Array& mask, const Array& values, Stream& stream) {
  check_device(values, "values", x.device());
  if (values.size() == 0)
    fail(GPUARR_ERR_SHAPE, "values has shape {} and no elements; give at least one",
         to_string(values.layout.shape));
  SelectJob job;
  job.variant.selection = Selection::spread;
  job.variant.bytes = x.itemsize();
  job.to = contiguous(x, Order::c, stream);
  job.mask = readable(mask, x, stream);
  job.from = values.dtype == x.dtype ? readable(values, x, stream)
                                     : copy(values, x.dtype, Order::c, stream);
  job.parameters.room = values.size();
  run(job, stream);
  if (job.to.data != x.data) assign(x, job.to, stream);
}

}  // namespace

std::optional<Array> select(const Array& x, const Array& mask, const Array* out, Stream* given) {
  Stream& stream = stream_for(given, x.device());
  check_mask(x, mask);
  check_may_wait(stream, into_instead);
  int64_t count = 0;
  Array all = Array::empty(stream, x.dtype, Dims{x.size()});
  if (x.size() > 0) {
    const auto made = select_into(all, nullptr, x, mask, &stream);
    count = value_of(*made, all.size(), stream);
  }
  if (out == nullptr) return fitted(all, count, stream);
  if (!(out->layout.shape == Dims{count}) || out->dtype != x.dtype)
    fail(out->dtype != x.dtype ? GPUARR_ERR_DTYPE : GPUARR_ERR_SHAPE,
         "out is {} of shape {}, but {} of shape ({},) are chosen; give such an array",
         name(out->dtype), to_string(out->layout.shape), name(x.dtype), count);
  assign(*out, front(all, count), stream);
  return std::nullopt;
}

std::optional<Array> select_into(const Array& out, const Array* count, const Array& x,
                                 const Array& mask, Stream* given) {
  Stream& stream = stream_for(given, x.device());
  check_mask(x, mask);
  check_device(out, "out", x.device());
  check_writable(out, "out");
  if (out.dtype != x.dtype || out.ndim() != 1 || !is_contiguous(out.layout, Order::c))
    fail(GPUARR_ERR_SHAPE,
         "out is {} of shape {} and strides {}; give {} with one axis and no gaps", name(out.dtype),
         to_string(out.layout.shape), to_string(out.layout.strides), name(x.dtype));
  if (count != nullptr) {
    check_device(*count, "count", x.device());
    check_writable(*count, "count");
    if (count->dtype != DType::i64 || count->size() != 1)
      fail(GPUARR_ERR_DTYPE, "count is {} of shape {}; give one int64", name(count->dtype),
           to_string(count->layout.shape));
  }
  std::optional<Array> made;
  if (count == nullptr) made = Array::empty(stream, DType::i64, Dims{});
  const Array& number = count != nullptr ? *count : *made;
  if (x.size() == 0) {
    fill(number, Scalar::of(int64_t{0}), stream);
    return made;
  }
  SelectJob job;
  job.variant.bytes = x.itemsize();
  job.mask = readable(mask, out, stream);
  job.from = readable(x, out, stream);
  job.to = out;
  job.count = number;
  job.parameters.room = out.size();
  run(job, stream);
  return made;
}

Array flat_nonzero(const Array& x, Stream* given) {
  Stream& stream = stream_for(given, x.device());
  check_may_wait(stream, "find them before the capture");
  Array all = Array::empty(stream, DType::i64, Dims{x.size()});
  if (x.size() == 0) return all;
  SelectJob job;
  job.variant.selection = Selection::indices;
  job.mask = contiguous(x, Order::c, stream);
  job.to = all;
  job.count = Array::empty(stream, DType::i64, Dims{});
  job.parameters.room = x.size();
  run(job, stream);
  return fitted(all, value_of(*job.count, all.size(), stream), stream);
}

std::vector<Array> nonzero(const Array& x, Stream* given) {
  static Elementwise* const kernel = own_kernel("nonzero", "int64 flat, int64 inner, int64 extent",
                                                "int64 index", "index = flat / inner % extent");
  if (x.ndim() == 0)
    fail(GPUARR_ERR_SHAPE, "x has no axes; give an array that has, or ask whether it is 0");
  Stream& stream = stream_for(given, x.device());
  const Array flat = flat_nonzero(x, &stream);
  if (x.ndim() == 1) return {flat};
  std::vector<Array> result;
  int64_t inner = std::max<int64_t>(1, x.size());
  for (int axis = 0; axis < x.ndim(); ++axis) {
    const int64_t extent = std::max<int64_t>(1, x.layout.shape[axis]);
    inner = std::max<int64_t>(1, inner / extent);
    auto made = run_own(*kernel, {flat, inner, extent}, {nullptr}, stream);
    result.push_back(std::move(made[0].second));
  }
  return result;
}

void place(const Array& x, const Array& mask, const Argument& values, Stream* given) {
  Stream& stream = stream_for(given, x.device());
  check_mask(x, mask);
  check_writable(x, "x");
  if (x.size() == 0) return;
  if (values.array != nullptr)
    place_array(x, mask, *values.array, stream);
  else
    place_scalar(x, mask, *values.scalar, stream);
}

}  // namespace gpuarr
