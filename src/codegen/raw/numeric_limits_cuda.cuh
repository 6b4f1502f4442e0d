// The header limits of C++ for NVRTC: numeric_limits of the arithmetic types.
#pragma once

#include <float.h>
#include <limits.h>

namespace std {

template <class T>
struct numeric_limits {
  static constexpr bool is_specialized = false;
};

#define GPUARR_LIMITS(T, least, most, bits, digits10_, has_sign)         \
  template <>                                                            \
  struct numeric_limits<T> {                                             \
    static constexpr bool is_specialized = true, is_integer = true;      \
    static constexpr bool is_signed = has_sign, is_exact = true;         \
    static constexpr bool has_infinity = false, has_quiet_NaN = false;   \
    static constexpr int digits = bits, digits10 = digits10_, radix = 2; \
    static constexpr T min() { return least; }                           \
    static constexpr T max() { return most; }                            \
    static constexpr T lowest() { return least; }                        \
    static constexpr T epsilon() { return 0; }                           \
    static constexpr T infinity() { return 0; }                          \
    static constexpr T quiet_NaN() { return 0; }                         \
  };
GPUARR_LIMITS(bool, false, true, 1, 0, false)
GPUARR_LIMITS(char, CHAR_MIN, CHAR_MAX, 7, 2, true)
GPUARR_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX, 7, 2, true)
GPUARR_LIMITS(unsigned char, 0, UCHAR_MAX, 8, 2, false)
GPUARR_LIMITS(short, SHRT_MIN, SHRT_MAX, 15, 4, true)
GPUARR_LIMITS(unsigned short, 0, USHRT_MAX, 16, 4, false)
GPUARR_LIMITS(int, INT_MIN, INT_MAX, 31, 9, true)
GPUARR_LIMITS(unsigned, 0, UINT_MAX, 32, 9, false)
GPUARR_LIMITS(long, LONG_MIN, LONG_MAX, 63, 18, true)
GPUARR_LIMITS(unsigned long, 0, ULONG_MAX, 64, 19, false)
GPUARR_LIMITS(long long, LLONG_MIN, LLONG_MAX, 63, 18, true)
GPUARR_LIMITS(unsigned long long, 0, ULLONG_MAX, 64, 19, false)
#undef GPUARR_LIMITS

#define GPUARR_LIMITS(T, name, digits10_, max_digits10_, infinite, quiet, denormal)    \
  template <>                                                                          \
  struct numeric_limits<T> {                                                           \
    static constexpr bool is_specialized = true, is_integer = false;                   \
    static constexpr bool is_signed = true, is_exact = false, is_iec559 = true;        \
    static constexpr bool has_infinity = true, has_quiet_NaN = true;                   \
    static constexpr int digits = name##_MANT_DIG, digits10 = digits10_, radix = 2;    \
    static constexpr int max_digits10 = max_digits10_;                                 \
    static constexpr int min_exponent = name##_MIN_EXP, max_exponent = name##_MAX_EXP; \
    static constexpr T min() { return name##_MIN; }                                    \
    static constexpr T max() { return name##_MAX; }                                    \
    static constexpr T lowest() { return -name##_MAX; }                                \
    static constexpr T epsilon() { return name##_EPSILON; }                            \
    static constexpr T round_error() { return (T)0.5; }                                \
    static constexpr T infinity() { return __builtin_bit_cast(T, infinite); }          \
    static constexpr T quiet_NaN() { return __builtin_bit_cast(T, quiet); }            \
    static constexpr T denorm_min() { return __builtin_bit_cast(T, denormal); }        \
  };
GPUARR_LIMITS(float, FLT, 6, 9, 0x7f800000, 0x7fc00000, 1)
GPUARR_LIMITS(double, DBL, 15, 17, 0x7ff0000000000000, 0x7ff8000000000000, 1LL)
#undef GPUARR_LIMITS

template <class T>
struct numeric_limits<const T> : numeric_limits<T> {};

}  // namespace std
