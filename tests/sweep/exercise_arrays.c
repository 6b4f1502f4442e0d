/* See sweep.h: arrays, views, transfers and files. */
#include <string.h>

#include "sweep.h"

static const int64_t shape[] = {4, 6};

static void read_facts(const struct stage* s, const gpuarr_array* a) {
  if (a == NULL) return;
  check(gpuarr_array_ndim(a) == 2 && gpuarr_array_size(a) == 24, "the shape is what it was");
  check(gpuarr_array_shape(a)[1] == 6 && gpuarr_array_strides(a)[1] == 1, "in C order");
  check(gpuarr_array_dtype(a) == GPUARR_F32, "the dtype is what it was");
  check(gpuarr_array_device(a) == s->device && gpuarr_array_data(a) != NULL, "it has memory");
  check(gpuarr_array_is_contiguous(a, GPUARR_ORDER_C), "and no holes");
}

static void exercise_views(const gpuarr_array* a) {
  gpuarr_array* views[8];
  for (int i = 0; i < 8; ++i) views[i] = POISON;
  const int64_t other[] = {6, 4}, more[] = {3, 4, 6}, one[] = {1, 24};
  made(gpuarr_array_slice(&views[0], a, 1, 0, 6, 2), &views[0]);
  made(gpuarr_array_select(&views[1], a, 0, 1), &views[1]);
  made(gpuarr_array_transpose(&views[2], a, 0, NULL), &views[2]);
  made(gpuarr_array_reshape(&views[3], a, 2, one), &views[3]);
  made(gpuarr_array_broadcast(&views[4], a, 3, more), &views[4]);
  made(gpuarr_array_squeeze(&views[5], views[3], 0, NULL), &views[5]);
  made(gpuarr_array_expand(&views[6], a, 0), &views[6]);
  made(gpuarr_array_diagonal(&views[7], a, 0, 0, 1), &views[7]);
  gpuarr_array *flipped = POISON, *copy = POISON;
  made(gpuarr_array_contiguous(&flipped, views[2], GPUARR_ORDER_C, NULL), &flipped);
  made(gpuarr_array_reshape(&copy, flipped, 2, other), &copy);
  gpuarr_array_release(copy);
  gpuarr_array_release(flipped);
  for (int i = 0; i < 8; ++i) gpuarr_array_release(views[i]);
}

void exercise_arrays(const struct stage* s) {
  enum { KINDS = 7 };
  gpuarr_array* all[KINDS];
  for (int i = 0; i < KINDS; ++i) all[i] = POISON;
  gpuarr_device* device = s->device;
  const gpuarr_arg one = gpuarr_arg_f64(1), end = gpuarr_arg_i32(9);
  made(gpuarr_array_empty(&all[0], device, GPUARR_F32, 2, shape, 0, NULL), &all[0]);
  made(gpuarr_array_zeros(&all[1], device, GPUARR_F32, 2, shape, 0, s->stream), &all[1]);
  made(gpuarr_array_ones(&all[2], device, GPUARR_F64, 2, shape, 0, NULL), &all[2]);
  made(gpuarr_array_full(&all[3], device, GPUARR_I32, 2, shape, 1, one, s->stream), &all[3]);
  made(gpuarr_array_arange(&all[4], device, GPUARR_I64, one, end, one, NULL), &all[4]);
  made(gpuarr_array_linspace(&all[5], device, GPUARR_F32, 0, 1, 7, 1, NULL), &all[5]);
  made(gpuarr_array_eye(&all[6], device, GPUARR_F16, 3, 3, 0, 0, s->stream), &all[6]);
  read_facts(s, all[0]);
  check(gpuarr_array_retain(all[0]) == all[0], "retained");
  gpuarr_array_release(all[0]);
  exercise_views(all[1]);
  for (int i = 0; i < KINDS; ++i) gpuarr_array_release(all[i]);
}

static void exercise_files(const struct stage* s) {
  char path[300];
  snprintf(path, sizeof path, "%s/%d.npy", s->folder, 1);
  gpuarr_array* loaded = POISON;
  ok(gpuarr_npy_save(path, s->x, NULL));
  made(gpuarr_npy_load(&loaded, s->device, path, s->stream), &loaded);
  gpuarr_array_release(loaded);
  remove(path);
}

void exercise_transfers(const struct stage* s) {
  float values[24] = {1, 2, 3};
  gpuarr_array *a = POISON, *copy = POISON, *other = POISON, *host = POISON, *there = POISON;
  made(gpuarr_array_from_host(&a, s->device, GPUARR_F32, 2, shape, NULL, values, sizeof values,
                              NULL),
       &a);
  ok(gpuarr_array_write(a, NULL, values, sizeof values, s->stream));
  ok(gpuarr_array_read(values, sizeof values, NULL, a, NULL));
  made(gpuarr_array_copy(&copy, a, GPUARR_ORDER_F, s->stream), &copy);
  made(gpuarr_array_astype(&other, a, GPUARR_F64, NULL), &other);
  ok(gpuarr_array_assign(a, other, s->stream));
  ok(gpuarr_array_fill(a, gpuarr_arg_f32(1), NULL));
  gpuarr_device* cpu = NULL;
  ok(gpuarr_device_open(&cpu, "host"));
  made(gpuarr_array_to_device(&host, copy, cpu, NULL), &host);
  made(gpuarr_array_to_device(&there, a, s->second, NULL), &there);
  exercise_files(s);
  gpuarr_array_release(there);
  gpuarr_array_release(host);
  gpuarr_array_release(other);
  gpuarr_array_release(copy);
  gpuarr_array_release(a);
}
