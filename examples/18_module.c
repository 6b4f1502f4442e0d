/* A module: two kernels that share a function and a table in constant memory. Both add a bias for
 * each channel, then one takes the ReLU of it and the other the sigmoid. */
#include "example.h"

enum { COUNT = 100000, CHANNELS = 4 };

static const char* const source =
    "__constant__ float bias[4];\n"
    "\n"
    "__device__ float add(float x, int i) { return x + bias[i % 4]; }\n"
    "\n"
    "__global__ void relu(const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = fmaxf(add(x[i], i), 0.0f);\n"
    "}\n"
    "\n"
    "__global__ void sigmoid(const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = 1.0f / (1.0f + expf(-add(x[i], i)));\n"
    "}\n";

int main(void) {
  static float x[COUNT], y[COUNT];
  const float bias[CHANNELS] = {0.0f, 0.5f, -1.0f, 2.0f};
  for (int i = 0; i < COUNT; ++i) x[i] = (float)(i % 201 - 100) / 32;

  gpuarr_device* device;
  gpuarr_module* module;
  gpuarr_raw* kernels[2];
  gpuarr_array *x_array, *y_array, *bias_array;
  int64_t shape[] = {COUNT};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_module_create(&module, source, NULL));
  check(gpuarr_module_kernel(&kernels[0], module, "relu", NULL));
  check(gpuarr_module_kernel(&kernels[1], module, "sigmoid", NULL));
  check(gpuarr_array_from_host(&x_array, device, GPUARR_F32, 1, shape, NULL, x, sizeof x, NULL));
  check(gpuarr_array_empty(&y_array, device, GPUARR_F32, 1, shape, GPUARR_ORDER_C, NULL));

  /* A variable of the module is an array like any other; 0: with the dtype of its declaration. */
  check(gpuarr_module_global(&bias_array, module, "bias", 0, device));
  check(gpuarr_array_write(bias_array, NULL, bias, sizeof bias, NULL));

  /* One thread for each element; how many to a block the device knows best. */
  gpuarr_arg args[] = {gpuarr_arg_array(x_array), gpuarr_arg_array(y_array), gpuarr_arg_i32(COUNT)};
  for (int k = 0; k < 2; ++k) {
    check(gpuarr_raw_launch_1d(kernels[k], COUNT, args, 3, NULL));
    check(gpuarr_array_read(y, sizeof y, NULL, y_array, NULL));
    for (int i = 0; i < COUNT; ++i) {
      double v = x[i] + bias[i % CHANNELS];
      expect(y[i], k == 0 ? fmax(v, 0) : 1 / (1 + exp(-v)), 1e-6, k == 0 ? "relu" : "sigmoid", i);
    }
  }

  printf("ok: ReLU and sigmoid of %d numbers with biases on %s\n", COUNT,
         gpuarr_device_name(device));
  gpuarr_array_release(bias_array);
  gpuarr_array_release(y_array);
  gpuarr_array_release(x_array);
  gpuarr_raw_release(kernels[1]);
  gpuarr_raw_release(kernels[0]);
  gpuarr_module_release(module);
  return 0;
}
