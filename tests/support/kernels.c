/* See kernels.h. */
#include "kernels.h"

gpuarr_elementwise* make_elementwise(const char* in, const char* out, const char* body) {
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, in, out, body, NULL));
  return kernel;
}

gpuarr_array* run_elementwise(gpuarr_elementwise* kernel, const gpuarr_arg* inputs, int32_t count) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_elementwise_call(kernel, &out, 1, inputs, count, GPUARR_NO_SIZE, NULL));
  return out;
}
