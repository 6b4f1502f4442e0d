// gpuarr/view.h: check, convert, call.
#include "gpuarr/view.h"

#include "array/views.hpp"
#include "c/guard.hpp"
#include "c/handles.hpp"

using namespace gpuarr;

static_assert(GPUARR_NONE == left_out);

gpuarr_status gpuarr_array_slice(gpuarr_array** out, const gpuarr_array* array, int32_t axis,
                                 int64_t start, int64_t stop, int64_t step) {
  return guard_output(__func__, out,
                      [&] { return wrap(slice(deref(array, "array"), axis, start, stop, step)); });
}

gpuarr_status gpuarr_array_select(gpuarr_array** out, const gpuarr_array* array, int32_t axis,
                                  int64_t index) {
  return guard_output(__func__, out,
                      [&] { return wrap(select(deref(array, "array"), axis, index)); });
}

gpuarr_status gpuarr_array_transpose(gpuarr_array** out, const gpuarr_array* array, int32_t count,
                                     const int32_t* axes) {
  return guard_output(__func__, out, [&] {
    const Array& from = deref(array, "array");
    auto order = checked_axes(count, axes);
    return wrap(axes == nullptr ? reverse_axes(from) : transpose(from, order));
  });
}

gpuarr_status gpuarr_array_reshape(gpuarr_array** out, const gpuarr_array* array, int32_t ndim,
                                   const int64_t* shape) {
  return guard_output(__func__, out,
                      [&] { return wrap(reshape(deref(array, "array"), ndim, shape)); });
}

gpuarr_status gpuarr_array_broadcast(gpuarr_array** out, const gpuarr_array* array, int32_t ndim,
                                     const int64_t* shape) {
  return guard_output(__func__, out, [&] {
    const Array& from = deref(array, "array");
    return wrap(broadcast(from, checked_shape(ndim, shape, from.itemsize())));
  });
}

gpuarr_status gpuarr_array_squeeze(gpuarr_array** out, const gpuarr_array* array, int32_t count,
                                   const int32_t* axes) {
  return guard_output(__func__, out, [&] {
    const Array& from = deref(array, "array");
    auto gone = checked_axes(count, axes);
    return wrap(axes == nullptr ? squeeze(from) : squeeze(from, gone));
  });
}

gpuarr_status gpuarr_array_expand(gpuarr_array** out, const gpuarr_array* array, int32_t axis) {
  return guard_output(__func__, out, [&] { return wrap(expand(deref(array, "array"), axis)); });
}

gpuarr_status gpuarr_array_diagonal(gpuarr_array** out, const gpuarr_array* array, int64_t offset,
                                    int32_t axis1, int32_t axis2) {
  return guard_output(__func__, out,
                      [&] { return wrap(diagonal(deref(array, "array"), offset, axis1, axis2)); });
}
