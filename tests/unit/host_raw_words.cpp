// CUDA's functions of words, atomic operations, vectors and loops in raw kernels on the CPU.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "raw_build.hpp"

using namespace gpuarr;

namespace {

constexpr int results = 36;

const char* words_text = R"(
extern "C" __global__ void words(const unsigned* a, const unsigned* b, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = a[i], y = b[i];
  unsigned* z = out + 36 * i;
  *z++ = __byte_perm(x, y, y >> 7); *z++ = __funnelshift_l(x, y, y);
      *z++ = __funnelshift_r(x, y, y);
  *z++ = __funnelshift_lc(x, y, y & 63); *z++ = __funnelshift_rc(x, y, y & 63);
  *z++ = __fns(x, y & 31, (int)(y >> 5 & 7) - 3); *z++ = __dp4a((int)x, (int)y, 5);
  *z++ = __dp4a(x, y, 7u); *z++ = __uhadd(x, y); *z++ = __urhadd(x, y);
  *z++ = __hadd((int)x, (int)y); *z++ = __rhadd((int)x, (int)y);
  *z++ = __vadd4(x, y); *z++ = __vaddss4(x, y); *z++ = __vaddus2(x, y); *z++ = __vsubss2(x, y);
  *z++ = __vabsdiffu4(x, y); *z++ = __vabsdiffs2(x, y); *z++ = __vavgu4(x, y);
  *z++ = __vmaxs4(x, y); *z++ = __vminu2(x, y); *z++ = __vcmpgts4(x, y); *z++ = __vcmpgtu4(x, y);
  *z++ = __vseteq4(x, y); *z++ = __vsadu4(x, y); *z++ = __vneg2(x); *z++ = __vabsss4(x);
  *z++ = __vhaddu4(x, y); *z++ = __brev(x); *z++ = __popc(x) + 100 * __clz(x) + 10000 * __ffs(x);
  *z++ = __mulhi((int)x, (int)y); *z++ = __umul24(x, y); *z++ = __sad((int)x, (int)y, 1);
  *z++ = (unsigned)__brevll((unsigned long long)x << 32 | y); *z++ = umin(x, y); *z++ = umax(x, y);
}

struct Block { unsigned long long big, inc; unsigned dec, bits, least; float sum; double wide;
               float2 pair; long long most; unsigned exchanged; unsigned short small; };
extern "C" __global__ void atomics(Block* b, int* unique) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&b->big, 3ULL); atomicInc_block((unsigned*)&b->inc, 99); atomicDec(&b->dec, 9);
  atomicXor(&b->bits, 1u << (i & 31)); atomicMin(&b->least, 5000u - i);
      atomicMax(&b->most, (long long)i);
  atomicAdd(&b->sum, 0.5f); atomicAdd_system(&b->wide, 0.25);
  atomicAdd(&b->pair, make_float2(1, 2)); atomicExch(&b->exchanged, (unsigned)i);
  unsigned short seen = b->small, old;
  do { old = seen; seen = atomicCAS(&b->small, old, (unsigned short)(old + 1));
      } while (seen != old);
  unique[atomicAdd(&unique[2048], 1)] = i; atomicSub(&unique[2049], 2);
  atomicAnd(&unique[2050], ~(1 << (i & 3))); atomicOr(&unique[2051], 1 << (i & 7));
}
// Many define it, for old GPUs.
__device__ double atomicAdd(double* p, double value) {
  unsigned long long* word = (unsigned long long*)p; unsigned long long old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
extern "C" __global__ void own(double* sum) { atomicAdd(sum, 0.5); }

struct alignas(16) Wide { unsigned long long low, high; };
extern "C" __global__ void wide(Wide* w) {
  Wide seen = *w, old;
  do { old = seen; seen = atomicCAS(w, old, Wide{old.low + 1, old.high + 2}); }
  while (seen.low != old.low || seen.high != old.high);
}

extern "C" __global__ void loop(int* seen, long long n) { GPUARR_LOOP(i, n) ++seen[i]; }
extern "C" __global__ void doubled(gpuarr_view<const float, 2> x, gpuarr_view<float, 2> y) {
  GPUARR_LOOP(i, x.size()) y[i] = 2 * x[i];
}
extern "C" __global__ void layout(int* z) {
  *z++ = alignof(float2); *z++ = alignof(float4); *z++ = alignof(double2); *z++ = alignof(double4);
  *z++ = sizeof(float3); *z++ = alignof(char4); *z++ = alignof(short4); *z++ = sizeof(dim3);
  *z++ = alignof(longlong4); *z++ = sizeof(uchar3);
  const dim3 d(7); const uint3 u = d; *z++ = d.x + d.y + d.z + u.x;
  const int4 v = make_int4(1, 2, 3, 4); *z++ = v.x + 10 * v.w;
}
)";

template <class Part, class F>
unsigned each(unsigned x, unsigned y, F f) {
  unsigned out = 0;
  for (unsigned at = 0; at < 32; at += 8 * sizeof(Part)) {
    const long long part = f(static_cast<Part>(x >> at), static_cast<Part>(y >> at));
    out |= static_cast<unsigned>(part & ((1LL << (8 * sizeof(Part))) - 1)) << at;
  }
  return out;
}

template <class Part>
long long clamp(long long x) {
  return std::clamp<long long>(x, std::numeric_limits<Part>::min(),
                               std::numeric_limits<Part>::max());
}

template <class Part>
int sum4(unsigned x, unsigned y, long long (*f)(long long, long long)) {
  long long out = 0;
  for (unsigned at = 0; at < 32; at += 8)
    out += f(static_cast<Part>(x >> at), static_cast<Part>(y >> at));
  return static_cast<int>(out);
}

unsigned find_set(unsigned mask, int base, int offset) {
  if (offset == 0) return mask >> base & 1 ? static_cast<unsigned>(base) : ~0U;
  for (int at = base, left = std::abs(offset); at >= 0 && at<32; at += offset> 0 ? 1 : -1)
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<unsigned>(at);
  return ~0U;
}

unsigned reversed(unsigned x) {
  unsigned out = 0;
  for (int i = 0; i < 32; ++i) out |= (x >> i & 1) << (31 - i);
  return out;
}

unsigned permuted(unsigned x, unsigned y, unsigned selector) {
  std::array<unsigned char, 8> bytes;
  std::memcpy(bytes.data(), &x, 4);
  std::memcpy(bytes.data() + 4, &y, 4);
  unsigned out = 0;
  for (unsigned i = 0; i < 4; ++i)
    out |= static_cast<unsigned>(bytes[selector >> (4 * i) & 7]) << (8 * i);
  return out;
}

std::array<unsigned, results> expected(unsigned x, unsigned y) {
  using i8 = signed char;
  using u8 = unsigned char;
  using i16 = short;
  using u16 = unsigned short;
  const uint64_t both = static_cast<uint64_t>(y) << 32 | x;
  const long long sx = static_cast<int>(x), sy = static_cast<int>(y), ux = x, uy = y;
  const auto product = [](long long a, long long b) { return a * b; };
  const auto distance = [](long long a, long long b) { return std::abs(a - b); };
  const unsigned s = y & 31, c = std::min(y & 63, 32U);
  return {permuted(x, y, y >> 7),
          static_cast<unsigned>(both << s >> 32),
          static_cast<unsigned>(both >> s),
          static_cast<unsigned>(both << c >> 32),
          static_cast<unsigned>(both >> c),
          find_set(x, static_cast<int>(y & 31), static_cast<int>(y >> 5 & 7) - 3),
          static_cast<unsigned>(sum4<i8>(x, y, product) + 5),
          static_cast<unsigned>(sum4<u8>(x, y, product)) + 7,
          static_cast<unsigned>((ux + uy) >> 1),
          static_cast<unsigned>((ux + uy + 1) >> 1),
          static_cast<unsigned>((sx + sy) >> 1),
          static_cast<unsigned>((sx + sy + 1) >> 1),
          each<u8>(x, y, [](long long a, long long b) { return a + b; }),
          each<i8>(x, y, [](long long a, long long b) { return clamp<i8>(a + b); }),
          each<u16>(x, y, [](long long a, long long b) { return clamp<u16>(a + b); }),
          each<i16>(x, y, [](long long a, long long b) { return clamp<i16>(a - b); }),
          each<u8>(x, y, distance),
          each<i16>(x, y, distance),
          each<u8>(x, y, [](long long a, long long b) { return (a + b + 1) / 2; }),
          each<i8>(x, y, [](long long a, long long b) { return std::max(a, b); }),
          each<u16>(x, y, [](long long a, long long b) { return std::min(a, b); }),
          each<i8>(x, y, [](long long a, long long b) { return a > b ? -1 : 0; }),
          each<u8>(x, y, [](long long a, long long b) { return a > b ? -1 : 0; }),
          each<u8>(x, y, [](long long a, long long b) { return a == b; }),
          static_cast<unsigned>(sum4<u8>(x, y, distance)),
          each<i16>(x, y, [](long long a, long long) { return -a; }),
          each<i8>(x, y, [](long long a, long long) { return clamp<i8>(std::abs(a)); }),
          each<u8>(x, y, [](long long a, long long b) { return (a + b) / 2; }),
          reversed(x),
          static_cast<unsigned>(std::popcount(x) + 100 * std::countl_zero(x) +
                                10000 * (x != 0 ? std::countr_zero(x) + 1 : 0)),
          static_cast<unsigned>(sx * sy >> 32),
          (x & 0xffffff) * (y & 0xffffff),
          static_cast<unsigned>(std::abs(sx - sy) + 1),
          reversed(x),
          std::min(x, y),
          std::max(x, y)};
}

void test_words(RawModule& module) {
  constexpr unsigned n = 4096;
  std::vector<unsigned> x(n), y(n), z(size_t{results} * n);
  std::mt19937 random(9);
  for (size_t i = 0; i < n; ++i) {
    x[i] = random() & random();
    y[i] = i % 4 == 0 ? x[i] ^ (random() & 0xff0000ff) : random();
  }
  x[0] = 0, x[1] = 0x80808080, x[2] = 0x80008000, x[3] = 0xffffffff, y[3] = 0;
  launch(*module.function("words"), {n / 128}, {128}, x.data(), y.data(), z.data());
  for (size_t i = 0; i < n && check::failures < 20; ++i) {
    const auto right = expected(x[i], y[i]);
    for (size_t k = 0; k < results; ++k)
      if (z[results * i + k] != right[k])
        check::report(__FILE__, __LINE__)
            << "result " << k << " of " << std::hex << x[i] << ", " << y[i] << ": "
            << z[results * i + k] << ", not " << right[k] << std::dec << '\n';
  }
}

struct Block {
  uint64_t big = 1, inc = 0;
  unsigned dec = 0, bits = 0, least = ~0U;
  float sum = 0;
  double wide = 0;
  alignas(8) float pair[2] = {};
  long long most = -5;
  unsigned exchanged = ~0U;
  unsigned short small = 3;
};

void test_atomics(RawModule& module) {
  constexpr int n = 2048;
  Block b;
  std::vector<int> unique(n + 4);
  unique[n + 2] = -1;
  launch(*module.function("atomics"), {16}, {128}, &b, unique.data());
  CHECK_EQ(b.big, 3U * n + 1);
  CHECK_EQ(b.inc, n % 100U);
  CHECK_EQ(b.dec, 9U - (n - 1) % 10);
  CHECK_EQ(b.bits, 0U);
  CHECK_EQ(b.least, 5000U - n + 1);
  CHECK_EQ(b.most, n - 1);
  CHECK_EQ(b.sum, n / 2);
  CHECK_EQ(b.wide, n / 4);
  CHECK_EQ(b.pair[0], n);
  CHECK_EQ(b.pair[1], 2 * n);
  CHECK(b.exchanged < n);
  CHECK_EQ(b.small, 3 + n);
  CHECK_EQ(unique[n + 1], -2 * n);
  CHECK_EQ(unique[n + 2], ~15);
  CHECK_EQ(unique[n + 3], 255);
  std::sort(unique.begin(), unique.begin() + n);
  for (int i = 0; i < n; ++i) CHECK_EQ(unique[static_cast<size_t>(i)], i);
  double sum = 0;
  launch(*module.function("own"), {16}, {128}, &sum);
  CHECK_EQ(sum, n / 2);
#ifdef __x86_64__
  alignas(16) uint64_t wide[2] = {1, 2};
  launch(*module.function("wide"), {16}, {128}, &wide[0]);
  CHECK_EQ(wide[0], 1U + n);
  CHECK_EQ(wide[1], 2U + 2 * n);
#endif
}

void test_loops(RawModule& module) {
  for (int64_t n : {-5, 0, 1, 7, 255, 256, 257, 1000, 4096, 10007}) {
    std::vector<int> seen(static_cast<size_t>(std::max<int64_t>(n, 0)) + 1);
    launch(*module.function("loop"), {4}, {64}, seen.data(), n);
    CHECK_EQ(std::accumulate(seen.begin(), seen.end(), int64_t{0}), std::max<int64_t>(n, 0));
    CHECK(*std::max_element(seen.begin(), seen.end()) <= 1);
    CHECK_EQ(seen.back(), 0);
  }
  struct View {
    float* data;
    int64_t size, shape[2], strides[2];
  };
  std::vector<float> x(15), y(15);
  std::iota(x.begin(), x.end(), 0.0F);
  const View from = {x.data(), 15, {3, 5}, {5, 1}}, to = {y.data(), 15, {3, 5}, {1, 3}};
  launch(*module.function("doubled"), {2}, {32}, from, to);
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 5; ++j) CHECK_EQ(y[i + 3 * j], 2 * x[5 * i + j]);
}

void test_layout(RawModule& module) {
  int z[12] = {};
  launch(*module.function("layout"), {1}, {1}, &z[0]);
  const int right[12] = {8, 16, 16, 16, 12, 4, 8, 12, 16, 3, 16, 41};
  for (size_t k = 0; k < 12; ++k) CHECK_EQ(z[k], right[k]);
}

}  // namespace

int main() {
  const auto module = raw_module(raw_source(words_text));
  test_words(*module);
  test_atomics(*module);
  test_loops(*module);
  test_layout(*module);
  return check::result();
}
