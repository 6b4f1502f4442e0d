/* See whole.h. */
#include "whole.h"

#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "elements.h"

gpuarr_array* random_whole(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape, int64_t low,
                           int64_t high) {
  const int64_t count = elements(ndim, shape);
  void* data = calloc((size_t)(count + 1), 16);
  for (int64_t k = 0; k < count; ++k)
    put_element(data, dtype, k, (double)random_between(low, high));
  gpuarr_array* out = from(dtype, ndim, shape, data);
  free(data);
  return out;
}

struct grid random_chunks(int32_t ndim, const int64_t* shape, int64_t most) {
  struct grid grid = {.ndim = ndim};
  for (int32_t axis = 0; axis < ndim; ++axis) {
    grid.shape[axis] = shape[axis];
    grid.chunk[axis] = shape[axis] / random_between(1, most) + random_between(0, 2);
    if (grid.chunk[axis] < 1) grid.chunk[axis] = 1;
  }
  return grid;
}

void* bytes_of(const gpuarr_array* whole) {
  const int64_t bytes = gpuarr_array_size(whole) * gpuarr_dtype_size(gpuarr_array_dtype(whole));
  void* data = malloc((size_t)bytes + 1);
  assert_ok(gpuarr_array_read(data, bytes, NULL, whole, NULL));
  return data;
}

static int64_t blocked_bytes(gpuarr_blocked* blocked) {
  int64_t bytes = gpuarr_dtype_size(gpuarr_blocked_dtype(blocked));
  for (int32_t axis = 0; axis < gpuarr_blocked_ndim(blocked); ++axis)
    bytes *= gpuarr_blocked_extent(blocked, axis);
  return bytes;
}

void* bytes_of_blocked(gpuarr_blocked* blocked) {
  const int64_t bytes = blocked_bytes(blocked);
  void* data = malloc((size_t)bytes + 1);
  assert_ok(gpuarr_blocked_read(data, bytes, NULL, blocked, NULL, NULL, -1));
  return data;
}

void write_whole(gpuarr_blocked* blocked, const gpuarr_array* whole) {
  void* data = bytes_of(whole);
  assert_ok(gpuarr_blocked_write(blocked, NULL, NULL, -1, data, blocked_bytes(blocked), NULL));
  free(data);
}

gpuarr_blocked* divided(gpuarr_team* team, const struct grid* grid, const gpuarr_array* whole,
                        int replicated) {
  gpuarr_blocked* out = blocked_of(team, grid, gpuarr_array_dtype(whole), replicated);
  write_whole(out, whole);
  return out;
}

/* -0 becomes 0. */
static void drop_signs_of_zeros(void* data, gpuarr_dtype dtype, int64_t bytes) {
  if (dtype < GPUARR_F16) return;
  int64_t part = gpuarr_dtype_size(dtype); /* of a complex number */
  if (dtype == GPUARR_C64 || dtype == GPUARR_C128) part /= 2;
  for (char* p = data; p < (char*)data + bytes; p += part) {
    uint64_t bits = 0;
    memcpy(&bits, p, (size_t)part);
    if (bits == UINT64_C(1) << (8 * part - 1)) memset(p, 0, (size_t)part);
  }
}

static void assert_elements(gpuarr_blocked* blocked, const gpuarr_array* whole, int with_signs) {
  assert_int_equal(gpuarr_blocked_dtype(blocked), gpuarr_array_dtype(whole));
  assert_int_equal(gpuarr_blocked_ndim(blocked), gpuarr_array_ndim(whole));
  for (int32_t axis = 0; axis < gpuarr_array_ndim(whole); ++axis)
    assert_int_equal(gpuarr_blocked_extent(blocked, axis), gpuarr_array_shape(whole)[axis]);
  void* found = bytes_of_blocked(blocked);
  void* expected = bytes_of(whole);
  const int64_t bytes = blocked_bytes(blocked);
  if (!with_signs) drop_signs_of_zeros(found, gpuarr_array_dtype(whole), bytes);
  if (!with_signs) drop_signs_of_zeros(expected, gpuarr_array_dtype(whole), bytes);
  assert_memory_equal(found, expected, (size_t)bytes);
  free(expected);
  free(found);
}

void assert_whole(gpuarr_blocked* blocked, const gpuarr_array* whole) {
  assert_elements(blocked, whole, 1);
}

void assert_whole_values(gpuarr_blocked* blocked, const gpuarr_array* whole) {
  assert_elements(blocked, whole, 0);
}
