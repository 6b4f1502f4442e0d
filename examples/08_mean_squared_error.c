/* A reduction: the mean of (x - y)^2 over all elements, in one pass over memory. */
#include "formula.h"

enum { COUNT = 1000003 };

int main(void) {
  static float x[COUNT], y[COUNT];
  double wanted = 0, mse;
  for (int i = 0; i < COUNT; ++i) {
    x[i] = (float)sin(i);
    y[i] = (float)cos(0.5 * i);
    wanted += ((double)x[i] - y[i]) * ((double)x[i] - y[i]) / COUNT;
  }

  /* map turns an element of each input into a value, reduce combines two of those, and post makes
   * the output of what is left; n is the number of elements. Partial results have the output's
   * type, here float64, so that a million float32 values lose nothing on the way. */
  gpuarr_reduction* kernel;
  check(gpuarr_reduction_create(&kernel, "T x, T y", "float64 mse",          /* in, out */
                                "(x - y) * (x - y)", "a + b", "mse = a / n", /* map, reduce, post */
                                NULL, NULL)); /* no identity, no options */

  gpuarr_device* device;
  gpuarr_array *x_array, *y_array, *mse_array = NULL, *again_array = NULL;
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_array_from_host(&x_array, device, GPUARR_F32, 1, shape, NULL, x, sizeof x, NULL));
  check(gpuarr_array_from_host(&y_array, device, GPUARR_F32, 1, shape, NULL, y, sizeof y, NULL));

  /* Reduced along all axes, the result is an array without axes: one number. */
  gpuarr_arg inputs[] = {gpuarr_arg_array(x_array), gpuarr_arg_array(y_array)};
  check(gpuarr_reduction_call(kernel, &mse_array, 1, inputs, 2, NULL, GPUARR_ALL_AXES, 0, NULL));
  check(gpuarr_array_read(&mse, sizeof mse, NULL, mse_array, NULL));
  expect(mse, wanted, 1e-6 * wanted, "mean squared error", 0);

  /* The same as an expression, also one pass: nothing is computed before gpuarr_evaluate. */
  Expr difference = sub(as_f64(of(x_array)), of(y_array));
  Expr mean = reduce("mean", call("square", difference, NULL));
  expect_kernels(&mean, 1, 1);
  evaluate(&again_array, &mean, 1);
  check(gpuarr_array_read(&mse, sizeof mse, NULL, again_array, NULL));
  expect(mse, wanted, 1e-6 * wanted, "mean squared error", 1);

  printf("ok: the mean squared error of %d numbers is %.6f on %s\n", COUNT, mse,
         gpuarr_device_name(device));
  gpuarr_array_release(again_array);
  gpuarr_array_release(mse_array);
  gpuarr_array_release(y_array);
  gpuarr_array_release(x_array);
  gpuarr_reduction_release(kernel);
  return 0;
}
