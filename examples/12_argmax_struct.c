/* A value and where it is: the maximum of each column and its row, by reducing pairs of the two. */
#include "example.h"

enum { ROWS = 5000, COLUMNS = 37 };

/* Of equal values the one that comes first wins; it is said outright, since elements are combined
 * in an order that is not given. */
static const char* const preamble =
    "struct Best {\n"
    "  float value;\n"
    "  long long at;\n"
    "};\n"
    "__device__ Best better(Best a, Best b) {\n"
    "  return a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b;\n"
    "}\n";

int main(void) {
  static float x[ROWS][COLUMNS];
  float values[COLUMNS];
  int64_t rows[COLUMNS];
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) x[i][j] = (float)((int64_t)i * (i + 31 * j) % 1009);

  /* _J is the element's number along the reduced axes. */
  gpuarr_device* device;
  gpuarr_kernel_options* options;
  gpuarr_reduction* argmax;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_kernel_options_create(&options));
  check(gpuarr_kernel_options_set_preamble(options, preamble));
  check(gpuarr_kernel_options_set_reduce_type(options, "Best"));
  check(gpuarr_reduction_create(&argmax, "float32 x", "float32 value, int64 row", "Best{x, _J}",
                                "better(a, b)", "value = a.value; row = a.at", NULL, options));
  gpuarr_kernel_options_release(options);

  gpuarr_array *array, *outputs[] = {NULL, NULL};
  int64_t shape[] = {ROWS, COLUMNS};
  int32_t axis = 0;
  check(gpuarr_array_from_host(&array, device, GPUARR_F32, 2, shape, NULL, x, sizeof x, NULL));
  gpuarr_arg input = gpuarr_arg_array(array);
  check(gpuarr_reduction_call(argmax, outputs, 2, &input, 1, &axis, 1, 0, NULL));
  check(gpuarr_array_read(values, sizeof values, NULL, outputs[0], NULL));
  check(gpuarr_array_read(rows, sizeof rows, NULL, outputs[1], NULL));

  for (int j = 0; j < COLUMNS; ++j) {
    int best = 0;
    for (int i = 1; i < ROWS; ++i)
      if (x[i][j] > x[best][j]) best = i;
    expect(values[j], x[best][j], 0, "maximum", j);
    expect((double)rows[j], best, 0, "row of the maximum", j);
  }

  printf("ok: maxima of %d columns and where they are on %s\n", COLUMNS,
         gpuarr_device_name(device));
  gpuarr_array_release(outputs[1]);
  gpuarr_array_release(outputs[0]);
  gpuarr_array_release(array);
  gpuarr_reduction_release(argmax);
  return 0;
}
