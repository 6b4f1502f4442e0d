// CUDA C++ as people write it, in pieces that compile together, for both devices.
#pragma once

#include <string>

namespace raw_snippets {

/// What includes nothing.
inline const char* const plain = R"(
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 128
#endif
typedef unsigned int uint32;
typedef unsigned char uint8;
typedef float float32;
typedef unsigned long long uint64_t;
struct complex { float re, im; };

extern "C" __global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y,
    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void __launch_bounds__(256) bounds_after(float* x) { x[0] = 1; }
extern "C" __launch_bounds__(256, 2) __global__ void bounds_before(float* x) { x[0] = 1; }
__global__ __launch_bounds__(BLOCK_SIZE) void bounds_between(float* x) { x[CEIL_DIV(5, 2)] = 1; }
__global__ void stride(const float* x, float* y, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
      i += (size_t)gridDim.x * blockDim.x)
    y[i] = x[i] * x[i];
}
__device__ __forceinline__ float sigmoid(float x) { return 1.0f / (1.0f + __expf(-x)); }
__device__ __noinline__ float relu(float x) { return fmaxf(x, 0.0f); }
static __inline__ __device__ float twice(float x) { return 2.f * x; }
__host__ __device__ inline int clampi(int x, int lo, int hi) { return min(max(x, lo), hi); }
__global__ void activate(float* x) { x[threadIdx.x] = sigmoid(relu(twice(x[threadIdx.x]))) +
    clampi(3, 0, 2); }

__constant__ float weights[16];
__constant__ int limits_of[2] = {1, 2};
__device__ int counter;
__device__ float table[4] = {1, 2, 3, 4};
static __device__ unsigned long long seeds[8];
__managed__ int managed;
__global__ void globals(float* x) {
  if (x == NULL) return;
  atomicAdd(&counter, limits_of[1]); x[threadIdx.x] = weights[threadIdx.x & 15] + table[1];
  seeds[threadIdx.x & 7] ^= 5; managed = 1;
}

struct Params { int n; float scale; float3 origin; };
__global__ void by_value(Params p, float4* out, dim3 d) {
  float4 v = make_float4(p.origin.x, p.origin.y, p.origin.z, p.scale);
  v.w += __ldg(&p.scale); out[0] = v; out[1] = *reinterpret_cast<float4*>(&v); out[d.y].x = d.x;
}
__global__ void grid_constant(const __grid_constant__ Params p, float* out) { out[0] = p.scale; }
inline __host__ __device__ float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__global__ void vectors(float3* v, int2* i, uchar4* c, double2* d, float* o) {
  v[0] = v[1] + v[2]; i[0] = make_int2(1, 2); c[0].w = 255; d[0] = make_double2(1.0, 2.0);
      o[0] = dot(v[0], v[1]);
  ushort4 s = make_ushort4(1, 2, 3, 4); longlong2 l; l.x = s.w; o[1] = (float)l.x;
      o[2] = sizeof(float3) + alignof(float4);
}

template <typename T, int N> struct Array { T data[N]; __device__ T& operator[](int i) {
    return data[i]; } };
template <typename T> __device__ T square(T x) { return x * x; }
template <> __device__ int square(int x) { return x * x + 0; }
template <typename T, int N> __global__ void templated(T* x) {
  Array<T, N> a;
#pragma unroll
  for (int i = 0; i < N; ++i) a[i] = square(x[i]);
  x[0] = a[N - 1];
}
template __global__ void templated<float, 4>(float*);
template <typename F> __device__ void apply(float* x, F f) { x[threadIdx.x] = f(x[threadIdx.x]); }
__global__ void lambdas(float* x, float k) { apply(x, [=](float v) { return v * k; });
    auto g = [](int i) { return i + 1; }; x[1] = g(3); }
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int* x) { x[0] = fibonacci(x[1]); }

__global__ void integers(unsigned* x, unsigned long long* l, int* s) {
  x[0] = __popc(x[1]) + __clz(s[1]) + __ffs(s[2]) + __brev(x[2]) + __byte_perm(x[1], x[2], 0x5410);
  x[1] = __funnelshift_l(x[1], x[2], 5) + __umulhi(x[3], x[4]) + __umul24(x[1], 3) + __vadd4(x[1],
      x[2]);
  l[0] = __popcll(l[1]) + __brevll(l[2]) + __umul64hi(l[1], l[2]);
      s[0] = __mulhi(s[1], s[2]) + __mul24(s[1], 7) + __clzll(l[1]) + __ffsll(l[1]);
  s[1] = __dp4a(s[1], s[2], s[3]) + __sad(s[1], s[2], 3u) + __hadd(s[1], s[2]) + abs(s[3]) +
      max(s[1], 3) + min(x[1], 4u);
  x[2] = __usad(x[1], x[2], 1u) + __vabsdiffu4(x[1], x[2]) + __vmaxu2(x[1], x[2]) + __vcmpeq4(x[3],
      0);
}
__global__ void conversions(float* f, double* d, int* i, unsigned* u, long long* l) {
  i[0] = __float2int_rn(f[0]) + __float2int_rz(f[1]) + __double2int_rd(d[0]);
      u[0] = __float2uint_ru(f[1]); l[0] = __double2ll_rn(d[1]) + __float2ll_rz(f[2]);
  f[0] = __int2float_rz(i[1]) + __double2float_rd(d[1]) + __uint2float_rn(u[1]) +
      __ll2float_ru(l[1]); d[0] = __ll2double_rz(l[1]) + __int2double_rn(i[0]);
  i[1] = __float_as_int(f[1]); f[1] = __int_as_float(i[1]) + __uint_as_float(u[2]);
      l[1] = __double_as_longlong(d[1]); d[1] = __hiloint2double(__double2hiint(d[2]),
      __double2loint(d[2]));
}
__global__ void arithmetic(float* f, double* d) {
  f[0] = __fadd_rz(f[1], f[2]) + __fmul_ru(f[1], f[2]) + __fmaf_rd(f[1], f[2], f[3]) +
      __frcp_rn(f[4]) + __fsqrt_rz(f[5]) + __frsqrt_rn(f[6]) + __fdividef(f[1], f[2]);
  d[0] = __dadd_rn(d[1], d[2]) + __dmul_rd(d[1], d[2]) + __fma_rn(d[1], d[2], d[3]) +
      __drcp_ru(d[4]) + __ddiv_rn(d[1], d[2]) + __dsqrt_rn(d[3]);
  f[1] = __saturatef(f[1]) + __sinf(f[2]) + __cosf(f[2]) + __logf(f[3]) + __powf(f[1], f[2]) +
      __exp10f(f[1]) + __tanf(f[1]) + __log2f(f[1]);
}
__global__ void functions(float* f, double* d, int* i) {
  f[0] = sinf(f[1]) + rsqrtf(f[2]) + powf(f[1], 2.0f) + fmodf(f[1], f[2]) + erff(f[3]) +
      tgammaf(f[4]) + lgammaf(f[1]) + cbrtf(f[1]) + exp2f(f[1]) + log1pf(f[2]) + hypotf(f[1],
      f[2]) + copysignf(f[1], f[2]);
  f[1] = norm3df(f[1], f[2], f[3]) + rnorm4df(f[1], f[2], f[3], f[4]) + erfinvf(f[1]) +
      normcdff(f[2]) + sinpif(f[1]) + cyl_bessel_i0f(f[1]) + j0f(f[2]) + fdimf(f[1], f[2]) +
      nextafterf(f[1], f[2]) + rhypotf(f[1], f[2]) + rcbrtf(f[1]);
  d[0] = sin(d[1]) + atan2(d[1], d[2]) + erfcinv(d[3]) + normcdfinv(d[4]) + fma(d[1], d[2], d[3]) +
      rint(d[1]) + erfcx(d[2]) + sinpi(d[1]) + jn(2, d[3]) + remainder(d[1], d[2]) + exp10(d[1]) +
      fabs(d[1]);
  sincosf(f[1], &f[2], &f[3]); sincospi(d[1], &d[2], &d[3]);
      f[4] = frexpf(f[4], i) + ldexpf(f[1], 3) + modff(f[2], f + 5);
      d[5] = remquo(d[1], d[2], i + 1) + scalbn(d[1], 3) + ilogb(d[2]);
  i[2] = isnan(f[1]) + isinf(d[1]) + isfinite(f[2]) + signbit(d[2]) + lrintf(f[1]) + llround(d[1]);
      d[6] = max(d[1], d[2]) + fmin(d[1], d[3]) + abs(d[1]);
      f[6] = max(f[1], f[2]) + exp(f[1]) + sqrt(f[2]) + pow(f[1], f[2]) + fmaf(f[1], f[2], f[3]);
}
__global__ void atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d,
    unsigned short* s, long long* q) {
  atomicAdd(i, 1); atomicAdd(u, 2u); atomicAdd(l, 3ULL); atomicAdd(f, 1.0f); atomicAdd(d, 1.0);
      atomicSub(i, 1); atomicExch(f, 2.0f); atomicMin(i, 3); atomicMax(u, 4u); atomicMin(q, 5LL);
      atomicMax(l, 6ULL);
  atomicInc(u, 7); atomicDec(u, 8); atomicCAS(i, 1, 2); atomicCAS(l, 1ULL, 2ULL);
      atomicCAS(s, (unsigned short)1, (unsigned short)2); atomicAnd(u, 1u); atomicOr(i, 2);
      atomicXor(l, 3ULL); atomicAdd_block(i, 1); atomicAdd_system(d, 1.0);
  __threadfence(); __threadfence_block(); __threadfence_system();
}
__device__ float atomicMaxFloat(float* p, float v) {
    return v >= 0 ? __int_as_float(atomicMax((int*)p,
    __float_as_int(v))) : __uint_as_float(atomicMin((unsigned*)p, __float_as_uint(v))); }
__device__ double atomicAddDouble(double* address, double val) {
  unsigned long long int* p = (unsigned long long int*)address;
      unsigned long long int old = *p, assumed;
  do { assumed = old; old = atomicCAS(p, assumed, __double_as_longlong(val +
      __longlong_as_double(assumed))); } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void own_atomics(float* f, double* d) { atomicMaxFloat(f, 1); atomicAddDouble(d, 1); }
__global__ void memory(float4* v, float* f, char* c) {
  v[0] = __ldcs(v + 1); __stcs(f, __ldca(f + 1)); __stcg(v + 2, __ldcg(v + 3));
      f[2] = __ldcv(f) + __ldlu(f + 1); __stwt(f + 3, 1.0f);
  memcpy(c, c + 8, 4); memset(c, 0, 4); int* p = (int*)malloc(16); if (p) { p[0] = 1; free(p);
      } f[1] = (float)clock64() + clock();
}
__global__ void prints(int n) { if (threadIdx.x == 0) printf("n = %d, %f\n", n, 1.5); }
union Bits { float f; unsigned u; };
enum class Mode : int { A, B };
class Stack { int items_[8]; int top_ = 0; public: __device__ void push(int x) {
    items_[top_++] = x; } __device__ int pop() { return items_[--top_]; } };
__global__ void classes(unsigned* x, Mode mode) { Bits b; b.f = 1; Stack s; s.push(3);
    x[0] = b.u + s.pop(); switch (mode) { case Mode::A: x[1] = 1; break; default: x[1] = 2; } }
namespace detail { __device__ int inner(int x) { return x; } }
struct rounding { int x; };
namespace lib { namespace detail { constexpr int kWidth = 4; } __global__ void named(int* x) {
    x[0] = detail::kWidth; } }
using lib::named;
__global__ void own_names(int* x) { rounding r = {detail::inner(1)}; x[0] = r.x; }
struct __align__(16) Aligned { float x; int i; };
__global__ void aligned(Aligned* a, complex* z, uint32* u, uint8* b, float32* f, uint64_t* l) {
    a[1] = a[0]; z->re = z->im; u[0] = b[0] + f[0]; l[0] = sizeof(Aligned); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(1, 1, 1) clustered(int* x) { x[0] = 1; }
#endif
__global__ void goto_and_ternary(int* x, int n) { int i = 0; again: x[i] = i % 2 ? -i : i;
    if (++i < n) goto again; do { --i; } while (i > 0); }
__global__ void pointers(float** rows, const float* const* in, volatile int* flag,
    float (*tile)[32]) { rows[0][1] = in[1][0]; *flag = 1; tile[0][1] = 2; }
__device__ float (*const chosen)(float) = relu;
__global__ void heat(const double* __restrict__ u, double* __restrict__ v, int nx, int ny,
    double k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) { const int i = y * nx + x;
      v[i] = u[i] + k * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4 * u[i]); }
}
__global__ void mandelbrot(uchar4* image, int w, int h) {
  int x = threadIdx.x + blockDim.x * blockIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y, i;
      if (x >= w || y >= h) return;
  float a = 0, b = 0, c = x * 3.0f / w - 2, d = y * 2.0f / h - 1; for (i = 0;
      i < 100 && a * a + b * b < 4; i++) { float t = a * a - b * b + c; b = 2 * a * b + d; a = t; }
  image[y * w + x] = make_uchar4(i, i, i, 255);
}
)";

/// What stands behind includes of C's headers and of CUDA's.
inline const char* const includes = R"(
#include <cstdint>
#include <cmath>
#include <cfloat>
#include <climits>
#include <cstdio>
#include <cassert>
#include <limits>
#include <type_traits>
#include <stdint.h>
#include <math.h>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>
#include <math_constants.h>
#include <device_launch_parameters.h>
#include <gpuarr.cuh>

extern "C" __global__ void limits(float* f, int64_t* l, uint8_t* b, std::uint32_t* u, uintptr_t p) {
  f[0] = FLT_MAX; f[1] = INFINITY; f[2] = CUDART_INF_F; f[3] = (float)M_PI; f[4] = NAN;
      f[5] = FLT_EPSILON; l[0] = INT64_MAX; l[1] = LLONG_MIN; l[2] = INT_MAX; b[0] = UINT8_MAX;
      u[0] = (std::uint32_t)p; f[6] = (float)(DBL_MAX * CUDART_PI);
  f[7] = std::sqrt(f[0]) + std::fabs(f[1]) + std::fmax(f[1], f[2]) + std::exp(f[3]) + sqrtf(f[1]) +
      pow(f[0], 2) + std::isnan(f[1]);
}
template <typename T, std::enable_if_t<std::is_floating_point<T>::value, int> =
    0> __device__ T most() { return std::numeric_limits<T>::max(); }
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> __device__ T most() {
    return std::numeric_limits<T>::lowest(); }
static_assert(std::is_same_v<std::make_unsigned_t<int>, unsigned> && std::is_signed_v<float> &&
    !std::is_signed_v<unsigned> && std::is_pointer_v<int*>);
static_assert(std::is_same<std::conditional_t<true, int, float>,
    std::decay_t<const int&>>::value && std::is_trivially_copyable_v<float4>);
extern "C" __global__ void traits(float* f, int* i) {
    f[0] = most<float>() + std::numeric_limits<float>::infinity();
    i[0] = most<int>() + std::numeric_limits<unsigned char>::max(); }
extern "C" __global__ void halves(half* h, __half2* p, __nv_bfloat16* b, float* f) {
  h[0] = __float2half(f[0]); f[1] = __half2float(h[1]); h[2] = __hadd(h[0], h[1]);
      h[3] = __hfma(h[0], h[1], h[2]); if (__hgt(h[0], h[1])) h[4] = hexp(h[1]);
      h[5] = h[1] + h[2] * h[3]; p[0] = __hmul2(p[1], p[2]); p[1] = __float2half2_rn(1.0f);
      f[2] = __low2float(p[0]);
  b[0] = __float2bfloat16(f[3]); b[1] = __hadd(b[0], b[2]); f[4] = __bfloat162float(b[1]);
      atomicAdd(p, p[3]); h[6] = __int2half_rn(3); h[7] = __ushort_as_half(0x3c00);
      h[8] = hsqrt(h[7]); if (h[1] < h[2]) h[9] = -h[3]; h[10] += h[1]; b[3] = b[1] * b[2];
      p[2] = make_half2(h[1], h[2]); p[3] = __hfma2(p[0], p[1], p[2]); h[11] = __ldg(&h[3]);
}
extern "C" __global__ void complexes(cuFloatComplex* c, cuDoubleComplex* z) {
    c[0] = cuCmulf(c[1], cuConjf(c[2])); z[0] = cuCadd(z[1], make_cuDoubleComplex(1,
    cuCabs(z[2]))); c[1] = cuCdivf(c[0], c[3]); z[1].x = cuCreal(z[0]); }
extern "C" __global__ void ours(gpuarr_view<const float, 2> x, gpuarr_view<float16, 1> y,
    complex64* z, bfloat16* b, float64* d, uint64* u) {
  GPUARR_LOOP(i, x.size()) { y(i) = x[i] * 2; }
  z[0] = exp(z[1]) / 2 + conj(z[2]); b[0] = x(0, 1); d[0] = abs(z[1]); u[0] = 1;
      atomicAdd(&z[3], z[1]); thrust::complex<float> t(1, 2); z[4] = t;
}
)";

/// Barriers, shared memory, warps, cooperative groups.
inline const char* const blocks = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define TILE 16
extern "C" __global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float s[TILE][TILE], t[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
      float sum = 0;
  for (int k = 0; k < n / TILE; ++k) { s[y][x] = a[row * n + k * TILE + x];
      t[y][x] = b[(k * TILE + y) * n + col]; __syncthreads(); for (int j = 0; j < TILE;
      ++j) sum += s[y][j] * t[j][x]; __syncthreads(); }
  c[row * n + col] = sum;
}
template <typename T> __device__ T warp_sum(T v) { for (int d = warpSize / 2; d > 0;
    d >>= 1) v += __shfl_down_sync(0xffffffff, v, d); return v; }
__global__ void block_sum(const float* x, float* out, int n) {
  extern __shared__ float partial[]; __shared__ int last; int t = threadIdx.x;
      float v = t < n ? x[t] : 0; v = warp_sum(v); if (t % 32 == 0) partial[t / 32] = v;
      __syncthreads();
  if (t == 0) { last = 1; out[0] = partial[0]; } __syncwarp();
      unsigned m = __ballot_sync(0xffffffff, v > 0);
      if (__any_sync(m, 1) && __all_sync(__activemask(), 1)) out[1] = __popc(m);
  out[2] = __shfl_sync(~0u, v, 0) + __shfl_xor_sync(~0u, v, 1) + __shfl_up_sync(~0u, v, 1, 8);
      out[3] = __syncthreads_count(t > 3) + __syncthreads_and(1) + __syncthreads_or(0);
      out[4] = __match_any_sync(~0u, t); out[5] = __reduce_add_sync(~0u, (unsigned)t);
}
__global__ void groups(float* x) {
  cg::thread_block block = cg::this_thread_block(); auto tile = cg::tiled_partition<32>(block);
      auto quad = cg::tiled_partition<4>(tile); cg::coalesced_group active =
      cg::coalesced_threads();
  float v = cg::reduce(tile, x[block.thread_rank()], cg::plus<float>());
      v += quad.shfl_xor(v, 1) + tile.shfl_down(v, 2) + active.shfl(v, 0);
      if (tile.any(v > 0)) x[1] = tile.ballot(1); block.sync(); cg::sync(block); quad.sync();
  assert(x != nullptr);
  x[2] = tile.meta_group_rank() + quad.meta_group_size() + active.size() + active.thread_rank() +
      block.group_index().x + cg::reduce(quad, 3, cg::greater<int>());
      cg::grid_group grid = cg::this_grid(); if (grid.is_valid()) grid.sync(); x[3] = grid.size();
      cg::thread_group any = cg::tiled_partition(block, 8); any.sync();
}
)";

}  // namespace raw_snippets
