// gpuarr/linalg.h: check, convert, call.
#include "gpuarr/linalg.h"

#include "c/kernel_handles.hpp"
#include "c/operation_arguments.hpp"
#include "linalg/norms.hpp"
#include "linalg/products/einsum.hpp"
#include "linalg/products/matmul.hpp"
#include "linalg/products/products.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_matmul(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* y,
                            int32_t flags, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return matmul(given, deref(x, "x"), deref(y, "y"), flags, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_vdot(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* y,
                          gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return vdot(given, deref(x, "x"), deref(y, "y"), stream_or_null(stream));
  });
}

gpuarr_status gpuarr_inner(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* y,
                           int32_t flags, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return inner(given, deref(x, "x"), deref(y, "y"), flags, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_outer(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* y,
                           gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return outer(given, deref(x, "x"), deref(y, "y"), stream_or_null(stream));
  });
}

gpuarr_status gpuarr_kron(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* y,
                          gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return kron(given, deref(x, "x"), deref(y, "y"), stream_or_null(stream));
  });
}

gpuarr_status gpuarr_tensordot(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* y,
                               const int32_t* x_axes, const int32_t* y_axes, int32_t axis_count,
                               int32_t flags, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return tensordot(given, deref(x, "x"), deref(y, "y"), x_axes, y_axes, axis_count, flags,
                     stream_or_null(stream));
  });
}

gpuarr_status gpuarr_einsum(gpuarr_array** out, const char* subscripts, const gpuarr_array* x,
                            const gpuarr_array* y, int32_t flags, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return einsum(given, checked_text(subscripts, "subscripts"), deref(x, "x"),
                  deref_or_null(y, "y"), flags, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_matrix_power(gpuarr_array** out, const gpuarr_array* x, int64_t n,
                                  int32_t flags, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return matrix_power(given, deref(x, "x"), n, flags, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_trace(gpuarr_array** out, const gpuarr_array* x, int64_t offset, int32_t axis1,
                           int32_t axis2, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return trace(given, deref(x, "x"), offset, axis1, axis2, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_matrix_norm(gpuarr_array** out, const gpuarr_array* x, int32_t ord,
                                 int32_t keepdims, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return matrix_norm(given, deref(x, "x"), ord, keepdims, stream_or_null(stream));
  });
}
