// cuda_fp16.h, cuda_bf16.h and cuComplex.h of the CPU, against other ways to compute the same.
#include <bit>
#include <cfenv>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "core/half.hpp"
#include "raw_build.hpp"

using namespace gpuarr;

namespace {

const char* kernels_text = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>

// 12 results of two operands, of which the second is taken as a float too.
template <class H> struct Of;
template <> struct Of<half> {
  static __device__ half rz(float x) { return __float2half_rz(x); }
  static __device__ half ru(float x) { return __float2half_ru(x); }
  static __device__ half rd(float x) { return __float2half_rd(x); }
  static __device__ int whole(half h) { return __half2int_ru(h); }
};
template <> struct Of<__nv_bfloat16> {
  static __device__ __nv_bfloat16 rz(float x) { return __float2bfloat16_rz(x); }
  static __device__ __nv_bfloat16 ru(float x) { return __float2bfloat16_ru(x); }
  static __device__ __nv_bfloat16 rd(float x) { return __float2bfloat16_rd(x); }
  static __device__ int whole(__nv_bfloat16 h) { return __bfloat162int_ru(h); }
};

template <class H>
__global__ void arithmetic(const H* x, const H* y, const float* f, H* z, int* bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const H a = x[i], b = y[i];
  z += 12 * i;
  z[0] = a + b; z[1] = __hsub(a, b); z[2] = a * b; z[3] = __hdiv(a, b);
  z[4] = __hfma(a, b, x[n - 1 - i]); z[5] = hsqrt(a); z[6] = f[i]; z[7] = Of<H>::rz(f[i]);
  z[8] = Of<H>::ru(f[i]); z[9] = Of<H>::rd(f[i]); z[10] = __hmax(a, b); z[11] = -a;
  bits[2 * i] = (a < b) | (a == b) << 1 | (a != b) << 2 | __hlt(a, b) << 3 | __hneu(a, b) << 4 |
                __hne(a, b) << 5 | __hgeu(a, b) << 6 | __hisnan(a) << 7;
  bits[2 * i + 1] = Of<H>::whole(a);
}

extern "C" __global__ void others(float* z, half* h, __half2* p, __nv_bfloat16* b,
    unsigned* masks) {
  const __half2 a = __floats2half2_rn(1.5f, -2.0f), c = __half2half2(__float2half(0.5f));
  const float2 sum = __half22float2(__hadd2(a, c)), product = __half22float2(a * c);
  *z++ = sum.x; *z++ = sum.y; *z++ = product.x; *z++ = product.y;
  const __half2 e = __hfma2(a, c, c), w = __lowhigh2highlow(a), r = h2sqrt(__habs2(a));
  *z++ = __low2float(e); *z++ = __high2float(e); *z++ = __low2float(w); *z++ = r.y;
  half s = h[0]; s += 1; ++s; s *= 2; s -= h[0]; const int whole = s; const double wide = s;
  *z++ = s; *z++ = whole; *z++ = wide; *z++ = (float)hexp(h[0]); *z++ = __hadd_sat(a.x, a.x);
  atomicAdd(&h[1], h[0]); atomicAdd(p, a); atomicAdd(b, __float2bfloat16(2.5f));
  masks[0] = __hlt2_mask(a, c); masks[1] = __hbeq2(a, a); masks[2] = __half_as_ushort(a.y);
  const cuFloatComplex u = make_cuFloatComplex(1, 2), v = make_cuFloatComplex(-3, 0.5f);
  const cuFloatComplex q = cuCdivf(u, v), m = cuCmulf(u, cuConjf(v));
  *z++ = q.x; *z++ = q.y; *z++ = m.x; *z++ = m.y; *z++ = cuCabsf(v);
  const cuDoubleComplex k = cuCdiv(make_cuDoubleComplex(1e300, 1e300), make_cuDoubleComplex(1e300,
      0));
  *z++ = (float)cuCreal(k); *z++ = (float)cuCimag(cuCfma(k, k, cuCadd(k, k)));
}
)";

// Rounded to odd by the processor, so that rounding it once more does no harm.
__attribute__((noinline)) double fma_to_odd(double a, double b, double c) {
  const volatile double x = a, y = b, z = c;
  std::feclearexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TOWARDZERO);
  const volatile double cut = std::fma(x, y, z);
  std::fesetround(FE_TONEAREST);
  const auto bits = std::bit_cast<uint64_t>(static_cast<double>(cut));
  return std::fetestexcept(FE_INEXACT) != 0 ? std::bit_cast<double>(bits | 1) : cut;
}

template <class H>
bool same(H x, H y) {
  const auto a = static_cast<float>(x), b = static_cast<float>(y);
  return x.bits == y.bits || (std::isnan(a) && std::isnan(b));
}

// Whether h is the nearest number on that side of x: no other one lies between.
template <class H>
bool is_next(H h, float x, bool up) {
  const auto value = static_cast<float>(h);
  if (std::isnan(x)) return std::isnan(value);
  if (up ? value < x : value > x) return false;
  if (value == x) return std::signbit(value) == std::signbit(x);
  H other;
  const bool negative = (h.bits & 0x8000) != 0;
  if ((h.bits & 0x7fff) == 0)
    return up ? x > -std::numeric_limits<float>::infinity() && negative : !negative;
  other.bits = static_cast<uint16_t>(h.bits + (negative == up ? 1 : -1));
  return up ? static_cast<float>(other) < x : static_cast<float>(other) > x;
}

template <class H>
void check_row(const H* z, H a, H b, H c, float f) {
  const auto x = static_cast<float>(a), y = static_cast<float>(b);
  CHECK(same(z[0], H(static_cast<double>(x) + y)));
  CHECK(same(z[1], H(static_cast<double>(x) - y)));
  CHECK(same(z[2], H(static_cast<double>(x) * y)));
  CHECK(same(z[3], H(static_cast<double>(x) / y)));
  CHECK(same(z[4], H(fma_to_odd(x, y, static_cast<float>(c)))));
  CHECK(same(z[5], H(std::sqrt(static_cast<double>(x)))));
  CHECK(same(z[6], H(f)));
  CHECK(is_next(z[8], f, true));
  CHECK(is_next(z[9], f, false));
  CHECK(same(z[7], std::signbit(f) ? z[8] : z[9]));
  // std::fmax would give a NaN for one that signals.
  CHECK(same(z[10], std::isnan(x) || y > x ? b : a) || (x == 0 && y == 0));
  CHECK_EQ(z[11].bits, a.bits ^ 0x8000);
}

template <class H>
void test_arithmetic(RawModule& module, const char* name) {
  constexpr int n = 65536;
  std::vector<H> x(n), y(n), z(12 * n);
  std::vector<float> f(n);
  std::vector<int> bits(2 * n);
  std::mt19937 random(3);
  for (size_t i = 0; i < n; ++i) {
    x[i].bits = static_cast<uint16_t>(i);
    y[i].bits = static_cast<uint16_t>(i % 3 == 0 ? i ^ (random() & 0x83ff) : random());
    f[i] = i % 2 == 0 ? std::bit_cast<float>(static_cast<uint32_t>(random()))
                      : static_cast<float>(x[i]) * (1 + 0x1p-11F);
  }
  launch(*module.function(name), {n / 256}, {256}, x.data(), y.data(), f.data(), z.data(),
         bits.data(), n);
  for (size_t i = 0; i < n && check::failures < 20; ++i) {
    check_row(&z[12 * i], x[i], y[i], x[n - 1 - i], f[i]);
    const auto a = static_cast<float>(x[i]), b = static_cast<float>(y[i]);
    const bool unordered = std::isnan(a) || std::isnan(b);
    CHECK_EQ(bits[2 * i], (a < b) | (a == b) << 1 | (a != b) << 2 | (a < b) << 3 | (a != b) << 4 |
                              (a != b && !unordered) << 5 | (unordered || a >= b) << 6 |
                              std::isnan(a) << 7);
    const double up = std::isnan(a) ? 0 : std::ceil(a);
    CHECK_EQ(bits[2 * i + 1], static_cast<int>(std::fmax(std::fmin(up, 2147483647), -0x1p31)));
  }
}

void test_others(RawModule& module) {
  float z[20] = {};
  Float16 h[2] = {Float16(3.0F), Float16(0.25F)}, pair[2] = {Float16(1.0F), Float16(1.0F)};
  BFloat16 b(1.0F);
  unsigned masks[3] = {};
  launch(*module.function("others"), {1}, {1}, &z[0], &h[0], &pair[0], &b, &masks[0]);
  const float right[] = {2,           -1.5F, 0.75F, -1,       1.25F,    -0.5F, -2,
                         1.41421356F, 7,     7,     7,        20.0855F, 1,     -0.216216F,
                         -0.702703F,  -2,    -6.5F, 3.04138F, 1,        4};
  for (size_t k = 0; k < 20; ++k) {
    CHECK(std::fabs(z[k] - right[k]) <= 1e-3F * std::fabs(right[k]));
    if (std::fabs(z[k] - right[k]) > 1e-3F * std::fabs(right[k]))
      std::cerr << k << ": " << z[k] << ", not " << right[k] << '\n';
  }
  CHECK_EQ(static_cast<float>(h[1]), 3.25F);
  CHECK_EQ(static_cast<float>(pair[0]), 2.5F);
  CHECK_EQ(static_cast<float>(pair[1]), -1.0F);
  CHECK_EQ(static_cast<float>(b), 3.5F);
  CHECK_EQ(masks[0], 0xffff0000U);
  CHECK_EQ(masks[1], 1U);
  CHECK_EQ(masks[2], 0xc000U);
}

}  // namespace

int main() {
  const auto module =
      raw_module(raw_source(kernels_text, {"arithmetic<half>", "arithmetic<__nv_bfloat16>"}));
  test_arithmetic<Float16>(*module, "arithmetic<half>");
  test_arithmetic<BFloat16>(*module, "arithmetic<__nv_bfloat16>");
  test_others(*module);
  return check::result();
}
