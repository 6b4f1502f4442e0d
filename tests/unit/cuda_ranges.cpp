// Ranges reach the tool that $NVTX_INJECTION64_PATH names: the user's, and those of kernels.
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "check.hpp"
#include "gpuarr.h"

namespace {

std::string record() {
  void* library = dlopen(std::getenv("NVTX_INJECTION64_PATH"), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return "not loaded";
  auto* read = reinterpret_cast<const char* (*)()>(dlsym(library, "fake_nvtx_record"));
  return read();
}

void ok(gpuarr_status status) {
  if (status != GPUARR_OK) check::report(__FILE__, __LINE__) << gpuarr_last_error() << '\n';
}

void run_kernel(const char* name) {
  gpuarr_device* device = nullptr;
  gpuarr_kernel_options* options = nullptr;
  gpuarr_elementwise* kernel = nullptr;
  gpuarr_array* out = nullptr;
  const gpuarr_arg input = gpuarr_arg_f32(2);
  const int64_t shape = 4;
  ok(gpuarr_device_open(&device, "host"));
  ok(gpuarr_kernel_options_create(&options));
  ok(gpuarr_kernel_options_set_name(options, name));
  ok(gpuarr_array_empty(&out, device, GPUARR_F32, 1, &shape, 0, nullptr));
  ok(gpuarr_elementwise_create(&kernel, "float32 x", "raw float32 y", "y[i] = x;", options));
  ok(gpuarr_elementwise_call(kernel, &out, 1, &input, 1, 4, nullptr));
  gpuarr_array_release(out);
  gpuarr_elementwise_release(kernel);
  gpuarr_kernel_options_release(options);
}

}  // namespace

int main() {
  if (std::getenv("NVTX_INJECTION64_PATH") == nullptr) {
    std::cerr << "skipped: set NVTX_INJECTION64_PATH to libfake_nvtx.so\n";
    return 77;
  }
  setenv("GPUARR_CACHE", "off", 1);
  ok(gpuarr_profile_push("my own"));
  CHECK_EQ(record(), "push my own\n");
  run_kernel("within");
  ok(gpuarr_profile_pop());
  CHECK_EQ(record(), "push my own\npush compile within\npop\npush within\npop\npop\n");
  return check::result();
}
