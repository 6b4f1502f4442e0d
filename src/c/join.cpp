// gpuarr/join.h: check, convert, call.
#include "gpuarr/join.h"

#include "c/guard.hpp"
#include "c/operation_arguments.hpp"
#include "ops/index/join.hpp"

using namespace gpuarr;

namespace {

std::vector<const Array*> arrays_of(const gpuarr_array* const* arrays, int32_t count) {
  if (count < 0) fail(GPUARR_ERR_ARGUMENT, "count is {}; it must be 0 or more", count);
  if (count > 0 && arrays == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "arrays is NULL, but count is {}; give {} arrays", count, count);
  std::vector<const Array*> out;
  out.reserve(static_cast<size_t>(count));
  for (int32_t k = 0; k < count; ++k) out.push_back(&deref_item(arrays[k], "arrays", k));
  return out;
}

// Sets the outputs to NULL, however many there will be.
void clear(gpuarr_array** outs, int64_t count) {
  if (outs == nullptr && count > 0)
    fail(GPUARR_ERR_ARGUMENT, "outs is NULL; give the address of {} variables", count);
  for (int64_t k = 0; k < count; ++k) outs[k] = nullptr;
}

bool swaps_axes(int32_t indexing) {
  if (indexing != GPUARR_INDEXING_XY && indexing != GPUARR_INDEXING_IJ)
    fail(GPUARR_ERR_ARGUMENT, "indexing is {}; give GPUARR_INDEXING_XY or GPUARR_INDEXING_IJ",
         indexing);
  return indexing == GPUARR_INDEXING_XY;
}

}  // namespace

gpuarr_status gpuarr_concatenate(gpuarr_array** out, const gpuarr_array* const* arrays,
                                 int32_t count, int32_t axis, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return concatenate(given, arrays_of(arrays, count), axis, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_stack(gpuarr_array** out, const gpuarr_array* const* arrays, int32_t count,
                           int32_t axis, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return stack_arrays(given, arrays_of(arrays, count), axis, stream_or_null(stream));
  });
}

gpuarr_status gpuarr_split(gpuarr_array** outs, int32_t sections, const gpuarr_array* array,
                           int32_t axis) {
  return guard(__func__, [&] {
    clear(outs, sections);
    hand_out(outs, split(deref(array, "array"), sections, axis));
  });
}

gpuarr_status gpuarr_split_at(gpuarr_array** outs, int32_t count, const int64_t* indices,
                              const gpuarr_array* array, int32_t axis) {
  return guard(__func__, [&] {
    clear(outs, count < 0 ? 0 : int64_t{count} + 1);
    const auto starts = checked_list(count, indices, "indices");
    hand_out(outs, split_at(deref(array, "array"), starts, axis));
  });
}

gpuarr_status gpuarr_broadcast_arrays(gpuarr_array** outs, const gpuarr_array* const* arrays,
                                      int32_t count) {
  return guard(__func__, [&] {
    clear(outs, count);
    hand_out(outs, broadcast_arrays(arrays_of(arrays, count)));
  });
}

gpuarr_status gpuarr_meshgrid(gpuarr_array** outs, const gpuarr_array* const* arrays, int32_t count,
                              int32_t indexing) {
  return guard(__func__, [&] {
    if (count > GPUARR_MAX_NDIM)
      fail(GPUARR_ERR_SHAPE, "count is {}, but no array has more than {} axes", count,
           int{GPUARR_MAX_NDIM});
    clear(outs, count);
    hand_out(outs, meshgrid(arrays_of(arrays, count), swaps_axes(indexing)));
  });
}
