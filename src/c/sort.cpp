// gpuarr/sort.h: check, convert, call.
#include "gpuarr/sort.h"

#include "c/guard.hpp"
#include "c/operation_arguments.hpp"
#include "c/results.hpp"
#include "ops/sort/sort.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_sort(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                          int32_t descending, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    const Array& from = deref(x, "x");
    const bool down = checked_flag(descending, "descending");
    return sort(given, from, axis, down, stream_of(stream, from.device()));
  });
}

gpuarr_status gpuarr_argsort(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                             int32_t descending, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    const Array& from = deref(x, "x");
    const bool down = checked_flag(descending, "descending");
    return argsort(given, from, axis, down, stream_of(stream, from.device()));
  });
}

gpuarr_status gpuarr_partition(gpuarr_array** out, const gpuarr_array* x, int64_t kth, int32_t axis,
                               gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    const Array& from = deref(x, "x");
    return partition(given, from, kth, axis, stream_of(stream, from.device()));
  });
}

gpuarr_status gpuarr_topk(gpuarr_array** values, gpuarr_array** indices, const gpuarr_array* x,
                          int64_t k, int32_t axis, int32_t largest, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    ResultSlot found = nullable_slot(values, "*values"),
               places = nullable_slot(indices, "*indices");
    const Array& from = deref(x, "x");
    const bool most = checked_flag(largest, "largest");
    topk(found, places, from, k, axis, most, stream_of(stream, from.device()));
    hand_out_all({&found, &places});
  });
}
