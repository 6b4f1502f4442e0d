/* A raw kernel: a whole __global__ function in CUDA C++, launched with a grid and a block. */
#include "example.h"

enum { COUNT = 1000000, THREADS = 256 };

static const char* const source =
    "__global__ void add(const float* x, const float* y, float* z, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) z[i] = x[i] + y[i];\n"
    "}\n";

int main(void) {
  static float x[COUNT], y[COUNT], z[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    x[i] = 0.5f * (float)i;
    y[i] = (float)(i % 1000);
  }

  gpuarr_device* device;
  gpuarr_raw* add;
  gpuarr_array *x_array, *y_array, *z_array;
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_raw_create(&add, source, "add", NULL, NULL));
  check(gpuarr_array_from_host(&x_array, device, GPUARR_F32, 1, shape, NULL, x, sizeof x, NULL));
  check(gpuarr_array_from_host(&y_array, device, GPUARR_F32, 1, shape, NULL, y, sizeof y, NULL));
  check(gpuarr_array_empty(&z_array, device, GPUARR_F32, 1, shape, GPUARR_ORDER_C, NULL));

  /* Blocks of THREADS threads, as many as it takes to have a thread for each element. There is an
   * argument for each parameter, and what does not fit is an error: gpuarr_arg_i64(COUNT) for the
   * int, or an array of float64 for a float*. */
  int64_t grid[] = {(COUNT + THREADS - 1) / THREADS, 1, 1}, block[] = {THREADS, 1, 1};
  gpuarr_arg args[] = {gpuarr_arg_array(x_array), gpuarr_arg_array(y_array),
                       gpuarr_arg_array(z_array), gpuarr_arg_i32(COUNT)};
  check(gpuarr_raw_launch(add, grid, block, 0, args, 4, NULL));
  check(gpuarr_array_read(z, sizeof z, NULL, z_array, NULL));
  for (int i = 0; i < COUNT; ++i) expect(z[i], x[i] + y[i], 0, "z", i);

  printf("ok: %d sums by %d blocks of %d threads on %s\n", COUNT, (int)grid[0], THREADS,
         gpuarr_device_name(device));
  gpuarr_array_release(z_array);
  gpuarr_array_release(y_array);
  gpuarr_array_release(x_array);
  gpuarr_raw_release(add);
  return 0;
}
