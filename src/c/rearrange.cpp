// gpuarr/rearrange.h: check, convert, call.
#include "gpuarr/rearrange.h"

#include "array/views.hpp"
#include "c/guard.hpp"
#include "c/operation_arguments.hpp"
#include "ops/index/rearrange.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_tile(gpuarr_array** out, const gpuarr_array* x, int32_t count,
                          const int64_t* times, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    const auto each = checked_list(count, times, "times");
    return tile(given, deref(x, "x"), each, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_repeat(gpuarr_array** out, const gpuarr_array* x, int64_t count, int32_t axis,
                            gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return repeat(given, deref(x, "x"), count, axis, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_repeat_each(gpuarr_array** out, const gpuarr_array* x,
                                 const gpuarr_array* counts, int32_t axis, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    const Array& each = deref(counts, "counts");
    return repeat_each(given, deref(x, "x"), each, axis, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_roll(gpuarr_array** out, const gpuarr_array* x, int32_t count,
                          const int64_t* shifts, const int32_t* axes, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    if (count > max_ndim)
      fail(GPUARR_ERR_AXIS,
           "count is {}, but no array has more than {} axes; combine the shifts of each axis",
           count, max_ndim);
    const auto by = checked_list(count, shifts, "shifts");
    const auto along = checked_axes(count, axes);
    return roll(given, deref(x, "x"), by, along, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_flip(gpuarr_array** out, const gpuarr_array* array, int32_t count,
                          const int32_t* axes) {
  return guard_output(__func__, out, [&] {
    const Array& from = deref(array, "array");
    auto turned = checked_axes(count, axes);
    return wrap(axes == nullptr ? flip(from) : flip(from, turned));
  });
}

gpuarr_status gpuarr_rot90(gpuarr_array** out, const gpuarr_array* array, int32_t turns,
                           int32_t axis1, int32_t axis2) {
  return guard_output(__func__, out,
                      [&] { return wrap(rotate(deref(array, "array"), turns, axis1, axis2)); });
}

gpuarr_status gpuarr_pad(gpuarr_array** out, const gpuarr_array* x, const int64_t* before,
                         const int64_t* after, int32_t mode, gpuarr_arg value,
                         gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    const Array& from = deref(x, "x");
    const bool constant = mode == GPUARR_PAD_CONSTANT;
    const Scalar filler = constant ? Scalar::from(value, "value") : Scalar{};
    const Padding padding = {checked_list(from.ndim(), before, "before"),
                             checked_list(from.ndim(), after, "after"), mode, &filler};
    return pad(given, from, padding, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_tri(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                         int64_t rows, int64_t columns, int64_t k, int32_t order,
                         gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    Stream& work = stream_of(stream, deref(device, "device"));
    return wrap(tri(work, dtype_of(dtype), rows, columns, k, order_of(order, false)));
  });
}

gpuarr_status gpuarr_triu(gpuarr_array** out, const gpuarr_array* x, int64_t k,
                          gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return triangle(given, deref(x, "x"), k, true, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_tril(gpuarr_array** out, const gpuarr_array* x, int64_t k,
                          gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return triangle(given, deref(x, "x"), k, false, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_diag(gpuarr_array** out, const gpuarr_array* x, int64_t k,
                          gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return diag(given, deref(x, "x"), k, stream_or_null(stream));
  });
}
