/* Several outputs: sin, cos and tan in one pass over memory. */
#include "example.h"

enum { COUNT = 1001 };

int main(void) {
  double x[COUNT], result[3][COUNT];

  gpuarr_device* device;
  gpuarr_elementwise* kernel;
  gpuarr_array* angles;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_elementwise_create(&kernel, "T x", "T s, T c, T t",
                                  "s = sin(x);"
                                  "c = cos(x);"
                                  "t = s / c;", /* an output may be read once it is written */
                                  NULL));
  check(gpuarr_array_linspace(&angles, device, GPUARR_F64, -1.5, 1.5, COUNT, 1, NULL));

  gpuarr_array* outputs[3] = {NULL, NULL, NULL};
  gpuarr_arg inputs[] = {gpuarr_arg_array(angles)};
  check(gpuarr_elementwise_call(kernel, outputs, 3, inputs, 1, GPUARR_NO_SIZE, NULL));
  check(gpuarr_array_read(x, sizeof x, NULL, angles, NULL));
  for (int k = 0; k < 3; ++k)
    check(gpuarr_array_read(result[k], sizeof result[k], NULL, outputs[k], NULL));

  for (int i = 0; i < COUNT; ++i) {
    expect(result[0][i], sin(x[i]), 1e-15, "sin", i);
    expect(result[1][i], cos(x[i]), 1e-15, "cos", i);
    expect(result[2][i], tan(x[i]), 1e-13, "tan", i);
  }

  printf("ok: sin, cos and tan of %d angles from one kernel on %s\n", COUNT,
         gpuarr_device_name(device));
  for (int k = 0; k < 3; ++k) gpuarr_array_release(outputs[k]);
  gpuarr_array_release(angles);
  gpuarr_elementwise_release(kernel);
  return 0;
}
