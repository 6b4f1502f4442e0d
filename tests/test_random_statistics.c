/* Whether draws are distributed as they should: mean, standard deviation, and the whole
 * distribution where its function is a short formula. The seed is fixed, so that nothing depends on
 * luck; a generator without fault passes with one seed in a thousand excepted. */
#include <math.h>
#include <stdlib.h>

#include "arrays.h"
#include "draws.h"

enum { count = 40000 };

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Kolmogorov's distance, times the root of the number. */
static double distance(double* values, double (*cdf)(double)) {
  qsort(values, count, sizeof *values, ascending);
  double most = 0;
  for (int k = 0; k < count; ++k) {
    const double p = cdf(values[k]);
    most = fmax(most, fmax(fabs(p - (double)k / count), fabs(p - (k + 1.0) / count)));
  }
  return most * sqrt(count);
}

static void check_draw(const struct draw* d) {
  const int64_t shape = count;
  gpuarr_generator* g = generator(2026, 11);
  gpuarr_array* out = NULL;
  assert_ok(d->call(&out, g, d->dtype, 1, &shape, NULL));
  double *values = doubles_of(out), sum = 0, squares = 0;
  for (int k = 0; k < count; ++k) sum += (values[k] - d->mean) / d->std;
  for (int k = 0; k < count; ++k) squares += pow((values[k] - d->mean) / d->std, 2);
  const double root = sqrt(count);
  if (fabs(sum / root) > 3.3 || fabs(squares / count - 1) > 0.04 ||
      (d->cdf != NULL && distance(values, d->cdf) > 1.95))
    fail_msg(
        "%s of %s: the mean is off by %g of its deviations, the variance %g times what it "
        "should be",
        d->name, gpuarr_dtype_name(d->dtype), sum / root, squares / count);
  free(values);
  gpuarr_array_release(out);
  gpuarr_generator_release(g);
}

static void distributions(void** state) {
  (void)state;
  for (int k = 0; k < draw_count; ++k)
    if (!sanitized || k == 4) check_draw(&draws[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(distributions)};
  return run_suite(tests);
}
