/* See sweep.h: sorting, and what follows from it. */
#include "sweep.h"

void exercise_sort(const struct stage* s) {
  gpuarr_array *all[6], *row = NULL;
  const int64_t many = 17000; /* ranks are found by several blocks, and not by sorting */
  for (int i = 0; i < 6; ++i) all[i] = NULL;
  made(gpuarr_array_empty(&row, s->device, GPUARR_F32, 1, &many, GPUARR_ORDER_C, NULL), &row);
  made(gpuarr_sort(&all[0], s->x, 1, 0, s->stream), &all[0]);
  made(gpuarr_argsort(&all[1], s->x, 1, 0, s->stream), &all[1]);
  made(gpuarr_partition(&all[2], row, 2, 0, NULL), &all[2]);
  made(gpuarr_topk(&all[3], NULL, s->x, 2, 1, 0, s->stream), &all[3]);
  made(gpuarr_topk(NULL, &all[4], row, 2, 0, 0, s->stream), &all[4]);
  for (int i = 0; i < 6; ++i) gpuarr_array_release(all[i]);
  gpuarr_array_release(row);
}
