/* A kernel with a scalar: leaky ReLU, x where x > 0, slope * x elsewhere. */
#include "example.h"

enum { COUNT = 10000 };

int main(void) {
  static float x[COUNT], y[COUNT];
  for (int i = 0; i < COUNT; ++i) x[i] = (float)(i - COUNT / 2) / 16;

  gpuarr_device* device;
  gpuarr_elementwise* relu;
  gpuarr_array *x_array, *y_array = NULL;
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  check(
      gpuarr_elementwise_create(&relu, "T x, T slope", "T y", "y = x > 0 ? x : slope * x;", NULL));
  check(gpuarr_array_from_host(&x_array, device, GPUARR_F32, 1, shape, NULL, x, sizeof x, NULL));

  /* A scalar goes by value, and takes its parameter's type: here T, which x says is float32. The
   * kernel is not compiled again for another slope. The second call fills the array that the first
   * one made. */
  float slopes[] = {0.0f, 0.125f};
  for (int s = 0; s < 2; ++s) {
    gpuarr_arg inputs[] = {gpuarr_arg_array(x_array), gpuarr_arg_f32(slopes[s])};
    check(gpuarr_elementwise_call(relu, &y_array, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
    check(gpuarr_array_read(y, sizeof y, NULL, y_array, NULL));
    for (int i = 0; i < COUNT; ++i) expect(y[i], x[i] > 0 ? x[i] : slopes[s] * x[i], 0, "y", i);
  }

  printf("ok: ReLU of %d numbers with slopes 0 and 0.125 on %s\n", COUNT,
         gpuarr_device_name(device));
  gpuarr_array_release(y_array);
  gpuarr_array_release(x_array);
  gpuarr_elementwise_release(relu);
  return 0;
}
