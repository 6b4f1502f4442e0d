/* See checks.h. */
#include "checks.h"

#include <stdlib.h>
#include <string.h>

#include "raws.h"

void skip_unless_the_cpu_checks(void) {
  const char* compiler = getenv("GPUARR_CXX");
  if (test_device_is_host() && (compiler == NULL || strstr(compiler, "clang") == NULL)) return;
  skip_program("it is the CPU device with g++ that checks kernels so");
}

static gpuarr_kernel_options* options_with(int32_t checks) {
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_check(options, checks));
  return options;
}

gpuarr_module* checked_module(const char* source, int32_t checks) {
  gpuarr_kernel_options* options = options_with(checks);
  gpuarr_module* module = NULL;
  assert_ok(gpuarr_module_create(&module, source, options));
  gpuarr_kernel_options_release(options);
  return module;
}

static gpuarr_module* module_of_all;

gpuarr_module* checked_module_of_all(const char* source, int32_t checks) {
  return module_of_all = checked_module(source, checks);
}

int release_module_of_all(void** state) {
  gpuarr_module_release(module_of_all);
  return check_nothing_lives(state);
}

gpuarr_raw* checked_raw(const char* source, const char* name, int32_t checks) {
  gpuarr_kernel_options* options = options_with(checks);
  gpuarr_raw* kernel = NULL;
  assert_ok(gpuarr_raw_create(&kernel, source, name, NULL, options));
  gpuarr_kernel_options_release(options);
  return kernel;
}

gpuarr_status run_and_wait(gpuarr_module* module, const char* name, int64_t blocks, int64_t threads,
                           int64_t shared, const gpuarr_arg* args, int32_t count) {
  gpuarr_raw* kernel = kernel_of(module, name);
  const int64_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
  gpuarr_status status = gpuarr_raw_launch(kernel, grid, block, shared, args, count, NULL);
  gpuarr_raw_release(kernel);
  return status == GPUARR_OK ? gpuarr_device_synchronize(open_test_device()) : status;
}
