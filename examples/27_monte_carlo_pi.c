/* Pi by Monte Carlo, with an error bar: how many points of a square fall into a quarter of a
 * circle. The random numbers are the same on every device, and so is the answer, to the last digit.
 */
#include "example.h"

enum { ROUNDS = 16, POINTS = 1 << 20 };

static const double pi = 3.14159265358979323846;

int main(void) {
  gpuarr_device* device;
  gpuarr_generator* generator;
  gpuarr_reduction* inside;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_generator_create(&generator, device, 20261122, 0));
  /* 24 bits of each coordinate: as doubles, squares and their sum are exact. */
  check(gpuarr_reduction_create(&inside, "float32 x, float32 y", "int64 hits",
                                "(double)x * x + (double)y * y < 1", "a + b", "hits = a", "0",
                                NULL));

  /* A row of x and a row of y in each round, in the same memory. */
  gpuarr_array *points = NULL, *hits = NULL, *x, *y;
  const int64_t shape[] = {2, POINTS};
  const gpuarr_arg zero = gpuarr_arg_f64(0), one = gpuarr_arg_f64(1);
  double sum = 0, squares = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    int64_t count;
    check(gpuarr_random_uniform(&points, generator, zero, one, GPUARR_F32, 2, shape, NULL));
    check(gpuarr_array_select(&x, points, 0, 0));
    check(gpuarr_array_select(&y, points, 0, 1));
    const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y)};
    check(gpuarr_reduction_call(inside, &hits, 1, inputs, 2, NULL, GPUARR_ALL_AXES, 0, NULL));
    check(gpuarr_array_read(&count, sizeof count, NULL, hits, NULL));
    gpuarr_array_release(y);
    gpuarr_array_release(x);
    const double found = 4 * (double)count / POINTS;
    sum += found;
    squares += found * found;
  }

  /* The rounds are independent: their scatter says how far their mean may be off. */
  const double mean = sum / ROUNDS;
  const double error = sqrt((squares / ROUNDS - mean * mean) / (ROUNDS - 1));
  printf("pi is %.6f +- %.6f, by %d points\n", mean, error, ROUNDS * POINTS);
  expect(mean, pi, 4 * error, "pi", 0);
  if (error > 0.001) {
    fprintf(stderr, "an error of %g is too much\n", error);
    return 1;
  }

  printf("ok: pi within %.1f standard errors on %s\n", fabs(mean - pi) / error,
         gpuarr_device_name(device));
  gpuarr_array_release(hits);
  gpuarr_array_release(points);
  gpuarr_reduction_release(inside);
  gpuarr_generator_release(generator);
  return 0;
}
