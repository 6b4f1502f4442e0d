// Raw kernels whose threads wait for others of their warp, against what the same steps come to when
// they are done one after the other.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <vector>

#include "glue_build.hpp"
#include "seed.hpp"

using namespace gpuarr;
using glue_test::flat;
using glue_test::GlueModule;

namespace {

const char* const source = R"cuda(
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
static const gpuarr_kernel gpuarr_kernels[] = {
    GPUARR_KERNEL("short", 2, 0, shuffles<short>)
    GPUARR_KERNEL("float", 2, 0, shuffles<float>)
    GPUARR_KERNEL("double", 2, 0, shuffles<double>)
    GPUARR_KERNEL("votes", 2, 0, votes)
    GPUARR_KERNEL("together", 2, 0, together)
    GPUARR_KERNEL("programs", 2, 0, programs)
    GPUARR_KERNEL("handover", 2, 0, handover)
    {}};
static const gpuarr_global gpuarr_globals[] = {{}};
GPUARR_TABLE
)cuda";

// ThreadSanitizer takes long to make fibers.
#if defined(__SANITIZE_THREAD__)
constexpr int often = 4;
#else
constexpr int often = 100;
#endif

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

using Votes = std::array<unsigned, 12>;

// What the kernel has for thread t.
Votes votes(const std::vector<int>& x, size_t t) {
  const size_t first = t / 32 * 32;
  const size_t last = std::min(x.size(), first + 32);
  Votes out = {0, 0, 1, 0, 0, 1, 0, 0, 0, 0, ~0U, 0};
  unsigned members = 0;
  int least = 100;
  for (size_t i = first; i < last; ++i) {
    const unsigned bit = 1U << (i - first);
    const auto value = static_cast<unsigned>(x[i]);
    members |= bit;
    if (x[i] != 0) out[0] |= bit;
    if (x[i] > 5) out[1] = 1;
    if (x[i] >= 9) out[2] = 0;
    if (x[i] == x[t]) out[3] |= bit;
    if (x[i] != x[first]) out[5] = 0;
    out[6] += value;
    out[7] = std::max(out[7], value);
    least = std::min(least, x[i] - 5);
    out[9] ^= value;
    out[10] &= value | 8;
    out[11] |= value;
  }
  out[4] = out[5] != 0 ? members : 0;
  out[8] = static_cast<unsigned>(least);
  return out;
}

void test_votes(const GlueModule& module, std::mt19937_64& random) {
  for (int repeat = 0; repeat < std::min(often, 20); ++repeat) {
    std::vector<int> x(20 + random() % 50);
    for (int& value : x) value = repeat % 4 == 0 ? 3 : static_cast<int>(random() % 10);
    std::vector<Votes> out(x.size());
    module.launch("votes", flat(1, static_cast<unsigned>(x.size())), x.data(), out.data());
    for (size_t t = 0; t < x.size(); ++t) {
      const Votes expected = votes(x, t);
      for (size_t k = 0; k < expected.size(); ++k)
        if (out[t][k] != expected[k]) CHECK_EQ(out[t][k], expected[k]);
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
    unsigned other = 0;  // of a lane that is not there
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

}  // namespace

int main() {
  setenv("GPUARR_NUM_THREADS", "3", 1);
  std::mt19937_64 random(test_seed());
  const GlueModule module(source);
  test_shuffles<short>(module, "short");
  test_shuffles<float>(module, "float");
  test_shuffles<double>(module, "double");
  test_votes(module, random);
  test_together(module);
  test_programs(module, random);
  test_waiting_in_a_loop(module);
  return check::result();
}
