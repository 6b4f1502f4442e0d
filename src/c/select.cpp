// gpuarr/select.h: check, convert, call.
#include "gpuarr/select.h"

#include <algorithm>

#include "c/guard.hpp"
#include "c/operation_arguments.hpp"
#include "ops/index/select.hpp"

using namespace gpuarr;

namespace {

void check_indices(gpuarr_array** indices, int32_t count, const gpuarr_array* x) {
  if (indices == nullptr) fail(GPUARR_ERR_ARGUMENT, "indices is NULL; give an entry for each axis");
  if (count <= max_ndim) std::fill_n(indices, std::max(count, 0), nullptr);
  if (const int ndim = deref(x, "x").ndim(); count != ndim)
    fail(GPUARR_ERR_ARGUMENT, "count is {}, but x has {} axes; give as many entries", count, ndim);
}

}  // namespace

gpuarr_status gpuarr_select(gpuarr_array** out, const gpuarr_array* x, const gpuarr_array* mask,
                            gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return select(deref(x, "x"), deref(mask, "mask"), given, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_select_into(gpuarr_array* out, gpuarr_array** count, const gpuarr_array* x,
                                 const gpuarr_array* mask, gpuarr_stream* stream) {
  const auto make = [&](const Array* given) {
    return select_into(deref(out, "out"), given, deref(x, "x"), deref(mask, "mask"),
                       stream_or_null(stream));
  };
  return guard_result(__func__, count, make, "*count");
}

gpuarr_status gpuarr_flatnonzero(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream) {
  return guard_output(__func__, out,
                      [&] { return wrap(flat_nonzero(deref(x, "x"), stream_or_null(stream))); });
}

gpuarr_status gpuarr_nonzero(gpuarr_array** indices, int32_t count, const gpuarr_array* x,
                             gpuarr_stream* stream) {
  return guard(__func__, [&] {
    check_indices(indices, count, x);
    hand_out(indices, nonzero(deref(x, "x"), stream_or_null(stream)));
  });
}

gpuarr_status gpuarr_place(gpuarr_array* x, const gpuarr_array* mask, gpuarr_arg values,
                           gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const OneArgument put_in(values, "values");
    place(deref(x, "x"), deref(mask, "mask"), put_in.get(), stream_or_null(stream));
  });
}
