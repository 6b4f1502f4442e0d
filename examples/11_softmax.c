/* Reductions and an elementwise kernel together: softmax along the last axis, which turns each row
 * of scores into probabilities, exp(x) / sum(exp(x)). */
#include "example.h"

enum { ROWS = 100, CLASSES = 1000 };

int main(void) {
  static float scores[ROWS][CLASSES], result[ROWS][CLASSES];
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < CLASSES; ++j) scores[i][j] = (float)(1000 + 5 * sin(i + 0.1 * j));

  /* exp(1000) is too large for any float, so each row's largest score is taken off first, which
   * changes no quotient. */
  gpuarr_reduction *max, *sum;
  gpuarr_elementwise* divide;
  check(gpuarr_reduction_create(&max, "T x", "T top", "x", "a < b ? b : a", "top = a", NULL, NULL));
  check(gpuarr_reduction_create(&sum, "T x, T top", "T total", "exp(x - top)", "a + b", "total = a",
                                NULL, NULL));
  check(gpuarr_elementwise_create(&divide, "T x, T top, T total", "T y", "y = exp(x - top) / total",
                                  NULL));

  gpuarr_device* device;
  gpuarr_array *x, *top = NULL, *total = NULL, *y = NULL;
  int64_t shape[] = {ROWS, CLASSES};
  check(gpuarr_device_open(&device, NULL));
  check(
      gpuarr_array_from_host(&x, device, GPUARR_F32, 2, shape, NULL, scores, sizeof scores, NULL));

  /* With keepdims, 1, the results have shape (100, 1), which broadcasts with the scores' shape. */
  int32_t last = -1;
  gpuarr_arg inputs[3] = {gpuarr_arg_array(x)};
  check(gpuarr_reduction_call(max, &top, 1, inputs, 1, &last, 1, 1, NULL));
  inputs[1] = gpuarr_arg_array(top);
  check(gpuarr_reduction_call(sum, &total, 1, inputs, 2, &last, 1, 1, NULL));
  inputs[2] = gpuarr_arg_array(total);
  check(gpuarr_elementwise_call(divide, &y, 1, inputs, 3, GPUARR_NO_SIZE, NULL));
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
  gpuarr_array_release(total);
  gpuarr_array_release(top);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(divide);
  gpuarr_reduction_release(sum);
  gpuarr_reduction_release(max);
  return 0;
}
