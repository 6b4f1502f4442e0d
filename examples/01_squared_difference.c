/* A kernel of your own: z = (x - y)^2, with broadcasting, and for any type. */
#include "example.h"

enum { ROWS = 2, COLUMNS = 5 };

/* float32 only: the types are written out. */
static void with_fixed_types(gpuarr_device* device) {
  float x[ROWS][COLUMNS], y[COLUMNS], z[ROWS][COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; ++i) x[i / COLUMNS][i % COLUMNS] = (float)i;
  for (int j = 0; j < COLUMNS; ++j) y[j] = (float)j;

  gpuarr_elementwise* kernel;
  check(gpuarr_elementwise_create(&kernel, "float32 x, float32 y", "float32 z",
                                  "z = (x - y) * (x - y);", NULL));

  /* y has one axis and is used for every row of x. The missing output is made by the call. */
  gpuarr_array *x_array, *y_array, *z_array = NULL;
  int64_t matrix[] = {ROWS, COLUMNS}, row[] = {COLUMNS};
  check(gpuarr_array_from_host(&x_array, device, GPUARR_F32, 2, matrix, NULL, x, sizeof x, NULL));
  check(gpuarr_array_from_host(&y_array, device, GPUARR_F32, 1, row, NULL, y, sizeof y, NULL));
  gpuarr_arg inputs[] = {gpuarr_arg_array(x_array), gpuarr_arg_array(y_array)};
  check(gpuarr_elementwise_call(kernel, &z_array, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  check(gpuarr_array_read(z, sizeof z, NULL, z_array, NULL));

  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j)
      expect(z[i][j], (x[i][j] - y[j]) * (x[i][j] - y[j]), 0, "z", i * COLUMNS + j);

  gpuarr_array_release(z_array);
  gpuarr_array_release(y_array);
  gpuarr_array_release(x_array);
  gpuarr_elementwise_release(kernel);
}

/* T is a placeholder: one kernel object, compiled once for each type that it meets. */
static void with_any_type(gpuarr_device* device) {
  gpuarr_elementwise* kernel;
  check(gpuarr_elementwise_create(&kernel, "T x, T y", "T z", "z = (x - y) * (x - y);", NULL));

  gpuarr_dtype dtypes[] = {GPUARR_I32, GPUARR_F64};
  for (int d = 0; d < 2; ++d) {
    gpuarr_array *x, *z = NULL, *as_double;
    double result[COLUMNS];
    check(gpuarr_array_arange(&x, device, dtypes[d], gpuarr_arg_i64(0), gpuarr_arg_i64(COLUMNS),
                              gpuarr_arg_i64(1), NULL));
    gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_i64(3)}; /* a scalar broadcasts too */
    check(gpuarr_elementwise_call(kernel, &z, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
    check(gpuarr_array_astype(&as_double, z, GPUARR_F64, NULL));
    check(gpuarr_array_read(result, sizeof result, NULL, as_double, NULL));
    for (int i = 0; i < COLUMNS; ++i) expect(result[i], (i - 3) * (i - 3), 0, "z", i);

    gpuarr_array_release(as_double);
    gpuarr_array_release(z);
    gpuarr_array_release(x);
  }
  gpuarr_elementwise_release(kernel);
}

int main(void) {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, NULL));
  with_fixed_types(device);
  with_any_type(device);
  printf("ok: (x - y)^2 of shapes (2, 5) and (5), and of int32 and float64, on %s\n",
         gpuarr_device_name(device));
  return 0;
}
