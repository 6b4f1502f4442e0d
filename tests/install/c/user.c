/* A user's program: an array, a kernel over it, and a failure with its message. */
#include <gpuarr.h>
#include <stdio.h>
#include <string.h>

#ifdef WITH_KERNEL_FILE /* by CMake, which makes a header of it */
#include "twice.cu.h"
#else
static const char twice_cu[] =
    "extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }";
#endif

static int check(gpuarr_status status) {
  if (status != GPUARR_OK) fprintf(stderr, "%s\n", gpuarr_last_error());
  return status != GPUARR_OK;
}

int main(void) {
  const int64_t shape[] = {3};
  const float x[] = {1, 2, 3};
  float y[3] = {0};
  gpuarr_device* device;
  gpuarr_array *a = NULL, *b = NULL;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_raw* twice = NULL;
  const int64_t one[] = {1, 1, 1}, three[] = {3, 1, 1};
  int failed =
      check(gpuarr_device_open(&device, "host")) ||
      check(gpuarr_array_from_host(&a, device, GPUARR_F32, 1, shape, NULL, x, sizeof x, NULL)) ||
      check(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = x * x + 1", NULL));
  if (failed) return 1;
  gpuarr_arg input = gpuarr_arg_array(a);
  failed = check(gpuarr_elementwise_call(kernel, &b, 1, &input, 1, GPUARR_NO_SIZE, NULL)) ||
           check(gpuarr_raw_create(&twice, twice_cu, "twice", NULL, NULL));
  if (failed) return 1;
  const gpuarr_arg result = gpuarr_arg_array(b);
  failed = check(gpuarr_raw_launch(twice, one, three, 0, &result, 1, NULL)) ||
           check(gpuarr_array_read(y, sizeof y, NULL, b, NULL));
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  gpuarr_elementwise_release(kernel);
  gpuarr_raw_release(twice);
  if (failed || y[0] != 4 || y[1] != 10 || y[2] != 20) return 2;

  gpuarr_dtype dtype = 0;
  if (gpuarr_dtype_from_name(&dtype, "float33") != GPUARR_ERR_TYPE) return 3;
  if (strstr(gpuarr_last_error(), "float33") == NULL) return 4;
  printf("libgpuarr %s\n", gpuarr_version());
  return gpuarr_live_objects() != 0;
}
