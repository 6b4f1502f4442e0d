/* See sweep.h: elements by indices. */
#include "sweep.h"

void exercise_indices(const struct stage* s) {
  const int64_t count = 2, numbers[] = {0, 1}, shape[] = {1, 6};
  gpuarr_array *k = POISON, *along = POISON, *out[] = {NULL, NULL};
  made(gpuarr_array_from_host(&k, s->device, GPUARR_I64, 1, &count, NULL, numbers, s->stream), &k);
  made(gpuarr_array_zeros(&along, s->device, GPUARR_I32, 2, shape, GPUARR_ORDER_C, NULL), &along);
  made(gpuarr_take(&out[0], s->x, k, 1, s->stream), &out[0]);
  made(gpuarr_take_along_axis(&out[1], s->x, along, 0, NULL), &out[1]);
  ok(gpuarr_put(s->y, k, gpuarr_arg_f32(1), 0, s->stream));
  ok(gpuarr_put_add(s->y, k, gpuarr_arg_f32(1), 1, s->stream));
  ok(gpuarr_put_along_axis(s->y, along, gpuarr_arg_f32(1), 0, NULL));
  gpuarr_array_release(k);
  gpuarr_array_release(along);
  gpuarr_array_release(out[0]);
  gpuarr_array_release(out[1]);
}
