// CUDA C++ as people write it, for test_raw_cuda.c: each kernel writes a number for each thread of
// 3 blocks of 64.
#include <assert.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdint.h>
namespace cg = cooperative_groups;
#define T threadIdx.x
#define I (blockIdx.x * blockDim.x + threadIdx.x)
extern "C" {
__global__ void shuffles(double* out) {
  int v = T * T, lane = T % 32;
  int down = __shfl_down_sync(0xffffffff, v, 5), up = __shfl_up_sync(0xffffffff, v, 3);
  int x = __shfl_xor_sync(0xffffffff, v, 9, 16), at = __shfl_sync(0xffffffff, v, lane / 2, 8);
  double wide = __shfl_sync(0xffffffff, v + 0.5, 7);
  out[I] = down + 2.0 * up + 3.0 * x + 5.0 * at + wide;
}
__global__ void votes(double* out) {
  unsigned odd = __ballot_sync(0xffffffff, T & 1);
  unsigned some = 0;
  if (T % 3 == 0) some = __activemask() & __ballot_sync(__activemask(), T % 2);
  int any = __any_sync(0xffffffff, T == 40), all = __all_sync(0xffffffff, T < 50);
  unsigned same = __match_any_sync(0xffffffff, T % 5);
  out[I] = odd / 65536 + any * 3 + all * 7 + __popc(same) * 100 + __popc(some) * 0;
}
__global__ void counts(double* out) {
  int n = __syncthreads_count(T % 3 == 0), a = __syncthreads_and(T < 64),
      o = __syncthreads_or(T == 63);
  out[I] = n + 100 * a + 1000 * o + 10000 * __syncthreads_and(T < 63);
}
__global__ void early(double* out) {
  __shared__ double s[64];
  s[T] = 0;
  out[I] = -1;
  __syncthreads();
  if (T >= 40) return;
  s[T] = T;
  __syncthreads();
  out[I] = s[39 - T];
}
__global__ void groups(double* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int sum = cg::reduce(tile, (int)T, cg::plus<int>());
  int most = cg::reduce(tile, (int)(T * 37 % 64), cg::greater<int>());
  block.sync();
  out[I] = sum + 10000 * most + 1e6 * tile.meta_group_rank() + 1e8 * block.group_index().x +
           tile.shfl_down(tile.thread_rank(), 1) / 100.0;
}
__global__ void halves(double* out) {
  __half h = __float2half(T * 0.25f), g = __hadd(h, __float2half(1.5f));
  __half2 p = __floats2half2_rn(T, 2.0f), q = __hmul2(p, p);
  __nv_bfloat16 b = __float2bfloat16(T * 0.5f);
  out[I] = __half2float(g) + __low2float(q) + __high2float(q) + __bfloat162float(b);
}
__global__ void complexes(double* out) {
  cuFloatComplex z = make_cuFloatComplex(T, 2);
  cuFloatComplex w = cuCmulf(z, cuConjf(z));
  out[I] = cuCrealf(w) + cuCimagf(cuCaddf(z, z));
}
__global__ void vectors(double* out) {
  float4 v = make_float4(T, 1, 2, 3);
  int3 k = make_int3(T, -1, 4);
  uchar2 c = make_uchar2(250 + T, 7);
  double2 d = {v.x + v.w, (double)k.z};
  out[I] = d.x + d.y + k.y + c.x + c.y + v.y * v.z;
}
__device__ unsigned total;
__device__ unsigned long long wide_total;
__device__ float float_total;
__device__ double double_total;
__device__ int least = 1000, most = -1000;
__device__ unsigned bits, wraps, swapped;
__global__ void atomics() {
  atomicAdd(&total, 1u);
  atomicAdd(&wide_total, 1ull << 33);
  atomicAdd(&float_total, 0.5f);
  atomicAdd(&double_total, 0.25);
  atomicMin(&least, (int)I - 50);
  atomicMax(&most, (int)I);
  atomicOr(&bits, 1u << (I % 20));
  atomicInc(&wraps, 9);
  unsigned seen = atomicAdd(&swapped, 0u), old;
  do {
    old = seen;
    seen = atomicCAS(&swapped, old, old + 2);
  } while (seen != old);
}
__global__ void totals(double* out) {
  double v[] = {(double)total,  (double)(wide_total >> 33),
                float_total,    double_total,
                (double)least,  (double)most,
                (double)bits,   (double)wraps,
                (double)swapped};
  if (I < 9) out[I] = v[I];
}
__global__ void intrinsics(double* out) {
  int a = __popc(T), b = __clz(T), c = __ffs(T), d = __brev(T) >> 24;
  unsigned e = __byte_perm(0x12345678, T, 0x4321), f = __funnelshift_l(T, 3, 5);
  float g = rsqrtf(T + 1.0f), h = __fdividef(T, 4.0f), s = __saturatef(T * 0.1f);
  int m = min(T, 20u) + max((int)T, 30) + abs(-(int)T);
  out[I] = a + b + c + d + (double)e + f + h + s + m + floor(1000 * g) + __mul24(T, 3);
}
}
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
template <class F>
__device__ double apply(F f, double x) {
  return f(x) + f(x + 1);
}
extern "C" __global__ void language(double* out) {
  double scale = 3;
  auto twice = [=](double x) { return scale * x; };
  double sum = 0;
  const int list[] = {1, 2, 3};
  for (int v : list) sum += v;
  assert(sum == 6);
  switch (T % 4) {
    case 0:
      sum += 1;
      break;
    case 1:
      sum += 2;
    default:
      sum += 4;
  }
  out[I] = fibonacci(T % 12) + apply(twice, T) + sum;
}
extern "C" __global__ void lengths(uint8_t a, int64_t b, double* out) { out[I] = a + b; }
