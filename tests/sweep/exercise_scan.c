/* See sweep.h: scans and selections. */
#include "sweep.h"

typedef gpuarr_status scan_fn(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                              int32_t exclusive, gpuarr_stream* stream);

static void exercise_own_scan(const struct stage* s) {
  gpuarr_scan* scan = POISON;
  const char* source = POISON;
  gpuarr_array* out[] = {NULL};
  const gpuarr_arg input = gpuarr_arg_array(s->x);
  made(gpuarr_scan_create(&scan, "T x", "T y", "x", "a + b", "y = a", "0", NULL), &scan);
  made(gpuarr_scan_call(scan, out, 1, &input, 1, 1, 1, s->stream), &out[0]);
  made(gpuarr_scan_source(&source, scan, out, 1, &input, 1, 1, 0), &source);
  check(gpuarr_scan_retain(scan) == scan, "retained");
  gpuarr_scan_release(scan);
  gpuarr_scan_release(scan);
  gpuarr_array_release(out[0]);
}

static void exercise_selection(const struct stage* s) {
  gpuarr_array *mask = POISON, *out = NULL, *flat = POISON, *count = NULL, *into = POISON;
  gpuarr_array* indices[] = {POISON, POISON};
  made(gpuarr_array_astype(&mask, s->x, GPUARR_BOOL, s->stream), &mask);
  made(gpuarr_array_empty(&into, s->device, GPUARR_F32, 1, (int64_t[]){24}, GPUARR_ORDER_C, NULL),
       &into);
  made(gpuarr_select(&out, s->x, mask, s->stream), &out);
  made(gpuarr_select_into(into, &count, s->x, mask, s->stream), &count);
  made(gpuarr_flatnonzero(&flat, s->x, s->stream), &flat);
  made(gpuarr_nonzero(indices, 2, s->x, s->stream), &indices[0]);
  ok(gpuarr_place(s->y, mask, gpuarr_arg_array(s->x), s->stream));
  gpuarr_array* const all[] = {mask, out, flat, count, into, indices[0], indices[1]};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) gpuarr_array_release(all[k]);
}

void exercise_scans(const struct stage* s) {
  scan_fn* const scans[] = {gpuarr_cumsum, gpuarr_cumprod, gpuarr_cummin, gpuarr_cummax};
  for (size_t k = 0; k < sizeof scans / sizeof *scans; ++k) {
    gpuarr_array* out = NULL;
    made(scans[k](&out, s->x, (int32_t)k % 2, 0, s->stream), &out);
    gpuarr_array_release(out);
  }
  gpuarr_array* out = NULL;
  made(gpuarr_diff(&out, s->x, 2, 1, s->stream), &out);
  gpuarr_array_release(out);
  exercise_own_scan(s);
  exercise_selection(s);
}
