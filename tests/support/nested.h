/* Loops over the indices of n-dimensional arrays, the naive way. */
#ifndef GPUARR_TEST_NESTED_H
#define GPUARR_TEST_NESTED_H

#include <stdint.h>

/* Step to the next index tuple in C order; 0 after the last. Start with zeros. */
static inline int next_index(int32_t ndim, const int64_t* shape, int64_t* index) {
  for (int32_t axis = ndim - 1; axis >= 0; --axis) {
    if (++index[axis] < shape[axis]) return 1;
    index[axis] = 0;
  }
  return 0;
}

static inline int64_t offset_of(int32_t ndim, const int64_t* strides, const int64_t* index) {
  int64_t offset = 0;
  for (int32_t axis = 0; axis < ndim; ++axis) offset += index[axis] * strides[axis];
  return offset;
}

static inline int64_t count_of(int32_t ndim, const int64_t* shape) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < ndim; ++axis) count *= shape[axis];
  return count;
}

#endif
