/* Work in place: x *= factor. A name in both parameter lists is one variable. */
#include "example.h"

enum { COUNT = 1000 };

int main(void) {
  double before[COUNT], after[COUNT];
  for (int i = 0; i < COUNT; ++i) before[i] = 0.5 * i;

  gpuarr_device* device;
  gpuarr_elementwise* scale;
  gpuarr_array* x;
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_elementwise_create(&scale, "T x, T factor", "T x", "x *= factor;", NULL));
  check(
      gpuarr_array_from_host(&x, device, GPUARR_F64, 1, shape, NULL, before, sizeof before, NULL));

  /* The array is the input and the output: nothing is allocated or copied. */
  gpuarr_array* output = x;
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_f64(3)};
  check(gpuarr_elementwise_call(scale, &output, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  check(gpuarr_array_read(after, sizeof after, NULL, x, NULL));
  for (int i = 0; i < COUNT; ++i) expect(after[i], 3 * before[i], 0, "x", i);

  /* The same call again and again: check it and lay it out once, then only launch it. */
  gpuarr_call* call;
  gpuarr_array* const outputs[] = {x};
  check(gpuarr_elementwise_prepare(&call, scale, outputs, 1, inputs, 2, GPUARR_NO_SIZE));
  check(gpuarr_call_set_scalar(call, 1, gpuarr_arg_f64(2)));
  for (int round = 0; round < 4; ++round) check(gpuarr_call_launch(call, NULL));
  check(gpuarr_array_read(after, sizeof after, NULL, x, NULL));
  for (int i = 0; i < COUNT; ++i) expect(after[i], 48 * before[i], 0, "x", i);

  printf("ok: %d numbers scaled in place by 3 and four times by 2 on %s\n", COUNT,
         gpuarr_device_name(device));
  gpuarr_call_release(call);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(scale);
  return 0;
}
