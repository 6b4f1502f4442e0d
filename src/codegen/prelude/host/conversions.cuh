// CUDA's conversions between numbers on the host, in each direction of rounding.

#define GPUARR_TO_INTEGERS(F, from, suffix, round)                             \
  inline int __##from##2int_##suffix(F x) { return (int)round(x); }            \
  inline unsigned __##from##2uint_##suffix(F x) { return (unsigned)round(x); } \
  inline long long __##from##2ll_##suffix(F x) { return (long long)round(x); } \
  inline unsigned long long __##from##2ull_##suffix(F x) { return (unsigned long long)round(x); }

namespace gpuarr_prelude {

GPUARR_TO_INTEGERS(float, float, rn, __builtin_rintf)
GPUARR_TO_INTEGERS(float, float, rz, )
GPUARR_TO_INTEGERS(float, float, ru, __builtin_ceilf)
GPUARR_TO_INTEGERS(float, float, rd, __builtin_floorf)
GPUARR_TO_INTEGERS(double, double, rn, __builtin_rint)
GPUARR_TO_INTEGERS(double, double, rz, )
GPUARR_TO_INTEGERS(double, double, ru, __builtin_ceil)
GPUARR_TO_INTEGERS(double, double, rd, __builtin_floor)

inline float __int2float_rn(int x) { return (float)x; }
inline float __uint2float_rn(unsigned x) { return (float)x; }
inline float __ll2float_rn(long long x) { return (float)x; }
inline float __ull2float_rn(unsigned long long x) { return (float)x; }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return (double)x; }
inline double __ull2double_rn(unsigned long long x) { return (double)x; }
inline float __double2float_rn(double x) { return (float)x; }

}  // namespace gpuarr_prelude

#undef GPUARR_TO_INTEGERS
