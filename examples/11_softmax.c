/* Reductions and elementwise functions together: softmax along the last axis, which turns each row
 * of scores into probabilities, exp(x) / sum(exp(x)), as one kernel. */
#include "formula.h"

enum { ROWS = 100, CLASSES = 1000 };

/* exp(1000) is too large for any float, so each row's largest score is taken off first, which
 * changes no quotient. With keepdims, 1, a reduction's result has shape (100, 1), which broadcasts
 * with the scores' shape. */
static Expr softmax(Expr x) {
  Expr largest = reduce_rows("max", keep(x), 1);
  Expr e = call("exp", sub(x, largest), NULL);
  Expr total = reduce_rows("sum", keep(e), 1);
  return quo(e, total);
}

int main(void) {
  static float scores[ROWS][CLASSES], result[ROWS][CLASSES];
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < CLASSES; ++j) scores[i][j] = (float)(1000 + 5 * sin(i + 0.1 * j));

  gpuarr_device* device;
  gpuarr_array *x, *y = NULL;
  int64_t shape[] = {ROWS, CLASSES};
  check(gpuarr_device_open(&device, NULL));
  check(
      gpuarr_array_from_host(&x, device, GPUARR_F32, 2, shape, NULL, scores, sizeof scores, NULL));

  /* Nothing is computed before gpuarr_evaluate. Then each row is read once, and the steps between
   * are not in memory. */
  Expr probability = softmax(of(x));
  expect_kernels(&probability, 1, 1);
  evaluate(&y, &probability, 1);
  check(gpuarr_array_read(result, sizeof result, NULL, y, NULL));

  for (int i = 0; i < ROWS; ++i) {
    double exponentials = 0, probabilities = 0;
    for (int j = 0; j < CLASSES; ++j) exponentials += exp(scores[i][j] - 1000.0);
    for (int j = 0; j < CLASSES; ++j) {
      double wanted = exp(scores[i][j] - 1000.0) / exponentials;
      expect(result[i][j], wanted, 1e-5 * wanted, "softmax", i * CLASSES + j);
      probabilities += result[i][j];
    }
    expect(probabilities, 1, 1e-5, "sum of probabilities", i);
  }

  printf("ok: softmax of %d rows of %d scores on %s\n", ROWS, CLASSES, gpuarr_device_name(device));
  gpuarr_array_release(y);
  gpuarr_array_release(x);
  return 0;
}
