// Hand-written reductions: the most that reading alone can get out of the machine, and a mean
// squared error that is finished in one launch.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

namespace ceiling {

/// The block's sum, in its first thread.
template <class A>
__device__ A block_sum(A value) {
  __shared__ A of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  __syncthreads();  // of_warp may be in use since the last call
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : A(0);
  if (threadIdx.x < 32)
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  return value;
}

/// Adds up floats, U packs of 16 bytes in flight for each thread; either all blocks go through
/// memory side by side, or each has a segment of its own.
template <int U, bool segments>
__global__ void sum_kernel(const float4* __restrict__ x, size_t packs, float* out) {
  size_t first = 0, last = packs, stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (segments) {
    first = packs * blockIdx.x / gridDim.x;
    last = packs * (blockIdx.x + 1) / gridDim.x;
    stride = blockDim.x;
    i = first + threadIdx.x;
  }
  float sums[U] = {};
  for (; i + (U - 1) * stride < last; i += U * stride) {
    float4 v[U];
#pragma unroll
    for (int u = 0; u < U; ++u) v[u] = x[i + u * stride];
#pragma unroll
    for (int u = 0; u < U; ++u) sums[u] += (v[u].x + v[u].y) + (v[u].z + v[u].w);
  }
  for (; i < last; i += stride) sums[0] += (x[i].x + x[i].y) + (x[i].z + x[i].w);
  float sum = 0;
  for (int u = 0; u < U; ++u) sum += sums[u];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

template <class T>
__device__ T widen(T value) {
  return value;
}
__device__ inline float widen(__half value) { return __half2float(value); }

/// What a reduction in one launch needs beside its result; the counter is 0 before and after.
struct Workspace {
  double* partials;
  unsigned* blocks_done;
};

/// The mean of (x - y)^2, added up in type A: the last block to be done adds up what the others
/// found.
template <class T, class A, int U>
__global__ void mean_squared_error_kernel(const T* __restrict__ x, const T* __restrict__ y,
                                          size_t packs, Workspace work, T* out) {
  constexpr int V = 16 / sizeof(T);
  struct alignas(16) Pack {
    T v[V];
  };
  auto* xp = reinterpret_cast<const Pack*>(x);
  auto* yp = reinterpret_cast<const Pack*>(y);
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  A sums[U] = {};
  auto add = [](A& sum, const Pack& a, const Pack& b) {
#pragma unroll
    for (int k = 0; k < V; ++k) {
      A d = widen(a.v[k]) - widen(b.v[k]);
      sum += d * d;
    }
  };
  for (; i + (U - 1) * stride < packs; i += U * stride) {
    Pack a[U], b[U];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      a[u] = xp[i + u * stride];
      b[u] = yp[i + u * stride];
    }
#pragma unroll
    for (int u = 0; u < U; ++u) add(sums[u], a[u], b[u]);
  }
  for (; i < packs; i += stride) add(sums[0], xp[i], yp[i]);
  A sum = 0;
  for (int u = 0; u < U; ++u) sum += sums[u];
  sum = block_sum(sum);

  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    __stcg(&work.partials[blockIdx.x], static_cast<double>(sum));
    __threadfence();
    is_last = atomicAdd(work.blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  double total = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x) total += __ldcg(&work.partials[k]);
  total = block_sum(total);
  if (threadIdx.x == 0) {
    *out = static_cast<T>(total / (static_cast<double>(packs) * V));
    *work.blocks_done = 0;
  }
}

__global__ void empty_kernel() {}

}  // namespace ceiling
