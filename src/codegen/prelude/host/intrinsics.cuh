// CUDA's intrinsic functions on the host.

// glibc declares functions of these names that it does not export: they are given libm's symbols.
#define GPUARR_FAST(simd, name, symbol, ...) \
  extern "C" simd float name(__VA_ARGS__) noexcept __asm__(symbol);
GPUARR_FAST(GPUARR_SIMD1, __expf, "expf", float)
GPUARR_FAST(GPUARR_SIMD2, __exp10f, "exp10f", float)
GPUARR_FAST(GPUARR_SIMD1, __logf, "logf", float)
GPUARR_FAST(GPUARR_SIMD2, __log2f, "log2f", float)
GPUARR_FAST(GPUARR_SIMD2, __log10f, "log10f", float)
GPUARR_FAST(GPUARR_SIMD1, __sinf, "sinf", float)
GPUARR_FAST(GPUARR_SIMD1, __cosf, "cosf", float)
GPUARR_FAST(GPUARR_SIMD2, __tanf, "tanf", float)
GPUARR_FAST(GPUARR_SIMD2, __tanhf, "tanhf", float)
GPUARR_FAST(GPUARR_SIMD1, __powf, "powf", float, float)
#undef GPUARR_FAST
extern "C" void __sincosf(float, float*, float*) noexcept __asm__("sincosf");

namespace gpuarr_prelude {

inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
inline float __frsqrt_rn(float x) { return 1 / __builtin_sqrtf(x); }
inline float __frcp_rn(float x) { return 1 / x; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
inline double __drcp_rn(double x) { return 1 / x; }
inline double __ddiv_rn(double x, double y) { return x / y; }

namespace gpuarr_detail {
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
template <class To, class From>
inline To bits(From value) {
  To result;
  static_assert(sizeof result == sizeof value);
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}
}  // namespace gpuarr_detail
inline int __float_as_int(float x) { return gpuarr_detail::bits<int>(x); }
inline unsigned __float_as_uint(float x) { return gpuarr_detail::bits<unsigned>(x); }
inline float __int_as_float(int x) { return gpuarr_detail::bits<float>(x); }
inline float __uint_as_float(unsigned x) { return gpuarr_detail::bits<float>(x); }
inline long long __double_as_longlong(double x) { return gpuarr_detail::bits<long long>(x); }
inline double __longlong_as_double(long long x) { return gpuarr_detail::bits<double>(x); }
inline int __double2hiint(double x) { return (int)(gpuarr_detail::bits<long long>(x) >> 32); }
inline int __double2loint(double x) { return (int)gpuarr_detail::bits<long long>(x); }
inline double __hiloint2double(int high, int low) {
  return gpuarr_detail::bits<double>(
      (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned long long __brevll(unsigned long long x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(x);
}
inline unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
inline int __mul24(int x, int y) {  // the low 32 bits of the product of signed 24-bit numbers
  return (int)((long long)((int)((unsigned)x << 8) >> 8) * ((int)((unsigned)y << 8) >> 8));
}
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
inline int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) {
  return (unsigned)((unsigned long long)x * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
  return (long long)((gpuarr_detail::int128)x * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)((gpuarr_detail::uint128)x * y >> 64);
}
inline int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
inline int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
inline unsigned __sad(int x, int y, unsigned z) {
  return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x > y ? x - y : y - x); }
template <class T>
inline T __ldg(const T* p) {
  return *p;
}

}  // namespace gpuarr_prelude
