/* See sweep.h: elements by indices, and arrays made of others. */
#include "sweep.h"

void exercise_indices(const struct stage* s) {
  const int64_t count = 2, numbers[] = {0, 1}, shape[] = {1, 6};
  gpuarr_array *k = POISON, *along = POISON, *out[] = {NULL, NULL};
  made(gpuarr_array_from_host(&k, s->device, GPUARR_I64, 1, &count, NULL, numbers, sizeof numbers,
                              s->stream),
       &k);
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

static void exercise_views(const struct stage* s) {
  const int32_t axis = 0;
  const int64_t at = 2;
  const gpuarr_array* both[] = {s->x, s->y};
  gpuarr_array *halves[] = {POISON, POISON}, *parts[] = {POISON, POISON};
  gpuarr_array *shaped[] = {POISON, POISON}, *grid[] = {POISON, POISON};
  gpuarr_array *flipped = POISON, *turned = POISON, *lines[] = {POISON, POISON};
  made(gpuarr_split(halves, 2, s->x, 1), &halves[1]);
  made(gpuarr_split_at(parts, 1, &at, s->x, 1), &parts[1]);
  made(gpuarr_broadcast_arrays(shaped, both, 2), &shaped[1]);
  made(gpuarr_array_select(&lines[0], s->x, 0, 0), &lines[0]);
  made(gpuarr_array_select(&lines[1], s->x, 1, 0), &lines[1]);
  made(gpuarr_meshgrid(grid, (const gpuarr_array* const*)lines, 2, GPUARR_INDEXING_XY), &grid[1]);
  made(gpuarr_flip(&flipped, s->x, 1, &axis), &flipped);
  made(gpuarr_rot90(&turned, s->x, 1, 0, 1), &turned);
  for (int k = 0; k < 2; ++k) {
    gpuarr_array_release(halves[k]);
    gpuarr_array_release(parts[k]);
    gpuarr_array_release(shaped[k]);
    gpuarr_array_release(grid[k]);
    gpuarr_array_release(lines[k]);
  }
  gpuarr_array_release(flipped);
  gpuarr_array_release(turned);
}

void exercise_moving(const struct stage* s) {
  exercise_views(s);
  const gpuarr_array* both[] = {s->x, s->y};
  const int64_t two = 2, one_each[] = {1, 1}, counts[] = {1, 0, 2, 1};
  const int32_t axis = 1;
  gpuarr_array *out[10] = {NULL}, *k = POISON, *line = POISON;
  made(gpuarr_concatenate(&out[0], both, 2, 0, s->stream), &out[0]);
  made(gpuarr_stack(&out[1], both, 2, 0, NULL), &out[1]);
  made(gpuarr_tile(&out[2], s->x, 1, &two, s->stream), &out[2]);
  made(gpuarr_repeat(&out[3], s->x, 2, 0, s->stream), &out[3]);
  const int64_t four = 4;
  made(gpuarr_array_from_host(&k, s->device, GPUARR_I64, 1, &four, NULL, counts, sizeof counts,
                              s->stream),
       &k);
  made(gpuarr_repeat_each(&out[4], s->x, k, 0, s->stream), &out[4]);
  made(gpuarr_roll(&out[5], s->x, 1, &two, &axis, s->stream), &out[5]);
  made(gpuarr_pad(&out[6], s->x, one_each, one_each, GPUARR_PAD_WRAP, gpuarr_arg_f32(0), s->stream),
       &out[6]);
  made(gpuarr_triu(&out[7], s->x, 1, s->stream), &out[7]);
  made(gpuarr_tril(&out[8], s->x, 1, s->stream), &out[8]);
  made(gpuarr_array_select(&line, s->x, 0, 0), &line);
  made(gpuarr_diag(&out[9], line, 1, s->stream), &out[9]);
  gpuarr_array* lower = POISON;
  made(gpuarr_tri(&lower, s->device, GPUARR_F32, 3, 4, 0, GPUARR_ORDER_F, s->stream), &lower);
  for (int n = 0; n < 10; ++n) gpuarr_array_release(out[n]);
  gpuarr_array_release(k);
  gpuarr_array_release(line);
  gpuarr_array_release(lower);
}
