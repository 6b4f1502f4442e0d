/* What most texts of expressions are about. */
#ifndef GPUARR_TEST_SCENE_H
#define GPUARR_TEST_SCENE_H

#include "exprs.h"

/* What most texts are about: two of them have the shape (2, 3), k has (3,), n and h are scalars. */
struct scene {
  gpuarr_array *x, *y, *k;
  gpuarr_arg args[5];
};
static const char* const names[] = {"x", "y", "k", "n", "h"};
enum { name_count = 5 };

static inline gpuarr_array* table(gpuarr_dtype dtype) {
  gpuarr_array *flat = ramp(dtype, 6), *out = NULL;
  assert_ok(gpuarr_array_reshape(&out, flat, 2, (const int64_t[]){2, 3}));
  gpuarr_array_release(flat);
  return out;
}

static inline struct scene scene(void) {
  struct scene s = {table(GPUARR_F32), table(GPUARR_I32), ramp(GPUARR_I32, 3), {{0}}};
  s.args[0] = gpuarr_arg_array(s.x);
  s.args[1] = gpuarr_arg_array(s.y);
  s.args[2] = gpuarr_arg_array(s.k);
  s.args[3] = gpuarr_arg_i64(2);
  s.args[4] = gpuarr_arg_f64(0.5);
  return s;
}

static inline void end(struct scene* s) { release_arrays((gpuarr_array*[]){s->x, s->y, s->k}, 3); }

#endif
