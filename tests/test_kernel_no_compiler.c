/* A machine without a C++ compiler: arrays work, and kernels on the CPU say what to install. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

static gpuarr_device* device;
static char* usual_path;

static void arrays_need_none(void** state) {
  (void)state;
  const int64_t shape[] = {3, 4};
  gpuarr_array *x = NULL, *turned = NULL, *dense = NULL, *half = NULL, *back = NULL;
  double values[12];
  assert_ok(gpuarr_array_arange(&x, device, GPUARR_F64, gpuarr_arg_i32(0), gpuarr_arg_i32(12),
                                gpuarr_arg_i32(1), NULL));
  assert_ok(gpuarr_array_reshape(&back, x, 2, shape));
  assert_ok(gpuarr_array_transpose(&turned, back, 0, NULL));
  assert_ok(gpuarr_array_copy(&dense, turned, GPUARR_ORDER_C, NULL));
  gpuarr_array_release(back);
  assert_ok(gpuarr_array_astype(&half, dense, GPUARR_F16, NULL));
  assert_ok(gpuarr_array_astype(&back, half, GPUARR_F64, NULL));
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, back, NULL));
  for (int k = 0; k < 12; ++k) assert_close(values[k], k % 3 * 4 + k / 3, 0);
  assert_ok(gpuarr_array_fill(half, gpuarr_arg_f64(2.5), NULL));
  assert_ok(gpuarr_array_assign(back, half, NULL));
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, back, NULL));
  assert_close(values[11], 2.5, 0);
  gpuarr_array* all[] = {x, turned, dense, half, back};
  for (int k = 0; k < 5; ++k) gpuarr_array_release(all[k]);
}

static gpuarr_status call(const char* body) {
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* y = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "", "float32 y", body, NULL));
  const int64_t three = 3;
  assert_ok(gpuarr_array_zeros(&y, device, GPUARR_F32, 1, &three, GPUARR_ORDER_C, NULL));
  gpuarr_status status = gpuarr_elementwise_call(kernel, &y, 1, NULL, 0, GPUARR_NO_SIZE, NULL);
  gpuarr_elementwise_release(kernel);
  gpuarr_array_release(y);
  return status;
}

static void kernels_say_what_is_missing(void** state) {
  (void)state;
  assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
  assert_status(call("y = i"), GPUARR_ERR_NO_COMPILER);
  assert_message_has("gpuarr_elementwise_call: ");
  assert_message_has("no g++, clang++ or c++ in PATH (/nonexistent)");
  assert_message_has("install g++, or set $GPUARR_CXX");
  assert_int_equal(setenv("GPUARR_CXX", "/nonexistent/g++-99", 1), 0);
  assert_status(call("y = i"), GPUARR_ERR_NO_COMPILER);
  assert_message_has("$GPUARR_CXX is \"/nonexistent/g++-99\", which is not a program");
  assert_message_has("unset it");
  assert_int_equal(setenv("GPUARR_CXX", "g++-99", 1), 0);
  assert_status(call("y = i"), GPUARR_ERR_NO_COMPILER);
  assert_message_has("not a program in PATH (/nonexistent)");
  assert_int_equal(setenv("GPUARR_CXX", "/", 1), 0);
  assert_status(call("y = i"), GPUARR_ERR_NO_COMPILER);
  gpuarr_module* module = NULL;
  assert_ok(gpuarr_module_create(&module, "__global__ void k() {}", NULL));
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_NO_COMPILER);
  assert_message_has("gpuarr_module_build: $GPUARR_CXX is \"/\"");
  gpuarr_module_release(module);
  /* The source can still be looked at, and the text is still checked. */
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* y = NULL;
  const char* source = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "", "float32 y", "y = i", NULL));
  assert_ok(gpuarr_array_zeros(&y, device, GPUARR_F32, 0, NULL, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_elementwise_source(&source, kernel, &y, 1, NULL, 0, GPUARR_NO_SIZE));
  gpuarr_array_release(y);
  gpuarr_elementwise_release(kernel);
}

/* What is on disk is known by the compiler that made it, so that without one it cannot be told
 * apart from what another would have made: it is not used. What runs already goes on running. */
static void what_is_compiled_goes_on(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* y = NULL;
  const int64_t three = 3;
  assert_int_equal(unsetenv("GPUARR_CXX"), 0);
  assert_int_equal(setenv("PATH", usual_path, 1), 0);
  assert_ok(gpuarr_array_zeros(&y, device, GPUARR_F32, 1, &three, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_elementwise_create(&kernel, "", "float32 y", "y += 2", NULL));
  gpuarr_status status = gpuarr_elementwise_call(kernel, &y, 1, NULL, 0, GPUARR_NO_SIZE, NULL);
  if (status == GPUARR_ERR_NO_COMPILER) skip();
  assert_ok(status);
  assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
  assert_ok(gpuarr_elementwise_call(kernel, &y, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
  float values[3];
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, y, NULL));
  assert_close(values[2], 4, 0);
  assert_status(call("y += 2"), GPUARR_ERR_NO_COMPILER);
  gpuarr_array_release(y);
  gpuarr_elementwise_release(kernel);
}

int main(void) {
  if (!test_device_is_host()) return 77; /* kernels on a GPU need no C++ compiler */
  usual_path = strdup(getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin:/bin");
  setenv("PATH", "/nonexistent", 1);
  unsetenv("GPUARR_CXX");
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_need_none),
      cmocka_unit_test(kernels_say_what_is_missing),
      cmocka_unit_test(what_is_compiled_goes_on),
  };
  int failed = run_suite(tests);
  free(usual_path);
  return failed;
}
