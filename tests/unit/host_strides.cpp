// Loops in which each thread goes through memory in strides: all threads do one pass together.
#include <string>
#include <vector>

#include "glue_build.hpp"
#include "seed.hpp"
#include "split_build.hpp"

using split_test::Module;

namespace {

const std::string head = R"cuda(
#include <stdint.h>
constexpr int most = 1024;
__device__ int doubled(int x) { return 2 * x; }
#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in, int n)
)cuda";

// Each is cut, if only for such a loop.
const std::string strided = head + R"cuda(
KERNEL(grid) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = in[i] + 1;
}
KERNEL(grid_while) {
  int at = threadIdx.x + blockIdx.x * blockDim.x;
  while (at < n) {
    out[at] = in[at] + 1;
    at += blockDim.x * gridDim.x;
  }
}
KERNEL(grid_no_init) {
  int at = threadIdx.x + blockIdx.x * blockDim.x;
  const int first = at;
  for (; at < n; at += blockDim.x * gridDim.x) out[at] = in[at] + first;
}
KERNEL(grid_unsigned) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x, stride = blockDim.x * gridDim.x;
  for (unsigned i = index; i < n; i += stride) out[i] += in[i] * 3;
}
KERNEL(grid_size) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= n - 1;
       i += (size_t)blockDim.x * gridDim.x) {
    if (in[i] % 2) continue;
    out[i] = in[i] / 2;
  }
}
KERNEL(grid_long) {
  const int64_t stride = (int64_t)gridDim.x * blockDim.x;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += stride) {
    switch (in[i] % 3) {
      case 0: out[i] = 5; break;
      case 1: continue;
      default: for (int k = 0; k < 9; ++k) { if (k > in[i]) break; out[i] += k; }
    }
    out[i + n / 2] = out[i];
  }
}
KERNEL(two_loops) {
  const int i0 = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int i = i0; i < n; i += all) out[i] = in[i];
  for (int i = i0; i < n; i += all) { int j = i * 2; out[i] += j; }
}
KERNEL(sums) {
  int sum = 0, least = 1 << 30;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += in[i];
    least = min(least, in[i]);
  }
  if (blockIdx.x == 0) out[threadIdx.x] = sum + least;
}
KERNEL(reduced) {
  __shared__ int s[most];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += doubled(in[i]);
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int h = most / 2; h > 0; h /= 2) {
    if (threadIdx.x < h && threadIdx.x + h < blockDim.x) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
KERNEL(rows) {
  __shared__ int most_of_row;
  const int columns = 37, count = n / columns;
  for (int row = blockIdx.x; row < count; row += gridDim.x) {
    if (threadIdx.x == 0) most_of_row = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < columns; k += blockDim.x)
      atomicMax(&most_of_row, in[row * columns + k]);
    __syncthreads();
    for (int k = threadIdx.x; k < columns; k += blockDim.x)
      out[row * columns + k] = most_of_row - in[row * columns + k];
    __syncthreads();
  }
}
KERNEL(plane) {
  const int width = 29, height = n / width;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += blockDim.y * gridDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += blockDim.x * gridDim.x)
      out[y * width + x] = in[y * width + x] - 1;
}
KERNEL(own_memory) {  // what a thread does in one pass, it sees in the next
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = at; k < n; k += gridDim.x * blockDim.x) out[at] = 3 * out[at] + in[k];
}
template <int Times> __global__ void typed(int* out, const int* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] * Times;
}
)cuda";

// Loops that stay as they are.
const std::string kept = head + R"cuda(
KERNEL(leaves) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (in[i] > 900) break;
    out[i] = 1;
  }
}
KERNEL(returns) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (in[i] > 900) return;
    out[i] = 1;
  }
}
KERNEL(changes) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (in[i] > 500) i += blockDim.x * gridDim.x;
    if (i < n) out[i] = 1;
  }
}
KERNEL(hidden) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int& r = i;
    r += 0;
    out[i] = 1;
  }
}
KERNEL(limit_in_memory) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < in[i]; i += blockDim.x * gridDim.x)
    out[i] = 1;
}
KERNEL(other_limit) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n && in[i] < 900;
       i += blockDim.x * gridDim.x)
    out[i] = 1;
}
KERNEL(asked_later) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = i;
  while (i < n) {
    out[i] = 1;
    i += blockDim.x * gridDim.x;
  }
  if (first < n) out[first] = i;
}
KERNEL(narrow) {
  for (unsigned char i = threadIdx.x; i < n && i < 100; i += blockDim.x) out[i] = 1;
}
KERNEL(own_steps) {
  for (int i = threadIdx.x; i < n; i += 64) out[i] = blockIdx.x + 1;
}
)cuda";

std::vector<int> run(const gpuarr_kernel& kernel, const glue_test::Shape& shape,
                     const std::vector<int>& in) {
  return split_test::run(kernel, shape.grid, shape.block, in);
}

bool is_cut(const gpuarr_kernel& kernel) { return kernel.split != nullptr; }

void test_results(uint64_t seed) {
  const Module module(strided, {"typed<3>"});
  for (const gpuarr_kernel& kernel : module.kernels()) {
    if (!is_cut(kernel)) check::report(__FILE__, __LINE__) << kernel.name << " was not cut\n";
    gpuarr_kernel plain = kernel;
    plain.split = nullptr;
    for (const size_t n : {1U, 31U, 256U, 1000U, 5000U})
      for (const glue_test::Shape& shape :
           {glue_test::flat(1, 1), glue_test::flat(3, 100), glue_test::flat(8, 256),
            glue_test::flat(2, 1024), glue_test::Shape{{2, 2, 1}, {8, 4, 1}}}) {
        const std::vector<int> in = split_test::numbers(n + 1024 + 16, seed++);
        // Along y the others do the same once more, which is a race.
        if (shape.grid.y > 1 && std::string(kernel.name) != "plane") continue;
        if (run(kernel, shape, in) != run(plain, shape, in))
          check::report(__FILE__, __LINE__)
              << kernel.name << ", " << n << " elements, blocks of " << shape.block.x << '\n';
      }
  }
}

// By what they are to do, and not only as they do it otherwise.
void test_elements() {
  const Module module(strided);
  const std::vector<int> in = split_test::numbers(100016, 7);
  for (const gpuarr_kernel& kernel : module.kernels()) {
    const std::string name = kernel.name;
    if (name != "grid" && name != "grid_while") continue;
    for (const unsigned blocks : {1U, 5U, 400U}) {
      const auto out = run(kernel, glue_test::flat(blocks, 96), in);
      int wrong = 0;
      for (size_t i = 0; i < out.size(); ++i)
        if (out[i] != (i < 100000 ? in[i] + 1 : 77)) ++wrong;
      CHECK_EQ(wrong, 0);
    }
  }
}

void test_kept() {
  const Module module(kept);
  CHECK_EQ(module.kernels().size(), 9U);
  for (const gpuarr_kernel& kernel : module.kernels())
    if (is_cut(kernel)) check::report(__FILE__, __LINE__) << kernel.name << " was cut\n";
}

}  // namespace

int main() {
  const uint64_t seed = test_seed();
  test_results(seed);
  test_elements();
  test_kept();
  return check::result();
}
