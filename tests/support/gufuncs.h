/* Gufuncs that are made, called once and dropped. */
#ifndef GPUARR_TEST_GUFUNCS_H
#define GPUARR_TEST_GUFUNCS_H

#include "arrays.h"

static inline gpuarr_gufunc* make_in(const char* signature, const char* in, const char* out,
                                     const char* body, int32_t group, int32_t order) {
  gpuarr_gufunc* f = NULL;
  assert_ok(gpuarr_gufunc_create(&f, signature, in, out, body, group, order, NULL));
  return f;
}

static inline gpuarr_gufunc* make(const char* signature, const char* in, const char* out,
                                  const char* body) {
  return make_in(signature, in, out, body, GPUARR_GROUP_AUTO, GPUARR_ORDER_C);
}

/* Runs a gufunc of one output that it makes, and drops the gufunc. */
static inline gpuarr_array* run_once(gpuarr_gufunc* f, const gpuarr_arg* inputs, int32_t count) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_gufunc_call(f, &out, 1, inputs, count, NULL));
  gpuarr_gufunc_release(f);
  return out;
}

#endif
