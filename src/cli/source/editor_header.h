// What clangd knows CUDA C++ by, without CUDA: declarations alone, of what kernels may use.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#define __global__ [[clang::annotate("kernel")]]
#define __device__
#define __host__
#define __shared__ static
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(bytes) alignas(bytes)
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define __CUDACC__ 1

#define GPUARR_EDITOR_VECTOR(type, name)          \
  struct name##1 {                                \
    type x;                                       \
  };                                              \
  struct name##2 {                                \
    type x, y;                                    \
  };                                              \
  struct name##3 {                                \
    type x, y, z;                                 \
  };                                              \
  struct name##4 {                                \
    type x, y, z, w;                              \
  };                                              \
  name##1 make_##name##1(type x);                 \
  name##2 make_##name##2(type x, type y);         \
  name##3 make_##name##3(type x, type y, type z); \
  name##4 make_##name##4(type x, type y, type z, type w);
GPUARR_EDITOR_VECTOR(signed char, char)
GPUARR_EDITOR_VECTOR(unsigned char, uchar)
GPUARR_EDITOR_VECTOR(short, short)
GPUARR_EDITOR_VECTOR(unsigned short, ushort)
GPUARR_EDITOR_VECTOR(int, int)
GPUARR_EDITOR_VECTOR(unsigned, uint)
GPUARR_EDITOR_VECTOR(long, long)
GPUARR_EDITOR_VECTOR(unsigned long, ulong)
GPUARR_EDITOR_VECTOR(long long, longlong)
GPUARR_EDITOR_VECTOR(unsigned long long, ulonglong)
GPUARR_EDITOR_VECTOR(float, float)
GPUARR_EDITOR_VECTOR(double, double)
#undef GPUARR_EDITOR_VECTOR

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
constexpr int warpSize = 32;

void __syncthreads();
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
void __syncwarp(unsigned mask = 0xffffffff);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __nanosleep(unsigned nanoseconds);
[[noreturn]] void __trap();
long long clock64();

unsigned __activemask();
unsigned __ballot_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);
int __any_sync(unsigned mask, int predicate);
template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32);
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32);
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32);
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32);
template <class T>
unsigned __match_any_sync(unsigned mask, T value);
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all);
unsigned __reduce_add_sync(unsigned mask, unsigned value);
unsigned __reduce_min_sync(unsigned mask, unsigned value);
unsigned __reduce_max_sync(unsigned mask, unsigned value);

template <class T>
struct gpuarr_editor_same {
  using type = T;
};
template <class T>
using gpuarr_editor_value = typename gpuarr_editor_same<T>::type;
template <class T>
T atomicAdd(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicSub(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicMin(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicMax(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicAnd(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicOr(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicXor(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicExch(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicInc(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicDec(T* at, gpuarr_editor_value<T> value);
template <class T>
T atomicCAS(T* at, gpuarr_editor_value<T> expected, gpuarr_editor_value<T> value);

template <class T>
T __ldg(const T* at);
template <class T>
T __ldcg(const T* at);
template <class T>
T __ldcs(const T* at);
template <class T>
void __stcs(T* at, gpuarr_editor_value<T> value);

int __clz(int x);
int __clzll(long long x);
int __ffs(int x);
int __ffsll(long long x);
int __popc(unsigned x);
int __popcll(unsigned long long x);
unsigned __brev(unsigned x);
unsigned long long __brevll(unsigned long long x);
unsigned __umulhi(unsigned x, unsigned y);
int __mulhi(int x, int y);
unsigned long long __umul64hi(unsigned long long x, unsigned long long y);
unsigned __byte_perm(unsigned x, unsigned y, unsigned selector);
int __float_as_int(float x);
unsigned __float_as_uint(float x);
float __int_as_float(int x);
float __uint_as_float(unsigned x);
long long __double_as_longlong(double x);
double __longlong_as_double(long long x);
int __float2int_rn(float x);
int __float2int_rz(float x);
int __double2int_rn(double x);
float __fdividef(float x, float y);
float __expf(float x);
float __logf(float x);
float __sinf(float x);
float __cosf(float x);
float __powf(float x, float y);
float __saturatef(float x);
float __fmaf_rn(float x, float y, float z);
double __fma_rn(double x, double y, double z);
float rsqrtf(float x);
double rsqrt(double x);
float exp10f(float x);
double exp10(double x);
float rcbrtf(float x);
float sinpif(float x);
float cospif(float x);
double sinpi(double x);
double cospi(double x);
float erfinvf(float x);
double erfinv(double x);
float normcdff(float x);
double normcdf(double x);
template <class T, class U>
auto min(T x, U y) -> decltype(x + y);
template <class T, class U>
auto max(T x, U y) -> decltype(x + y);
int printf(const char* format, ...);
#ifndef assert
#define assert(condition) ((void)(condition))
#endif

// gpuarr.cuh: the names of dtypes, views, and a loop.
struct float16 {
  float16() = default;
  float16(float x);
  operator float() const;
};
struct bfloat16 {
  bfloat16() = default;
  bfloat16(float x);
  operator float() const;
};
typedef int8_t int8;
typedef int16_t int16;
typedef int32_t int32;
typedef int64_t int64;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef float float32;
typedef double float64;
template <class T>
using complex = std::complex<T>;
typedef complex<float> complex64;
typedef complex<double> complex128;
template <class T, int N>
struct gpuarr_view {
  template <class... Indices>
  T& operator()(Indices... at) const;
  T& operator[](long long element) const;
  long long size() const;
  const long long* shape() const;
  const long long* strides() const;
};
#define GPUARR_LOOP(i, n) for (long long i = 0; i < (n); ++i)
