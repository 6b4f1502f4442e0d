/* Reduction kernels: what they compute. */
#include "support.h"

static gpuarr_device* device;

static void mean_squared_error_along_an_axis(void** state) {
  (void)state;
  gpuarr_reduction* kernel;
  assert_ok(gpuarr_reduction_create(&kernel, "T x, T y", "T z", "(x - y) * (x - y)", "a + b",
                                    "z = a / (_in_ind.size() / _out_ind.size())", "0", NULL));
  const int64_t shape[] = {4, 3};
  float x_values[12], y_values[12], z_values[4];
  for (int k = 0; k < 12; ++k) {
    x_values[k] = (float)k;
    y_values[k] = (float)(2 * k);
  }
  gpuarr_array *x, *y, *z = NULL, *all = NULL;
  assert_ok(gpuarr_array_from_host(&x, device, GPUARR_F32, 2, shape, NULL, x_values, NULL));
  assert_ok(gpuarr_array_from_host(&y, device, GPUARR_F32, 2, shape, NULL, y_values, NULL));
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y)};
  const int32_t axes[] = {-1};
  assert_ok(gpuarr_reduction_call(kernel, &z, 1, inputs, 2, axes, 1, 0, NULL));
  assert_ok(gpuarr_array_read(z_values, NULL, z, NULL));
  for (int k = 0; k < 4; ++k) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) sum += (3.0 * k + j) * (3.0 * k + j);
    assert_close(z_values[k], sum / 3, 1e-6);
  }
  assert_ok(gpuarr_reduction_call(kernel, &all, 1, inputs, 2, NULL, GPUARR_ALL_AXES, 0, NULL));
  assert_ok(gpuarr_array_read(z_values, NULL, all, NULL));
  assert_close(z_values[0], 506.0 / 12, 1e-6);
  gpuarr_array_release(x);
  gpuarr_array_release(y);
  gpuarr_array_release(z);
  gpuarr_array_release(all);
  gpuarr_reduction_release(kernel);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {cmocka_unit_test(mean_squared_error_along_an_axis)};
  return run_suite(tests);
}
