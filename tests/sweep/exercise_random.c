/* See sweep.h: random numbers. */
#include "sweep.h"

void exercise_random(const struct stage* s) {
  const int64_t shape[] = {3, 5};
  const gpuarr_arg zero = gpuarr_arg_f64(0), half = gpuarr_arg_f64(0.5), two = gpuarr_arg_f64(2);
  uint64_t seed = 1;
  got(gpuarr_random_seed(&seed), &seed, sizeof seed);
  gpuarr_generator* g = POISON;
  made(gpuarr_generator_create(&g, s->device, seed, 1), &g);
  check(gpuarr_generator_seed(g) == (g != NULL ? seed : 0), "the seed");
  check(gpuarr_generator_stream(g) == (g != NULL ? 1 : 0), "the stream");
  ok(gpuarr_generator_set_position(g, 8));
  ok(gpuarr_generator_advance(g, 4));
  check(gpuarr_generator_position(g) == (g != NULL ? 12 : 0), "the position");
  check(gpuarr_generator_retain(g) == g, "retained");
  gpuarr_generator_release(g);
  enum { count = 12 };
  gpuarr_array* a[count] = {NULL};
  made(gpuarr_random_uniform(&a[0], g, zero, half, GPUARR_F32, 2, shape, s->stream), &a[0]);
  made(gpuarr_random_normal(&a[1], g, zero, half, GPUARR_F32, 2, shape, s->stream), &a[1]);
  made(gpuarr_random_lognormal(&a[2], g, zero, half, GPUARR_F32, 2, shape, NULL), &a[2]);
  made(gpuarr_random_exponential(&a[3], g, half, GPUARR_F32, 2, shape, NULL), &a[3]);
  made(gpuarr_random_gamma(&a[4], g, half, two, GPUARR_F32, 2, shape, NULL), &a[4]);
  made(gpuarr_random_poisson(&a[5], g, two, 2, shape, NULL), &a[5]);
  made(gpuarr_random_binomial(&a[6], g, two, half, 2, shape, NULL), &a[6]);
  made(gpuarr_random_bernoulli(&a[7], g, half, 2, shape, NULL), &a[7]);
  made(gpuarr_random_integers(&a[8], g, zero, two, GPUARR_I32, 2, shape, NULL), &a[8]);
  made(gpuarr_random_permutation(&a[9], g, 5, NULL), &a[9]);
  made(gpuarr_random_shuffle(&a[10], g, s->x, 0, s->stream), &a[10]);
  made(gpuarr_random_choice(&a[11], g, 50, NULL, 0, 2, shape, NULL), &a[11]);
  for (int k = 0; k < count; ++k) gpuarr_array_release(a[k]);
  gpuarr_generator_release(g);
}
