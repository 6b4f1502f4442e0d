/* What tests/privileged.py gives raised rights to: says whether it has them, compiles a kernel for
 * the CPU, and multiplies matrices. */
#include <gpuarr.h>
#include <stdio.h>
#include <sys/auxv.h>

static gpuarr_status compute(gpuarr_device* device, double* out) {
  const int64_t shape[] = {2, 2};
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array *x = NULL, *product = NULL;
  const gpuarr_arg seven = gpuarr_arg_f64(7);
  gpuarr_status status = gpuarr_array_empty(&x, device, GPUARR_F64, 2, shape, 0, NULL);
  if (!status) status = gpuarr_elementwise_create(&kernel, "T x", "T y", "y = x * 6", NULL);
  if (!status) status = gpuarr_elementwise_call(kernel, &x, 1, &seven, 1, GPUARR_NO_SIZE, NULL);
  if (!status) status = gpuarr_array_read(out, 4 * sizeof *out, NULL, x, NULL);
  if (!status && gpuarr_matmul(&product, x, x, 0, NULL))
    printf("matrices: %s\n", gpuarr_last_error());
  gpuarr_array_release(x);
  gpuarr_array_release(product);
  gpuarr_elementwise_release(kernel);
  return status;
}

int main(void) {
  gpuarr_device* device = NULL;
  double values[4] = {0};
  printf("secure %lu\n", getauxval(AT_SECURE));
  gpuarr_status status = gpuarr_device_open(&device, "host");
  if (!status) status = compute(device, values);
  printf("value %g\n%s\n", values[3], status ? gpuarr_last_error() : "");
  return status ? 1 : 0;
}
