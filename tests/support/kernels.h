/* Kernels made, and called on what makes one output, in one line each. */
#ifndef GPUARR_TEST_KERNELS_H
#define GPUARR_TEST_KERNELS_H

#include "support.h"

gpuarr_elementwise* make_elementwise(const char* in, const char* out, const char* body);

/* Runs a kernel of one output that it makes. */
gpuarr_array* run_elementwise(gpuarr_elementwise* kernel, const gpuarr_arg* inputs, int32_t count);

#endif
