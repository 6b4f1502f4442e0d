/* See sweep.h: what follows from the order of elements. */
#include "sweep.h"

void exercise_order(const struct stage* s) {
  gpuarr_array *all[14], *whole = NULL, *row = NULL, *ranked = NULL;
  for (int i = 0; i < 14; ++i) all[i] = NULL;
  const double q[] = {0.25, 0.75}, range[] = {0, 3};
  const int64_t count = 24, many = 2100; /* medians are found by a block, and not by sorting */
  made(gpuarr_array_zeros(&whole, s->device, GPUARR_U8, 1, &count, 0, NULL), &whole);
  made(gpuarr_array_empty(&ranked, s->device, GPUARR_F32, 1, &many, GPUARR_ORDER_C, NULL), &ranked);
  made(gpuarr_array_select(&row, s->x, 0, 0), &row);
  ok(gpuarr_unique(&all[0], &all[1], &all[2], &all[3], s->x, s->stream));
  made(gpuarr_searchsorted(&all[4], row, s->x, 1, NULL), &all[4]);
  ok(gpuarr_histogram(&all[5], &all[6], s->x, 4, NULL, s->stream));
  ok(gpuarr_histogram(&all[5], NULL, s->x, 4, range, s->stream));
  made(gpuarr_histogram_between(&all[7], s->x, row, s->stream), &all[7]);
  made(gpuarr_bincount(&all[8], whole, NULL, 3, NULL), &all[8]);
  made(gpuarr_bincount(&all[9], whole, whole, 0, s->stream), &all[9]);
  made(gpuarr_median(&all[10], ranked, 0, NULL), &all[10]);
  made(gpuarr_nanmedian(&all[11], s->x, 1, NULL), &all[11]);
  made(gpuarr_quantile(&all[12], ranked, q, 2, 0, GPUARR_QUANTILE_LINEAR, s->stream), &all[12]);
  made(gpuarr_nanquantile(&all[13], s->x, q, 2, 1, GPUARR_QUANTILE_LOWER, NULL), &all[13]);
  for (int i = 0; i < 14; ++i) gpuarr_array_release(all[i]);
  gpuarr_array_release(row);
  gpuarr_array_release(ranked);
  gpuarr_array_release(whole);
}
