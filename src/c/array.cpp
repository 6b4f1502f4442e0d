// gpuarr/array.h: check, convert, call.
#include "gpuarr/array.h"

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "ops/base/create.hpp"

using namespace gpuarr;

static_assert(GPUARR_MAX_NDIM == max_ndim);

namespace {

[[gnu::always_inline]] inline gpuarr_status run_full(const char* function, gpuarr_array** out,
                                                     gpuarr_device* device, gpuarr_dtype dtype,
                                                     int32_t ndim, const int64_t* shape,
                                                     int32_t order, const gpuarr_arg& value,
                                                     gpuarr_stream* stream) {
  return guard_output(function, out, [&] {
    Stream& work = stream_of(stream, deref(device, "device"));
    Dims extents = checked_shape(ndim, shape, size_of(dtype_of(dtype)));
    Scalar all = Scalar::from(value, "value");
    return wrap(full(work, dtype_of(dtype), extents, order_of(order, false), all));
  });
}

}  // namespace

gpuarr_status gpuarr_array_empty(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                 int32_t ndim, const int64_t* shape, int32_t order,
                                 gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    Stream& work = stream_of(stream, deref(device, "device"));
    Dims extents = checked_shape(ndim, shape, size_of(dtype_of(dtype)));
    return wrap(Array::empty(work, dtype_of(dtype), extents, order_of(order, false)));
  });
}

gpuarr_status gpuarr_array_zeros(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                 int32_t ndim, const int64_t* shape, int32_t order,
                                 gpuarr_stream* stream) {
  return run_full(__func__, out, device, dtype, ndim, shape, order, gpuarr_arg_i64(0), stream);
}

gpuarr_status gpuarr_array_ones(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                int32_t ndim, const int64_t* shape, int32_t order,
                                gpuarr_stream* stream) {
  return run_full(__func__, out, device, dtype, ndim, shape, order, gpuarr_arg_i64(1), stream);
}

gpuarr_status gpuarr_array_full(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                int32_t ndim, const int64_t* shape, int32_t order, gpuarr_arg value,
                                gpuarr_stream* stream) {
  return run_full(__func__, out, device, dtype, ndim, shape, order, value, stream);
}

gpuarr_status gpuarr_array_arange(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                  gpuarr_arg start, gpuarr_arg stop, gpuarr_arg step,
                                  gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    Stream& work = stream_of(stream, deref(device, "device"));
    Scalar first = Scalar::from(start, "start");
    Scalar end = Scalar::from(stop, "stop");
    return wrap(arange(work, dtype_of(dtype), first, end, Scalar::from(step, "step")));
  });
}

gpuarr_status gpuarr_array_linspace(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                    double start, double stop, int64_t count, int32_t endpoint,
                                    gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    Stream& work = stream_of(stream, deref(device, "device"));
    if (endpoint != 0 && endpoint != 1)
      fail(GPUARR_ERR_ARGUMENT, "endpoint is {}; give 1 to include stop, 0 to leave it out",
           endpoint);
    return wrap(linspace(work, dtype_of(dtype), start, stop, count, endpoint == 1));
  });
}

gpuarr_status gpuarr_array_eye(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                               int64_t rows, int64_t columns, int64_t k, int32_t order,
                               gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    Stream& work = stream_of(stream, deref(device, "device"));
    return wrap(eye(work, dtype_of(dtype), rows, columns, k, order_of(order, false)));
  });
}

gpuarr_array* gpuarr_array_retain(gpuarr_array* array) { return retain(array); }

void gpuarr_array_release(gpuarr_array* array) { release(array); }

int32_t gpuarr_array_ndim(const gpuarr_array* array) {
  return is_live(array) ? array->impl.ndim() : 0;
}

const int64_t* gpuarr_array_shape(const gpuarr_array* array) {
  return is_live(array) ? array->impl.layout.shape.data() : nullptr;
}

const int64_t* gpuarr_array_strides(const gpuarr_array* array) {
  return is_live(array) ? array->impl.layout.strides.data() : nullptr;
}

int64_t gpuarr_array_size(const gpuarr_array* array) {
  return is_live(array) ? array->impl.size() : 0;
}

gpuarr_dtype gpuarr_array_dtype(const gpuarr_array* array) {
  return is_live(array) ? static_cast<gpuarr_dtype>(array->impl.dtype) : 0;
}

gpuarr_device* gpuarr_array_device(const gpuarr_array* array) {
  return is_live(array) ? handle_of(array->impl.device()) : nullptr;
}

void* gpuarr_array_data(const gpuarr_array* array) {
  return is_live(array) ? array->impl.data : nullptr;
}

int32_t gpuarr_array_is_contiguous(const gpuarr_array* array, int32_t order) {
  if (order < GPUARR_ORDER_C || order > GPUARR_ORDER_K) return 0;
  const auto wanted = static_cast<Order>(order);
  return is_live(array) && is_contiguous(array->impl.layout, wanted) ? 1 : 0;
}
