// Kernels with barriers that are not cut at them.
#pragma once

namespace split_kernels {

inline const char* const kept = R"cuda(
#include <cooperative_groups.h>
__device__ void wait() { __syncthreads(); }
struct Waiter { __device__ void operator()() const { __syncthreads(); } };
struct Own { int x; __device__ Own() : x(0) {} };
#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in, int n)
KERNEL(jumps) { int k = 0; again: __syncthreads(); if (++k < 3) goto again; out[0] = k; }
KERNEL(calls) { wait(); __syncthreads(); }
KERNEL(counts) { out[0] = __syncthreads_count(in[0]); __syncthreads(); }
KERNEL(in_expression) { out[0] = (__syncthreads(), 1); }
KERNEL(warps) { __syncthreads(); out[0] = __shfl_sync(0xffffffffu, in[0], 0); }
KERNEL(groups) { cooperative_groups::this_thread_block().sync(); __syncthreads(); }
KERNEL(in_switch) { switch (in[0]) { case 1: __syncthreads(); break; default: __syncthreads(); } }
KERNEL(lasting_reference) { int x = 1; int& r = x; __syncthreads(); r = 2; out[0] = x; }
KERNEL(lasting_auto) { auto x = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = x; }
KERNEL(lasting_lambda) { auto f = [=] { return in[0]; }; __syncthreads(); out[0] = f(); }
KERNEL(local_type) { struct Two { int a, b; } two = {1, 2}; __syncthreads(); out[0] = two.a; }
KERNEL(of_functions) { int (*f)(int, int) = &max; __syncthreads(); out[0] = f(1, 2); }
KERNEL(in_range) { int a[2] = {1, 2}; for (int x : a) { out[0] = x; __syncthreads(); } }
KERNEL(in_lambda) { auto f = [] { __syncthreads(); }; f(); }
KERNEL(bound) { int a[2] = {1, 2}; auto [x, y] = a; __syncthreads(); out[0] = x + y; }
KERNEL(static_one) { static int calls = 0; __syncthreads(); out[0] = calls; }
KERNEL(volatile_one) { volatile int x = in[0]; __syncthreads(); out[0] = x; }
KERNEL(declared_in_condition) { while (int x = in[threadIdx.x]) { __syncthreads(); out[0] = x; } }
__global__ void twice(int*) { __syncthreads(); }
__global__ void twice(float*) { __syncthreads(); }
template <int N> __global__ void special(int* out) { out[0] = N; __syncthreads(); }
template <> __global__ void special<1>(int* out) { out[0] = 5; __syncthreads(); }
template <class Op> __global__ void functor(int* out) { Op()(); __syncthreads(); }
)cuda";

}  // namespace split_kernels
