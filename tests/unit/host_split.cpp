// Kernels cut at their barriers do what they do as fibers.
#include "seed.hpp"
#include "split_build.hpp"
#include "split_kernels.hpp"

using split_test::compare;
using split_test::Module;

namespace {

void test_cut(uint64_t seed) {
  const Module module(split_kernels::cut, {"combined<int, 64, Sum>", "deep::dynamic"});
  for (const gpuarr_kernel& kernel : module.kernels()) {
    if (kernel.split == nullptr)
      check::report(__FILE__, __LINE__) << kernel.name << " was not cut\n";
    compare(kernel, {3, 1, 1}, {256, 1, 1}, seed);
    compare(kernel, {2, 2, 1}, {16, 16, 1}, seed + 1);
    compare(kernel, {1, 2, 3}, {5, 3, 4}, seed + 2);
    compare(kernel, {2, 1, 1}, {1, 1, 1}, seed + 3);
  }
}

void test_kept() {
  const Module module(split_kernels::kept, {"special<1>", "special<2>", "functor<Waiter>"});
  CHECK_EQ(module.kernels().size(), 21U);
  for (const gpuarr_kernel& kernel : module.kernels())
    if (kernel.split != nullptr) check::report(__FILE__, __LINE__) << kernel.name << " was cut\n";
}

}  // namespace

int main() {
  const uint64_t seed = test_seed();
  test_cut(seed);
  test_kept();
  return check::result();
}
