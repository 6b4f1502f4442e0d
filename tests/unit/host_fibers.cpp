// Raw kernels whose threads wait for each other at barriers of the block and of the grid, against
// what the same steps come to when they are done one after the other.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <vector>

#include "glue_build.hpp"

using namespace gpuarr;
using glue_test::flat;
using glue_test::GlueModule;

namespace {

const char* const source = R"cuda(
extern "C" unsigned long pthread_self() noexcept;
KERNEL void tree(const int* x, long long* out, int n) {
  __shared__ long long s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
// Sums of what is before, with the barriers in a function that is called.
__device__ __attribute__((noinline)) int step(int* row, int distance) {
  const int t = threadIdx.x;
  const int before = t >= distance ? row[t - distance] : 0;
  __syncthreads();
  row[t] += before;
  __syncthreads();
  return row[t];
}
KERNEL void scan(int* x) {
  int* row = (int*)gpuarr_dynamic_shared();
  row[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  int sum = row[threadIdx.x];
  for (int k = 1; k < (int)blockDim.x; k *= 2) sum = step(row, k);
  x[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// Thread t goes through t barriers and ends; what is counted is who is left.
KERNEL void leave(int* out) {
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int sum = 0;
  for (int i = 0; i < t; ++i) {
    sum += __syncthreads_count(t % 2);
    sum += 1000 * __syncthreads_and(t > i);
    sum += 100000 * __syncthreads_or(t == i + 1);
  }
  out[blockIdx.x * 64 + t] = sum;
}
__device__ __attribute__((noinline)) int deep(int n) {
  volatile char frame[200];
  frame[n % 200] = 1;
  __syncthreads();
  return n == 0 ? 0 : deep(n - 1) + frame[n % 200];
}
KERNEL void frames(int* out, int depth) {
  volatile double big[4096];
  for (int i = 0; i < 4096; i += 64) big[i] = i;
  out[blockIdx.x * blockDim.x + threadIdx.x] = deep(depth) + (big[64 * 3] == 192);
}
KERNEL void where(unsigned long* out) {
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = pthread_self();
}
// Rounds in which each block takes what its neighbour left, by the grid's barrier.
KERNEL void rounds(int* values, int* next, int count) {
  __shared__ int kept[2];
  int* own = (int*)gpuarr_dynamic_shared();
  const int b = blockIdx.x, n = gridDim.x, t = threadIdx.x;
  if (t < 2) kept[t] = b * 2 + t;
  own[t] = t;
  for (int i = 0; i < count; ++i) {
    gpuarr_grid_barrier();
    if (t == 0) next[b] = values[(b + 1) % n] + kept[1] - 2 * (int)blockIdx.x + own[0];
    gpuarr_grid_barrier();
    if (t == 0) values[b] = next[b];
    __syncthreads();
  }
  if (t == 1) next[b] = kept[0] == 2 * b && own[t] == 1;
}
static const gpuarr_kernel gpuarr_kernels[] = {
    GPUARR_KERNEL("tree", 1, 0, tree)
    GPUARR_KERNEL("tree2", 2, 0, tree)
    GPUARR_KERNEL("scan", 1, 0, scan)
    GPUARR_KERNEL("scan2", 2, 0, scan)
    GPUARR_KERNEL("leave", 1, 0, leave)
    GPUARR_KERNEL("leave2", 2, 0, leave)
    GPUARR_KERNEL("frames", 1, 0, frames)
    GPUARR_KERNEL("where", 1, 0, where)
    GPUARR_KERNEL("rounds", 2, 0, rounds)
    {}};
static const gpuarr_global gpuarr_globals[] = {{}};
GPUARR_TABLE
)cuda";

// ThreadSanitizer takes long to make fibers, and cannot have threads made after a fork.
#if defined(__SANITIZE_THREAD__)
constexpr unsigned many = 2;  // blocks
constexpr int often = 1;
constexpr bool forks = false;
#else
constexpr unsigned many = 50;
constexpr int often = 25;
constexpr bool forks = true;
#endif

bool tree_is_right(const GlueModule& module, const char* name, unsigned block) {
  std::vector<int> x(size_t{many} * block - block / 10);
  std::iota(x.begin(), x.end(), -100);
  std::vector<long long> out(many);
  module.launch(name, flat(many, block), x.data(), out.data(), static_cast<int>(x.size()));
  return std::accumulate(out.begin(), out.end(), 0LL) == std::accumulate(x.begin(), x.end(), 0LL);
}

void test_barriers(const GlueModule& module) {
  for (const unsigned block : {1U, 2U, 32U, 256U, 1024U}) {
    CHECK(tree_is_right(module, "tree", block));
    CHECK(tree_is_right(module, "tree2", block));
  }
  for (const char* name : {"scan", "scan2"})
    for (const unsigned block : {1U, 33U, 200U}) {
      std::vector<int> x(size_t{3} * block, 2);
      module.launch(name, {{3, 1, 1}, {block, 1, 1}, block * 4}, x.data());
      for (size_t i = 0; i < x.size(); ++i)
        if (x[i] != static_cast<int>(2 * (i % block + 1))) CHECK_EQ(x[i], -1);
    }
}

void test_threads_that_end(const GlueModule& module) {
  for (const char* name : {"leave", "leave2"}) {
    std::vector<int> out(size_t{many} * 64, -1);
    module.launch(name, {{many, 1, 1}, {4, 2, 8}}, out.data());
    for (size_t at = 0; at < out.size(); ++at) {
      const int t = static_cast<int>(at % 64);
      int sum = 0;
      for (int i = 0; i < t; ++i) {
        for (int other = i + 1; other < 64; ++other) sum += other % 2;
        sum += 1000 + 100000;
      }
      CHECK_EQ(out[at], sum);
    }
  }
}

void test_stacks(const GlueModule& module) {
  std::vector<int> out(512, -1);
  module.launch("frames", flat(2, 256), out.data(), 50);
  for (int value : out) CHECK_EQ(value, 51);
}

void test_threads_are_the_pools(const GlueModule& module) {
  std::vector<pthread_t> out(20);
  module.launch("where", flat(20, 32), out.data());
  for (pthread_t thread : out) CHECK(thread != 0 && thread != pthread_self());
}

void test_grid(const GlueModule& module) {
  for (const unsigned blocks : {1U, 2U, 37U}) {
    std::vector<int> values(blocks), next(blocks, -1);
    std::iota(values.begin(), values.end(), 0);
    module.launch("rounds", {{blocks, 1, 1}, {40, 1, 1}, 160, true}, values.data(), next.data(), 5);
    for (unsigned b = 0; b < blocks; ++b) {
      CHECK_EQ(values[b], static_cast<int>((b + 5) % blocks) + 5);
      CHECK_EQ(next[b], 1);
    }
  }
}

void test_many_callers(const GlueModule& module) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 5; ++c)
    callers.emplace_back([&, c] {
      for (int i = 0; i < often; ++i)
        wrong += tree_is_right(module, (c + i) % 2 == 0 ? "tree" : "tree2", 64) ? 0 : 1;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK_EQ(wrong.load(), 0);
}

void test_fork(const GlueModule& module) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(tree_is_right(module, "tree", 128) && tree_is_right(module, "tree2", 256) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
}

}  // namespace

int main() {
  setenv("GPUARR_NUM_THREADS", "3", 1);
  const GlueModule module(source);
  test_barriers(module);
  test_threads_that_end(module);
  test_stacks(module);
  test_threads_are_the_pools(module);
  test_grid(module);
  // Before the callers: where the pool is taken, a thread made for one launch may be ending still,
  // and AddressSanitizer's allocator keeps the lock that such a thread had for ever in a child.
  if (forks) test_fork(module);
  test_many_callers(module);
  return check::result();
}
