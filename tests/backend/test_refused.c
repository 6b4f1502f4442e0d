/* What a backend does not bring is refused by name, whatever asks for it, and harms nothing. */
#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

static void assert_unsupported(gpuarr_status status, const char* words) {
  assert_status(status, GPUARR_ERR_UNSUPPORTED);
  assert_message_has(words);
}

static void libraries(void** state) {
  (void)state;
  const int64_t shape[] = {2, 2};
  const double values[] = {4, 2, 2, 3};
  gpuarr_array *a = from(GPUARR_F64, 2, shape, values), *out = NULL;
  const char* text = NULL;
  assert_unsupported(gpuarr_matmul(&out, a, a, 0, NULL), "serial does not multiply matrices");
  assert_unsupported(gpuarr_cholesky(&out, a, 0, NULL, NULL), "serial does not factorise matrices");
  assert_unsupported(gpuarr_device_blas(&text, device), "serial does not multiply matrices");
  assert_null(out);
  assert_ok(gpuarr_add(&out, gpuarr_arg_array(a), gpuarr_arg_array(a), NULL));
  assert_values(out, 4, (double[]){8, 4, 4, 6});
  release_arrays((gpuarr_array*[]){a, out}, 2);
}

static void streams(void** state) {
  (void)state;
  gpuarr_stream *stream = NULL, *borrowed = NULL;
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  assert_unsupported(gpuarr_stream_begin_capture(stream), "serial does not support graphs");
  assert_unsupported(gpuarr_stream_borrow(&borrowed, device, stream),
                     "serial cannot borrow streams");
  assert_null(borrowed);
  gpuarr_stream_release(stream);
}

static void raw_kernels(void** state) {
  (void)state;
  gpuarr_array* x = line(GPUARR_I32, 4);
  gpuarr_arg arg = gpuarr_arg_array(x);
  gpuarr_raw* waits = make_raw(
      "__global__ void waits(int* x) {\n"
      "  __syncthreads();\n"
      "}\n",
      "waits");
  assert_unsupported(try_launch(waits, 1, 4, &arg, 1),
                     "line 2: the serial device has no __syncthreads");
  gpuarr_raw* plain = make_raw("__global__ void plain(int* x) { x[threadIdx.x] = 1; }", "plain");
  assert_status(
      gpuarr_raw_launch(plain, (int64_t[]){1, 1, 1}, (int64_t[]){4, 1, 1}, 16, &arg, 1, NULL),
      GPUARR_ERR_ARGUMENT);
  assert_message_has("can have 0 to 0 of dynamic shared memory on serial");
  int64_t value = 0;
  assert_unsupported(gpuarr_raw_attribute(&value, plain, GPUARR_ATTRIBUTE_MAX_THREADS, device),
                     "attribute 1 of kernel \"plain\" is not known");
  launch(plain, 1, 4, &arg, 1);
  assert_values(x, 4, (double[]){1, 1, 1, 1});
  gpuarr_raw_release(waits);
  gpuarr_raw_release(plain);
  gpuarr_array_release(x);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(libraries),
      cmocka_unit_test(streams),
      cmocka_unit_test(raw_kernels),
  };
  return run_suite(tests);
}
