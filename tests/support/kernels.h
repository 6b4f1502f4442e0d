/* Kernels made, and called on what makes one output, in one line each. */
#ifndef GPUARR_TEST_KERNELS_H
#define GPUARR_TEST_KERNELS_H

#include "support.h"

gpuarr_elementwise* make_elementwise(const char* in, const char* out, const char* body);

/* Runs a kernel of one output that it makes. */
gpuarr_array* run_elementwise(gpuarr_elementwise* kernel, const gpuarr_arg* inputs, int32_t count);

/* All that a reduction is made of; NULL where something is not set. */
struct reduction_texts {
  const char *in, *out, *map, *reduce, *post, *identity;
  const char *preamble, *reduce_type, *option;
  int ordered; /* the operator is not commutative */
};
gpuarr_reduction* make_reduction(const struct reduction_texts* texts);

/* "T x" to "T y" by an operator, "a + b" for one. */
gpuarr_reduction* make_fold(const char* reduce, const char* identity);

/* Runs a reduction of one output that it makes, along all axes or along one. */
gpuarr_array* reduce_all(gpuarr_reduction* kernel, const gpuarr_arg* inputs, int32_t count);
gpuarr_array* reduce_along(gpuarr_reduction* kernel, const gpuarr_arg* inputs, int32_t count,
                           int32_t axis);

#endif
