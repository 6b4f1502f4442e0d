// gpuarr/index.h: check, convert, call.
#include "gpuarr/index.h"

#include "c/guard.hpp"
#include "c/operation_arguments.hpp"
#include "ops/index/index.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_take(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* indices,
                          int32_t axis, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return take(given, deref(x, "x"), deref(indices, "indices"), axis, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_take_along_axis(gpuarr_array** out, const gpuarr_array* x,
                                     const gpuarr_array* indices, int32_t axis,
                                     gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return take_along_axis(given, deref(x, "x"), deref(indices, "indices"), axis,
                           stream_or_null(stream));
  });
}

gpuarr_status gpuarr_put(gpuarr_array* x, const gpuarr_array* indices, gpuarr_arg values,
                         int32_t axis, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const OneArgument put_in(values, "values");
    put(deref(x, "x"), deref(indices, "indices"), put_in.get(), axis, false,
        stream_or_null(stream));
  });
}

gpuarr_status gpuarr_put_add(gpuarr_array* x, const gpuarr_array* indices, gpuarr_arg values,
                             int32_t axis, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const OneArgument added(values, "values");
    put(deref(x, "x"), deref(indices, "indices"), added.get(), axis, true, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_put_along_axis(gpuarr_array* x, const gpuarr_array* indices, gpuarr_arg values,
                                    int32_t axis, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const OneArgument put_in(values, "values");
    put_along_axis(deref(x, "x"), deref(indices, "indices"), put_in.get(), axis,
                   stream_or_null(stream));
  });
}
