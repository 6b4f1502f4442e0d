// Kernels cut at their barriers do what they do as fibers.
#include "seed.hpp"
#include "split_build.hpp"
#include "split_kernels.hpp"
#include "split_kernels_kept.hpp"

using split_test::compare;
using split_test::Module;

namespace {

void test_cut(uint64_t seed) {
  const Module module(split_kernels::cut(), {"combined<int, 256, Sum>", "deep::dynamic"});
  for (const gpuarr_kernel& kernel : module.kernels()) {
    if (kernel.split == nullptr)
      check::report(__FILE__, __LINE__) << kernel.name << " was not cut\n";
    compare(kernel, {2, 1, 1}, {256, 1, 1}, seed);
    compare(kernel, {1, 2, 1}, {16, 8, 1}, seed + 1);
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

// What tokens do not show is found when the cut text does not compile: all of the module stays as
// it was written.
const char* const surprises[] = {
    R"(
extern "C" __global__ void hidden(int* out, const int* in, int n) {
  int t = threadIdx.x;
  __syncthreads();
  { int& r = t; r += 100; }
  __syncthreads();
  out[threadIdx.x] = t;
})",
    R"(
template <class T> struct Changes { __device__ Changes(T& x) { x += 100; } };
extern "C" __global__ void constructed(int* out, const int* in, int n) {
  int t = threadIdx.x;
  __syncthreads();
  { Changes c(t); }
  __syncthreads();
  out[threadIdx.x] = t;
})",
    R"(
struct Counted { int x = 100; __device__ Counted& operator++() { ++x; return *this; } };
extern "C" __global__ void with_values(int* out, const int* in, int n) {
  Counted c;
  __syncthreads();
  out[threadIdx.x] = c.x + threadIdx.x;
})",
    R"(
extern "C" __global__ void large(int* out, const int* in, int n) {
  int a[100];
  for (int k = 0; k < 100; ++k) a[k] = k;
  __syncthreads();
  int sum = 100 + threadIdx.x;
  for (int k = 0; k < 100; ++k) sum += a[k] - k;
  out[threadIdx.x] = sum;
})"};

void test_surprises() {
  for (const char* text : surprises) {
    const Module module(text);
    const gpuarr_kernel& kernel = module.kernels()[0];
    if (kernel.split != nullptr) check::report(__FILE__, __LINE__) << kernel.name << " was cut\n";
    const auto out = split_test::run(kernel, {1, 1, 1}, {20, 1, 1}, std::vector<int>(36));
    for (int i = 0; i < 20; ++i) CHECK_EQ(out[static_cast<size_t>(i)], 100 + i);
  }
}

}  // namespace

int main() {
  const uint64_t seed = test_seed();
  test_cut(seed);
  test_kept();
  test_surprises();
  return check::result();
}
