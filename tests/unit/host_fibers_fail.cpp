// Launches of raw kernels that fail: what is said of them, and that all goes on.
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

#include "failing_new.hpp"
#include "glue_build.hpp"
#include "host/glue/fiber_switch.hpp"

using namespace gpuarr;
using glue_test::flat;
using glue_test::GlueModule;

namespace {

const char* const source = R"cuda(
KERNEL void loop_assert(const int* x, int n, int* done) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(x[i] >= 0);
  done[blockIdx.x] = 1;
}
KERNEL void ring_assert(const int* x) {
  __syncthreads();
  assert(x[threadIdx.x] >= 0);
  __syncthreads();
}
KERNEL void trap(int thread) {
  __syncthreads();
  if (threadIdx.x == thread) __trap();
  __syncthreads();
}
KERNEL void split() {
  if (threadIdx.x == 5)
    __shfl_sync(0xffffffff, 1, 0);
  else
    __syncthreads();
}
KERNEL void masks() {
  if (threadIdx.x < 3)
    __syncwarp(0xff);
  else if (threadIdx.x < 40)
    __ballot_sync(0xffffffff, 1);
}
KERNEL void foreign() { __syncwarp(threadIdx.x == 7 ? 0xf : 0xffffffff); }
KERNEL void grid() { gpuarr_grid_barrier(); }
KERNEL void grid_ends() {
  if (blockIdx.x != 2) gpuarr_grid_barrier();
}
KERNEL void grid_splits() {
  if (threadIdx.x < 10)
    gpuarr_grid_barrier();
  else
    __syncthreads();
}
KERNEL void grid_assert() {
  gpuarr_grid_barrier();
  assert(blockIdx.x != 3);
  gpuarr_grid_barrier();
}
__device__ __attribute__((noinline)) int down(int n) {
  volatile int frame[64];
  for (int i = 0; i < 64; ++i) frame[i] = n + 1;
  return n == 0 ? frame[3] : down(n - 1) + frame[n % 64];
}
KERNEL void recurse(int* out, int deep) {
  __syncthreads();
  out[threadIdx.x] = down(threadIdx.x == 9 ? deep : 1);
}
KERNEL void large(int* out, int n) {
  volatile int frame[50000];
  for (int i = 0; i < n; ++i) frame[i * 100] = i;
  __syncthreads();
  out[threadIdx.x] = frame[0];
}
__device__ __attribute__((noinline)) int of_length(int n) {
  volatile int frame[n];
  for (int i = 0; i < n; ++i) frame[i] = i;
  return frame[n / 2];
}
KERNEL void lengths(int* out, int n) {
  __syncwarp();
  out[threadIdx.x] = of_length(threadIdx.x == 40 ? n : 10);
}
KERNEL void misjudged() { __syncthreads(); }
KERNEL void misjudged_ring() { __syncwarp(); }
KERNEL void good(int* out) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
static const gpuarr_kernel gpuarr_kernels[] = {
    GPUARR_KERNEL("loop_assert", 0, 0, loop_assert)
    GPUARR_KERNEL("loop_assert2", 2, 0, loop_assert)
    GPUARR_KERNEL("ring_assert", 1, 0, ring_assert)
    GPUARR_KERNEL("ring_assert2", 2, 0, ring_assert)
    GPUARR_KERNEL("trap", 1, 0, trap)
    GPUARR_KERNEL("split", 2, 0, split)
    GPUARR_KERNEL("masks", 2, 0, masks)
    GPUARR_KERNEL("foreign", 2, 0, foreign)
    GPUARR_KERNEL("grid", 2, 0, grid)
    GPUARR_KERNEL("grid_ends", 2, 0, grid_ends)
    GPUARR_KERNEL("grid_splits", 2, 0, grid_splits)
    GPUARR_KERNEL("grid_assert", 2, 0, grid_assert)
    GPUARR_KERNEL("recurse", 1, 0, recurse)
    GPUARR_KERNEL("large", 1, 0, large)
    GPUARR_KERNEL("lengths", 2, 0, lengths)
    GPUARR_KERNEL("misjudged", 0, 0, misjudged)
    GPUARR_KERNEL("misjudged_ring", 1, 0, misjudged_ring)
    GPUARR_KERNEL("good", 1, 0, good)
    GPUARR_KERNEL("good2", 2, 0, good)
    {}};
static const gpuarr_global gpuarr_globals[] = {{}};
GPUARR_TABLE
)cuda";

const glue_test::Shape cooperative = {{5, 1, 1}, {32, 1, 1}, 0, true};

void check_good(const GlueModule& module, const char* name) {
  std::vector<int> out(4 * 100, -1);
  module.launch(name, flat(4, 100), out.data());
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i] != 99 - static_cast<int>(i % 100)) CHECK_EQ(out[i], -1);
}

/// The launch fails as said, and the next ones do well.
template <class... A>
void check_fails(const GlueModule& module, gpuarr_status status, const char* part, const char* name,
                 const glue_test::Shape& shape, const A&... arguments) {
  CHECK_FAILS(status, part, [&] { module.launch(name, shape, arguments...); });
  check_good(module, "good");
  check_good(module, "good2");
}

void test_assert(const GlueModule& module) {
  std::vector<int> x(64 * 1000, 1);
  x[64 * 3 + 5] = -1;
  for (const char* name : {"loop_assert", "loop_assert2"}) {
    std::vector<int> done(1000);
    const std::string where = std::string("kernel \"") + name +
                              "\", block (3,0,0), thread (5,0,0): assertion \"x[i] >= 0\" failed "
                              "at source:5";
    check_fails(module, GPUARR_ERR_ASSERT, where.c_str(), name, flat(1000, 64), x.data(),
                static_cast<int>(x.size()), done.data());
    CHECK_EQ(done[999], 0);  // blocks that had not begun never do
  }
  for (const char* name : {"ring_assert", "ring_assert2"})
    check_fails(module, GPUARR_ERR_ASSERT, "thread (197,0,0): assertion \"x[threadIdx.x] >= 0\"",
                name, flat(1, 256), x.data());
  check_fails(module, GPUARR_ERR_ASSERT, "thread (70,0,0): __trap() was called", "trap",
              flat(20, 128), 70);
}

void test_nobody_can_go_on(const GlueModule& module) {
  check_fails(
      module, GPUARR_ERR_SYNC,
      "kernel \"split\", block (0,0,0): no thread can go on: 63 wait at __syncthreads() and "
      "1 wait at __shfl_sync(); thread (5,0,0), lane 5, waits there for lanes 0xffffffdf",
      "split", flat(1, 64));
  check_fails(module, GPUARR_ERR_SYNC,
              "3 wait at __syncwarp() and 29 wait at __ballot_sync(), 18 have ended", "masks",
              flat(1, 50));
  check_fails(module, GPUARR_ERR_SYNC,
              "__syncwarp() is called with the mask 0x0000000f by lane 7, which is not in it",
              "foreign", flat(2, 32));
}

// Where allocations fail, also while a thread's stack is in use, the launch fails and no more.
void test_no_memory(const GlueModule& module) {
  for (const char* name : {"split", "foreign"}) {
    int failures = 0;
    for (bool told = false; !told; ++failures) {
      good_allocations = failures;
      try {
        module.launch(name, flat(1, 64));
      } catch (const std::bad_alloc&) {
      } catch (const Error& error) {
        told = error.status() == GPUARR_ERR_SYNC;
      }
      good_allocations = -1;
    }
    CHECK(failures > 1);
  }
  check_good(module, "good");
}

void test_grid(const GlueModule& module) {
  check_fails(module, GPUARR_ERR_SYNC, "for which the launch must be cooperative", "grid",
              flat(3, 32));
  check_fails(module, GPUARR_ERR_SYNC,
              "4 blocks wait at the barrier of the grid, and 1 have ended without it", "grid_ends",
              cooperative);
  check_fails(module, GPUARR_ERR_SYNC, "22 wait at __syncthreads() and 10 wait at grid.sync()",
              "grid_splits", cooperative);
  check_fails(module, GPUARR_ERR_ASSERT, "block (3,0,0), thread (0,0,0): assertion", "grid_assert",
              cooperative);
  check_fails(module, GPUARR_ERR_ARGUMENT,
              "cooperative launch of 1000 blocks of 1024 threads; at most 32 such blocks", "grid",
              {{1000, 1, 1}, {1024, 1, 1}, 0, true});
}

// With and without a sanitizer's larger frames, this ends between one stack and the next.
void test_stack(const GlueModule& module) {
  std::vector<int> out(64);
  check_fails(module, GPUARR_ERR_FAULT, "thread (9,0,0): it uses more than 96 KiB of stack",
              "recurse", flat(1, 64), out.data(), 400);
  if (!host::stacks_are_limited) return;
  check_fails(module, GPUARR_ERR_FAULT, "block (0,0,0), thread (9,0,0): it uses more", "recurse",
              flat(1, 64), out.data(), 1 << 30);
  check_fails(module, GPUARR_ERR_FAULT, "thread (0,0,0): it uses more", "large", flat(20, 64),
              out.data(), 500);
  check_fails(module, GPUARR_ERR_FAULT, "thread (40,0,0): it uses more", "lengths", flat(1, 64),
              out.data(), 1 << 20);
}

void test_misjudged(const GlueModule& module) {
  check_fails(module, GPUARR_ERR_INTERNAL, "which a loop over threads cannot", "misjudged",
              flat(1, 32));
  check_fails(module, GPUARR_ERR_ARGUMENT, "blocks of 1025 threads", "good", flat(1, 1025));
}

// ThreadSanitizer takes long to make fibers.
#if defined(__SANITIZE_THREAD__)
constexpr int often = 5;
#else
constexpr int often = 20;
#endif

void test_many_callers(const GlueModule& module) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&, c] {
      for (int i = 0; i < often; ++i) {
        const int thread = (c + i) % 3 == 0 ? 40 : 1000;  // the latter never comes
        try {
          module.launch("trap", flat(5, 64), thread);
          wrong += thread == 40 ? 1 : 0;
        } catch (const Error& error) {
          wrong += thread == 40 && error.status() == GPUARR_ERR_ASSERT ? 0 : 1;
        }
      }
    });
  for (std::thread& caller : callers) caller.join();
  CHECK_EQ(wrong.load(), 0);
}

}  // namespace

int main() {
  setenv("GPUARR_NUM_THREADS", "1", 1);
  const GlueModule module(source);
  check_good(module, "good");
  test_assert(module);
  test_nobody_can_go_on(module);
  test_no_memory(module);
  test_grid(module);
  test_stack(module);
  test_misjudged(module);
  test_many_callers(module);
  return check::result();
}
