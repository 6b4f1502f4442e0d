/* Two sums in one pass, and two outputs: the weighted mean of every column, and its weight. Values
 * that are missing, as NaN, have no weight. */
#include "example.h"

enum { ROWS = 2000, COLUMNS = 30 };

/* What is reduced need not be a number: any type of at most 64 bytes that can be copied as bytes.
 */
static const char* const preamble =
    "struct Sums {\n"
    "  double values, weights;\n"
    "};\n"
    "__device__ Sums operator+(Sums a, Sums b) {\n"
    "  return {a.values + b.values, a.weights + b.weights};\n"
    "}\n";

int main(void) {
  static float x[ROWS][COLUMNS], w[ROWS][1];
  double means[COLUMNS], weights[COLUMNS];
  for (int i = 0; i < ROWS; ++i) {
    w[i][0] = 1 / (float)(1 + i % 7);
    for (int j = 0; j < COLUMNS; ++j) x[i][j] = (i + j) % 11 == 0 ? NAN : (float)(i % 13 + j);
  }

  gpuarr_device* device;
  gpuarr_kernel_options* options;
  gpuarr_reduction* kernel;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_kernel_options_create(&options));
  check(gpuarr_kernel_options_set_preamble(options, preamble));
  check(gpuarr_kernel_options_set_reduce_type(options, "Sums"));
  check(gpuarr_reduction_create(&kernel, "T x, T w", "float64 mean, float64 weight",
                                "isnan(x) ? Sums{0, 0} : Sums{(double)w * x, w}", "a + b",
                                "mean = a.values / a.weights; weight = a.weights", NULL, options));
  gpuarr_kernel_options_release(options);

  /* The weights have one column, which is used for every column of the values. */
  gpuarr_array *x_array, *w_array, *outputs[] = {NULL, NULL};
  int64_t matrix[] = {ROWS, COLUMNS}, column[] = {ROWS, 1};
  int32_t axis = 0;
  check(gpuarr_array_from_host(&x_array, device, GPUARR_F32, 2, matrix, NULL, x, sizeof x, NULL));
  check(gpuarr_array_from_host(&w_array, device, GPUARR_F32, 2, column, NULL, w, sizeof w, NULL));
  gpuarr_arg inputs[] = {gpuarr_arg_array(x_array), gpuarr_arg_array(w_array)};
  check(gpuarr_reduction_call(kernel, outputs, 2, inputs, 2, &axis, 1, 0, NULL));
  check(gpuarr_array_read(means, sizeof means, NULL, outputs[0], NULL));
  check(gpuarr_array_read(weights, sizeof weights, NULL, outputs[1], NULL));

  for (int j = 0; j < COLUMNS; ++j) {
    double values = 0, weight = 0;
    for (int i = 0; i < ROWS; ++i) {
      if (isnan(x[i][j])) continue;
      values += (double)w[i][0] * x[i][j];
      weight += w[i][0];
    }
    expect(means[j], values / weight, 1e-12 * values / weight, "mean", j);
    expect(weights[j], weight, 1e-12 * weight, "weight", j);
  }

  printf("ok: weighted means of %d columns with values missing on %s\n", COLUMNS,
         gpuarr_device_name(device));
  gpuarr_array_release(outputs[1]);
  gpuarr_array_release(outputs[0]);
  gpuarr_array_release(w_array);
  gpuarr_array_release(x_array);
  gpuarr_reduction_release(kernel);
  return 0;
}
