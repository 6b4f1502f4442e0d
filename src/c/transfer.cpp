// gpuarr/transfer.h: check, convert, call.
#include "gpuarr/transfer.h"

#include "array/views.hpp"
#include "c/guard.hpp"
#include "c/handles.hpp"
#include "ops/base/async_copy.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/transfer.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_array_copy(gpuarr_array** out, const gpuarr_array* array, int32_t order,
                                gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    const Array& from = deref(array, "array");
    Order wanted = order_of(order, true);
    return wrap(copy(from, from.dtype, wanted, stream_of(stream, from.device())));
  });
}

gpuarr_status gpuarr_array_contiguous(gpuarr_array** out, const gpuarr_array* array, int32_t order,
                                      gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    const Array& from = deref(array, "array");
    Order wanted = order_of(order, true);
    return wrap(contiguous(from, wanted, stream_of(stream, from.device())));
  });
}

gpuarr_status gpuarr_array_astype(gpuarr_array** out, const gpuarr_array* array, gpuarr_dtype dtype,
                                  gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    const Array& from = deref(array, "array");
    DType wanted = dtype_of(dtype);
    return wrap(copy(from, wanted, Order::k, stream_of(stream, from.device())));
  });
}

gpuarr_status gpuarr_array_assign(gpuarr_array* target, const gpuarr_array* source,
                                  gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array& to = deref(target, "target");
    const Array& from = deref(source, "source");
    Stream& work = stream_of(stream, to.device());
    assign(to, broadcast(from, to.layout.shape), work);
  });
}

gpuarr_status gpuarr_array_fill(gpuarr_array* array, gpuarr_arg value, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array& to = deref(array, "array");
    fill(to, Scalar::from(value, "value"), stream_of(stream, to.device()));
  });
}

gpuarr_status gpuarr_array_to_device(gpuarr_array** out, const gpuarr_array* array,
                                     gpuarr_device* device, gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    const Array& from = deref(array, "array");
    return wrap(to_device(from, stream_of(stream, deref(device, "device"))));
  });
}

gpuarr_status gpuarr_array_from_host(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                     int32_t ndim, const int64_t* shape, const int64_t* strides,
                                     const void* data, int64_t bytes, gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    Stream& work = stream_of(stream, deref(device, "device"));
    Dims extents = checked_shape(ndim, shape, size_of(dtype_of(dtype)));
    Array memory = user_memory(dtype_of(dtype), extents, strides, data, bytes);
    return wrap(from_memory(memory, work));
  });
}

gpuarr_status gpuarr_array_write(gpuarr_array* array, const int64_t* strides, const void* data,
                                 int64_t bytes, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array& to = deref(array, "array");
    Stream& work = stream_of(stream, to.device());
    write(to, user_memory(to.dtype, to.layout.shape, strides, data, bytes), work);
  });
}

gpuarr_status gpuarr_array_read(void* data, int64_t bytes, const int64_t* strides,
                                const gpuarr_array* array, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array& from = deref(array, "array");
    Stream& work = stream_of(stream, from.device());
    read(user_memory(from.dtype, from.layout.shape, strides, data, bytes), from, work);
  });
}

gpuarr_status gpuarr_array_write_async(gpuarr_array* array, const int64_t* strides,
                                       const void* data, int64_t bytes, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array& to = deref(array, "array");
    Stream& work = stream_of(stream, to.device());
    write_async(to, user_memory(to.dtype, to.layout.shape, strides, data, bytes), work);
  });
}

gpuarr_status gpuarr_array_read_async(void* data, int64_t bytes, const int64_t* strides,
                                      const gpuarr_array* array, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array& from = deref(array, "array");
    Stream& work = stream_of(stream, from.device());
    read_async(user_memory(from.dtype, from.layout.shape, strides, data, bytes), from, work);
  });
}
