// gpuarr/sort.h: check, convert, call.
#include "gpuarr/sort.h"

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "ops/sort.hpp"

using namespace gpuarr;

namespace {

bool checked_flag(int32_t value, const char* argument) {
  if (value != 0 && value != 1) fail(GPUARR_ERR_ARGUMENT, "{} is {}; give 1 or 0", argument, value);
  return value == 1;
}

const Array* given_in(gpuarr_array** out) {
  if (out == nullptr) fail(GPUARR_ERR_ARGUMENT, "out is NULL; give the address of a variable");
  return deref_or_null(*out, "*out");
}

void hand_out(gpuarr_array** out, std::optional<Array> made) {
  if (made) *out = wrap(std::move(*made));
}

Wanted wanted_in(gpuarr_array** out, const char* argument) {
  if (out == nullptr) return {};
  return {true, deref_or_null(*out, argument)};
}

}  // namespace

gpuarr_status gpuarr_sort(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                          int32_t descending, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array* given = given_in(out);
    const Array& from = deref(x, "x");
    const bool down = checked_flag(descending, "descending");
    hand_out(out, sort(given, from, axis, down, stream_of(stream, from.device())));
  });
}

gpuarr_status gpuarr_argsort(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                             int32_t descending, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array* given = given_in(out);
    const Array& from = deref(x, "x");
    const bool down = checked_flag(descending, "descending");
    hand_out(out, argsort(given, from, axis, down, stream_of(stream, from.device())));
  });
}

gpuarr_status gpuarr_partition(gpuarr_array** out, const gpuarr_array* x, int64_t kth, int32_t axis,
                               gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const Array* given = given_in(out);
    const Array& from = deref(x, "x");
    hand_out(out, partition(given, from, kth, axis, stream_of(stream, from.device())));
  });
}

gpuarr_status gpuarr_topk(gpuarr_array** values, gpuarr_array** indices, const gpuarr_array* x,
                          int64_t k, int32_t axis, int32_t largest, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    Wanted found = wanted_in(values, "*values"), places = wanted_in(indices, "*indices");
    const Array& from = deref(x, "x");
    const bool most = checked_flag(largest, "largest");
    topk(found, places, from, k, axis, most, stream_of(stream, from.device()));
    hand_out(values, std::move(found.made));
    hand_out(indices, std::move(places.made));
  });
}
