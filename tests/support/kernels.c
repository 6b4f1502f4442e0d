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

gpuarr_reduction* make_reduction(const struct reduction_texts* t) {
  gpuarr_kernel_options* options = NULL;
  gpuarr_reduction* kernel = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  if (t->preamble != NULL) assert_ok(gpuarr_kernel_options_set_preamble(options, t->preamble));
  if (t->reduce_type != NULL)
    assert_ok(gpuarr_kernel_options_set_reduce_type(options, t->reduce_type));
  if (t->option != NULL) assert_ok(gpuarr_kernel_options_add(options, t->option));
  assert_ok(gpuarr_kernel_options_set_commutative(options, !t->ordered));
  assert_ok(gpuarr_reduction_create(&kernel, t->in, t->out, t->map, t->reduce, t->post, t->identity,
                                    options));
  gpuarr_kernel_options_release(options);
  return kernel;
}

gpuarr_reduction* make_fold(const char* reduce, const char* identity) {
  gpuarr_reduction* kernel = NULL;
  assert_ok(gpuarr_reduction_create(&kernel, "T x", "T y", "x", reduce, "y = a", identity, NULL));
  return kernel;
}

gpuarr_array* reduce_all(gpuarr_reduction* kernel, const gpuarr_arg* inputs, int32_t count) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_reduction_call(kernel, &out, 1, inputs, count, NULL, GPUARR_ALL_AXES, 0, NULL));
  return out;
}

gpuarr_array* reduce_along(gpuarr_reduction* kernel, const gpuarr_arg* inputs, int32_t count,
                           int32_t axis) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_reduction_call(kernel, &out, 1, inputs, count, &axis, 1, 0, NULL));
  return out;
}
