/* See sweep.h: computations on blocked arrays. */
#include "sweep.h"

static void exercise_products(gpuarr_blocked* x) {
  gpuarr_blocked *turned = POISON, *out = NULL;
  made(gpuarr_blocked_transpose(&turned, x, 0, NULL), &turned);
  made(gpuarr_blocked_matmul(&out, x, turned), &out);
  gpuarr_blocked_release(out);
  gpuarr_blocked_release(turned);
}

static void exercise_order_of_blocks(gpuarr_team* team, gpuarr_blocked* x) {
  gpuarr_blocked *scanned = NULL, *vector = POISON, *sorted = NULL;
  const int64_t count = 20;
  made(gpuarr_blocked_scan(&scanned, "cumsum", x, 0, 0), &scanned);
  made(gpuarr_blocked_empty(&vector, team, GPUARR_F32, 1, &count, NULL, NULL), &vector);
  if (vector != NULL) made(gpuarr_blocked_sort(&sorted, vector, 0), &sorted);
  gpuarr_blocked_release(sorted);
  gpuarr_blocked_release(vector);
  gpuarr_blocked_release(scanned);
}

static void exercise_draws(gpuarr_blocked* x) {
  gpuarr_generator* generator = POISON;
  const gpuarr_arg parameters[] = {gpuarr_arg_f32(0), gpuarr_arg_f32(1)};
  made(gpuarr_generator_create(&generator, NULL, 1, 0), &generator);
  if (generator != NULL) ok(gpuarr_blocked_random(x, generator, "normal", parameters, 2));
  gpuarr_generator_release(generator);
}

void exercise_compute(const struct stage* s) {
  gpuarr_team* team = POISON;
  gpuarr_blocked* x = POISON;
  gpuarr_device* devices[] = {s->device, s->second};
  const int64_t shape[] = {4, 5};
  made(gpuarr_team_local(&team, devices, 2), &team);
  made(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, NULL, NULL), &x);
  if (x != NULL) {
    exercise_draws(x);
    exercise_order_of_blocks(team, x);
    exercise_products(x);
  }
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}
