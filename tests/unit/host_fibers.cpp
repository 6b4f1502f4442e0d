// Raw kernels whose threads wait for each other: barriers, warp operations, the grid, against what
// the same steps come to when they are done one after the other.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "glue_build.hpp"
#include "seed.hpp"

using namespace gpuarr;
using glue_test::flat;
using glue_test::GlueModule;
using glue_test::Shape;

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
template <class T>
struct several {
  T first, second, third;
};
template <class T>
KERNEL void shuffles(T* out, int by, int width) {
  const int t = threadIdx.x;
  const T value = (T)(t * 3 + 1);
  out[t * 4] = __shfl_sync(0xffffffff, value, by + t, width);
  out[t * 4 + 1] = __shfl_up_sync(0xffffffff, value, by, width);
  out[t * 4 + 2] = __shfl_down_sync(0xffffffff, value, by, width);
  out[t * 4 + 3] = __shfl_xor_sync(0xffffffff, several<T>{0, value, 0}, by, width).second;
}
KERNEL void votes(const int* x, unsigned* out) {
  const int t = threadIdx.x;
  unsigned* mine = out + t * 12;
  mine[0] = __ballot_sync(0xffffffff, x[t]);
  mine[1] = __any_sync(0xffffffff, x[t] > 5);
  mine[2] = __all_sync(0xffffffff, x[t] < 9);
  mine[3] = __match_any_sync(0xffffffff, x[t]);
  int all;
  mine[4] = __match_all_sync(0xffffffff, x[t] / 100.0, &all);
  mine[5] = all;
  mine[6] = __reduce_add_sync(0xffffffff, x[t]);
  mine[7] = __reduce_max_sync(0xffffffff, (unsigned)x[t]);
  mine[8] = __reduce_min_sync(0xffffffff, x[t] - 5);
  mine[9] = __reduce_xor_sync(0xffffffff, (unsigned)x[t]);
  mine[10] = __reduce_and_sync(0xffffffff, x[t] | 8u);
  mine[11] = __reduce_or_sync(0xffffffff, (unsigned)x[t]);
}
// Without masks: those that come together.
KERNEL void together(unsigned* out) {
  const int t = threadIdx.x, lane = t % 32;
  unsigned* mine = out + t * 4;
  for (int i = 0; i <= lane % 4; ++i) mine[0] = __activemask();
  if (lane < 10) {
    mine[1] = __ballot(lane % 2);
    mine[2] = __shfl(lane, 3);
  } else {
    mine[1] = __ballot(lane % 3 == 0);
    mine[2] = __shfl_down(lane, 1);
  }
  __syncwarp();
  mine[3] = __all(1) + 2 * __any(lane == 31);
}
// Each thread follows a program: step k has for it a mask (0: not taking part), and maybe a barrier
// of the block before it. It ends after its last step.
KERNEL void programs(const unsigned* masks, const unsigned char* barriers, const int* lengths,
                     unsigned* values, int steps) {
  const int t = threadIdx.x, n = blockDim.x;
  unsigned v = values[t];
  for (int k = 0; k < lengths[t]; ++k) {
    if (barriers[k]) v += __syncthreads_count(v & 1);
    const unsigned mask = masks[k * n + t];
    if (mask == 0) continue;
    switch (k % 4) {
      case 0: v = v * 5 + __shfl_xor_sync(mask, v, 1); break;
      case 1: v ^= __ballot_sync(mask, v & 4); break;
      case 2: v += __reduce_add_sync(mask, v); break;
      case 3: v = v * 3 + __popc(__match_any_sync(mask, v & 3)); break;
    }
  }
  values[t] = v;
}
// A thread waits for another one of its warp, which comes later.
KERNEL void handover(int* out) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = blockDim.x - 1;
  __syncthreads();
  while (turn != (int)threadIdx.x) __nanosleep(100);
  out[threadIdx.x] = turn;
  turn = threadIdx.x - 1;
  __syncwarp(__activemask());
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
    GPUARR_KERNEL("short", 2, 0, shuffles<short>)
    GPUARR_KERNEL("float", 2, 0, shuffles<float>)
    GPUARR_KERNEL("double", 2, 0, shuffles<double>)
    GPUARR_KERNEL("votes", 2, 0, votes)
    GPUARR_KERNEL("together", 2, 0, together)
    GPUARR_KERNEL("programs", 2, 0, programs)
    GPUARR_KERNEL("handover", 2, 0, handover)
    GPUARR_KERNEL("rounds", 2, 0, rounds)
    {}};
static const gpuarr_global gpuarr_globals[] = {{}};
GPUARR_TABLE
)cuda";

// ThreadSanitizer takes long to make fibers, and cannot have threads made after a fork.
#if defined(__SANITIZE_THREAD__)
constexpr unsigned many = 2;  // blocks
constexpr int often = 4;
constexpr bool forks = false;
#else
constexpr unsigned many = 50;
constexpr int often = 100;
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

int source_lane(int kind, int lane, int by, int width) {
  const int first = lane / width * width;
  int from = lane;
  if (kind == 0) from = first + (by + lane) % width;
  if (kind == 1) from = lane - by % 32 >= first ? lane - by % 32 : lane;
  if (kind == 2) from = lane + by % 32 < first + width ? lane + by % 32 : lane;
  if (kind == 3) from = (lane ^ (by % 32)) < first + width ? lane ^ (by % 32) : lane;
  return from;
}

template <class T>
void test_shuffles(const GlueModule& module, const char* name) {
  for (const int width : {2, 8, 32})
    for (const int by : {0, 1, 5, 17, 31}) {
      std::vector<T> out(64 * 4);
      module.launch(name, flat(1, 64), out.data(), by, width);
      int wrong = 0;
      for (int t = 0; t < 64; ++t)
        for (int kind = 0; kind < 4; ++kind) {
          const int from =
              t / 32 * 32 + source_lane(kind, t % 32, kind == 0 ? by + t / 32 * 32 : by, width);
          wrong += out[static_cast<size_t>(t * 4 + kind)] == static_cast<T>(from * 3 + 1) ? 0 : 1;
        }
      CHECK_EQ(wrong, 0);
    }
}

void test_votes(const GlueModule& module, std::mt19937_64& random) {
  for (int repeat = 0; repeat < std::min(often, 20); ++repeat) {
    const size_t n = 20 + random() % 50;
    std::vector<int> x(n);
    for (int& value : x) value = repeat % 4 == 0 ? 3 : static_cast<int>(random() % 10);
    std::vector<unsigned> out(n * 12);
    module.launch("votes", flat(1, static_cast<unsigned>(n)), x.data(), out.data());
    for (size_t t = 0; t < n; ++t) {
      const size_t first = t / 32 * 32;
      const size_t last = std::min(n, first + 32);
      unsigned want[12] = {0, 0, 1, 0, 0, 1, 0, 0, 100, 0, ~0U, 0};
      unsigned members = 0;
      int least = 100;
      for (size_t i = first; i < last; ++i) {
        const unsigned bit = 1U << (i - first);
        const auto value = static_cast<unsigned>(x[i]);
        members |= bit;
        if (x[i] != 0) want[0] |= bit;
        if (x[i] > 5) want[1] = 1;
        if (x[i] >= 9) want[2] = 0;
        if (x[i] == x[t]) want[3] |= bit;
        if (x[i] != x[first]) want[5] = 0;
        want[6] += value;
        want[7] = std::max(want[7], value);
        least = std::min(least, x[i] - 5);
        want[9] ^= value;
        want[10] &= value | 8;
        want[11] |= value;
      }
      want[4] = want[5] != 0 ? members : 0;
      want[8] = static_cast<unsigned>(least);
      for (size_t k = 0; k < 12; ++k)
        if (out[t * 12 + k] != want[k]) CHECK_EQ(out[t * 12 + k], want[k]);
    }
  }
}

void test_together(const GlueModule& module) {
  std::vector<unsigned> out(64 * 4);
  module.launch("together", flat(1, 64), out.data());
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned lane = t % 32;
    const unsigned* mine = out.data() + size_t{t} * 4;
    unsigned active = 0;
    for (unsigned other = 0; other < 32; ++other)
      if (other % 4 >= lane % 4) active |= 1U << other;
    CHECK_EQ(mine[0], active);
    CHECK_EQ(mine[1], lane < 10 ? 0x2aaU : 0x49249000U);
    CHECK_EQ(mine[2], lane < 10 ? 3U : std::min(lane + 1, 31U));
    CHECK_EQ(mine[3], 3U);
  }
}

/// A program for each thread, as the kernel has it, and what it comes to.
struct Programs {
  Programs(std::mt19937_64& random, size_t threads, size_t step_count)
      : n(threads), steps(step_count), masks(n * steps), barriers(steps), lengths(n), values(n) {
    for (auto& value : values) value = static_cast<unsigned>(random());
    for (auto& barrier : barriers) barrier = random() % 4 == 0;
    for (auto& length : lengths)
      length = static_cast<int>(random() % 3 == 0 ? random() % steps : steps);
    for (size_t k = 0; k < steps; ++k)
      for (size_t first = 0; first < n; first += 32) group_lanes(random, k, first);
  }

  bool takes_part(size_t k, size_t t) const { return static_cast<size_t>(lengths[t]) > k; }

  // Lanes into up to three groups, some into none. A mask may name lanes that have ended.
  void group_lanes(std::mt19937_64& random, size_t k, size_t first) {
    const size_t last = std::min(n, first + 32);
    unsigned groups[4] = {};
    std::vector<size_t> group(last - first);
    const size_t kinds = 1 + random() % 4;
    for (size_t i = first; i < last; ++i) {
      group[i - first] = random() % kinds;
      groups[group[i - first]] |= 1U << (i - first);
    }
    for (size_t i = first; i < last; ++i)
      masks[k * n + i] = group[i - first] == 3 ? 0 : groups[group[i - first]];
  }

  void run() {
    for (size_t k = 0; k < steps; ++k) {
      if (barriers[k] != 0) {
        unsigned count = 0;
        for (size_t t = 0; t < n; ++t) count += takes_part(k, t) ? values[t] & 1 : 0;
        for (size_t t = 0; t < n; ++t)
          if (takes_part(k, t)) values[t] += count;
      }
      const std::vector<unsigned> before = values;
      for (size_t t = 0; t < n; ++t)
        if (takes_part(k, t) && masks[k * n + t] != 0) values[t] = result(before, k, t);
    }
  }

  unsigned result(const std::vector<unsigned>& before, size_t k, size_t t) const {
    const size_t first = t / 32 * 32;
    unsigned ballot = 0, sum = 0, same = 0;
    unsigned other = before[t];
    for (size_t i = first; i < std::min(n, first + 32); ++i) {
      if ((masks[k * n + t] >> (i - first) & 1) == 0 || !takes_part(k, i)) continue;
      if ((before[i] & 4) != 0) ballot |= 1U << (i - first);
      sum += before[i];
      if ((before[i] & 3) == (before[t] & 3)) ++same;
      if (i - first == ((t - first) ^ 1)) other = before[i];
    }
    const unsigned v = before[t];
    const unsigned results[] = {v * 5 + other, v ^ ballot, v + sum, v * 3 + same};
    return results[k % 4];
  }

  size_t n, steps;
  std::vector<unsigned> masks;
  std::vector<unsigned char> barriers;
  std::vector<int> lengths;
  std::vector<unsigned> values;
};

void test_programs(const GlueModule& module, std::mt19937_64& random) {
  for (int repeat = 0; repeat < often; ++repeat) {
    Programs programs(random, 1 + random() % 200, 1 + random() % 30);
    std::vector<unsigned> values = programs.values;
    module.launch("programs", flat(1, static_cast<unsigned>(programs.n)), programs.masks.data(),
                  programs.barriers.data(), programs.lengths.data(), values.data(),
                  static_cast<int>(programs.steps));
    programs.run();
    CHECK(values == programs.values);
  }
}

void test_waiting_in_a_loop(const GlueModule& module) {
  std::vector<int> out(100, -1);
  module.launch("handover", flat(1, 100), out.data());
  for (size_t i = 0; i < out.size(); ++i) CHECK_EQ(out[i], static_cast<int>(i));
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
      for (int i = 0; i < often / 4; ++i)
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
  std::mt19937_64 random(test_seed());
  const GlueModule module(source);
  test_barriers(module);
  test_threads_that_end(module);
  test_stacks(module);
  test_threads_are_the_pools(module);
  test_shuffles<short>(module, "short");
  test_shuffles<float>(module, "float");
  test_shuffles<double>(module, "double");
  test_votes(module, random);
  test_together(module);
  test_programs(module, random);
  test_waiting_in_a_loop(module);
  test_grid(module);
  test_many_callers(module);
  if (forks) test_fork(module);
  return check::result();
}
