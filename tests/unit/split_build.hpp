// Raw modules whose kernels run as fibers too, for the tests of how they are cut.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "host/compile/raw_compiler.hpp"
#include "host/run/launch.hpp"
#include "raw_build.hpp"
#include "temporary_directory.hpp"

namespace split_test {

class Module {
 public:
  explicit Module(const std::string& text, std::vector<std::string> instances = {}) {
    const std::string path = directory_ / "built.so";
    write_file(path, gpuarr::host::compile_raw_source(raw_source(text, std::move(instances))));
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) check::report(__FILE__, __LINE__) << dlerror() << '\n';
    const auto* table = static_cast<const gpuarr_table*>(dlsym(handle, "gpuarr_module_table"));
    kernels_.assign(table->kernels, table->kernels + table->kernel_count);
  }

  const std::vector<gpuarr_kernel>& kernels() const { return kernels_; }

 private:
  TemporaryDirectory directory_;
  std::vector<gpuarr_kernel> kernels_;
};

inline std::vector<int> run(const gpuarr_kernel& kernel, gpuarr_dim grid, gpuarr_dim block,
                            const std::vector<int>& in) {
  std::vector<int> out(in.size(), 77);
  struct {
    int* out;
    const int* in;
    int n;
  } arguments = {out.data(), in.data(), static_cast<int>(in.size()) - 16};
  gpuarr_launch launch = {};
  launch.arguments = reinterpret_cast<const unsigned char*>(&arguments);
  launch.grid = grid;
  launch.block = block;
  launch.shared_bytes = 4096;
  gpuarr::host::run_raw(kernel, launch);
  return out;
}

inline std::vector<int> numbers(size_t count, uint64_t seed) {
  std::vector<int> out(count);
  for (int& x : out) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    x = static_cast<int>(seed >> 40) % 1000;
  }
  return out;
}

/// Runs it both ways.
inline void compare(const gpuarr_kernel& kernel, gpuarr_dim grid, gpuarr_dim block, uint64_t seed) {
  const size_t count = size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
  const std::vector<int> in = numbers(count + 16, seed);
  gpuarr_kernel fibers = kernel;
  fibers.split = nullptr;
  const auto expected = run(fibers, grid, block, in), actual = run(kernel, grid, block, in);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    check::report(__FILE__, __LINE__)
        << kernel.name << ", blocks of " << block.x << 'x' << block.y << 'x' << block.z
        << ": element " << i << " is " << actual[i] << ", expected " << expected[i] << '\n';
    return;
  }
}

}  // namespace split_test
