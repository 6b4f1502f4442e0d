/* A fit by least squares: a straight line and an oscillation through noisy measurements, with an
 * error bar for each of its numbers. */
#include "example.h"

enum { POINTS = 400, NUMBERS = 4 };

static const double truth[NUMBERS] = {1.5, -0.8, 2.0, 0.6};

/* Numbers of no apparent order with mean 0 and deviation 1: sums of twelve uniform ones. */
static double noise(void) {
  static uint32_t state = 1;
  double sum = -6;
  for (int k = 0; k < 12; ++k) {
    state = state * 1664525u + 1013904223u;
    sum += state / 4294967296.0;
  }
  return sum;
}

int main(void) {
  static double model[POINTS][NUMBERS], measured[POINTS];
  const double deviation = 0.3;
  for (int i = 0; i < POINTS; ++i) {
    const double t = 10.0 * i / POINTS;
    const double row[NUMBERS] = {1, t, sin(3 * t), cos(3 * t)};
    measured[i] = deviation * noise();
    for (int k = 0; k < NUMBERS; ++k) measured[i] += truth[k] * (model[i][k] = row[k]);
  }

  gpuarr_device* device;
  gpuarr_array *a, *b, *fit = NULL, *rest = NULL, *rank = NULL;
  const int64_t shape[] = {POINTS, NUMBERS}, points = POINTS;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_array_from_host(&a, device, GPUARR_F64, 2, shape, NULL, model, sizeof model, NULL));
  check(gpuarr_array_from_host(&b, device, GPUARR_F64, 1, &points, NULL, measured, sizeof measured,
                               NULL));
  check(gpuarr_lstsq(&fit, &rest, &rank, NULL, a, b, -1, NULL, NULL));

  /* The inverse of a^T a, times the variance of the residuals, has the variances of the fit on its
   * diagonal. With a = q r it is r^-1 (r^-1)^T. */
  gpuarr_array *r = NULL, *inverse = NULL, *lengths = NULL;
  const int32_t across = 1;
  check(gpuarr_qr(NULL, &r, a, 0, NULL));
  check(gpuarr_inv(&inverse, r, NULL, NULL));
  check(gpuarr_norm(&lengths, inverse, 2, &across, 1, 0, NULL));

  double found[NUMBERS], squares, length[NUMBERS];
  int64_t independent;
  check(gpuarr_array_read(found, sizeof found, NULL, fit, NULL));
  check(gpuarr_array_read(&squares, sizeof squares, NULL, rest, NULL));
  check(gpuarr_array_read(&independent, sizeof independent, NULL, rank, NULL));
  check(gpuarr_array_read(length, sizeof length, NULL, lengths, NULL));
  const double spread = sqrt(squares / (POINTS - NUMBERS));
  for (int k = 0; k < NUMBERS; ++k) {
    const double bar = spread * length[k];
    printf("%s: %8.4f +- %.4f, true %g\n",
           k == 0   ? "offset"
           : k == 1 ? "slope "
           : k == 2 ? "sine  "
                    : "cosine",
           found[k], bar, truth[k]);
    expect(found[k], truth[k], 4 * bar, "a number of the fit", k);
  }
  expect(spread, deviation, 0.05, "the deviation of the noise", 0);
  expect((double)independent, NUMBERS, 0, "the rank", 0);

  /* What is left is orthogonal to the columns of the model. */
  for (int k = 0; k < NUMBERS; ++k) {
    double product = 0;
    for (int i = 0; i < POINTS; ++i) {
      double residual = measured[i];
      for (int j = 0; j < NUMBERS; ++j) residual -= found[j] * model[i][j];
      product += residual * model[i][k];
    }
    expect(product, 0, 1e-9, "residuals times a column", k);
  }
  printf("ok: a fit to %d points, on %s\n", POINTS, gpuarr_device_name(device));
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  gpuarr_array_release(fit);
  gpuarr_array_release(rest);
  gpuarr_array_release(rank);
  gpuarr_array_release(r);
  gpuarr_array_release(inverse);
  gpuarr_array_release(lengths);
  return gpuarr_live_objects() == 0 ? 0 : 1;
}
