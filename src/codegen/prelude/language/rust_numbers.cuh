// Methods of Rust's integers and floats, by their names.

namespace gpuarr_rust {

// Bits of floats.
template <class T>
struct bits_of;
template <>
struct bits_of<float> {
  typedef unsigned type;
};
template <>
struct bits_of<double> {
  typedef unsigned long long type;
};
#ifdef __CUDACC_RTC__
__device__ inline unsigned to_bits(float x) { return __float_as_uint(x); }
__device__ inline unsigned long long to_bits(double x) {
  return (unsigned long long)__double_as_longlong(x);
}
template <class T>
__device__ inline T from_bits(typename bits_of<T>::type x) {
  if constexpr (sizeof(T) == 4)
    return __uint_as_float(x);
  else
    return __longlong_as_double((long long)x);
}
#else
template <class T>
inline typename bits_of<T>::type to_bits(T x) {
  return __builtin_bit_cast(typename bits_of<T>::type, x);
}
template <class T>
inline T from_bits(typename bits_of<T>::type x) {
  return __builtin_bit_cast(T, x);
}
#endif

// What a float is computed as: one of 16 bits as a float.
template <class T>
struct real_of {
  typedef float type;
};
template <>
struct real_of<double> {
  typedef double type;
};

#define GPUARR_RUST_MATH1(name, function)               \
  template <class T>                                    \
  __device__ inline T name(T x) {                       \
    return T(::function(typename real_of<T>::type(x))); \
  }
GPUARR_RUST_MATH1(acos, acos)
GPUARR_RUST_MATH1(acosh, acosh)
GPUARR_RUST_MATH1(asin, asin)
GPUARR_RUST_MATH1(asinh, asinh)
GPUARR_RUST_MATH1(atan, atan)
GPUARR_RUST_MATH1(atanh, atanh)
GPUARR_RUST_MATH1(cbrt, cbrt)
GPUARR_RUST_MATH1(ceil, ceil)
GPUARR_RUST_MATH1(cos, cos)
GPUARR_RUST_MATH1(cosh, cosh)
GPUARR_RUST_MATH1(exp, exp)
GPUARR_RUST_MATH1(exp2, exp2)
GPUARR_RUST_MATH1(exp_m1, expm1)
GPUARR_RUST_MATH1(floor, floor)
GPUARR_RUST_MATH1(ln, log)
GPUARR_RUST_MATH1(ln_1p, log1p)
GPUARR_RUST_MATH1(log10, log10)
GPUARR_RUST_MATH1(log2, log2)
GPUARR_RUST_MATH1(round, round)
GPUARR_RUST_MATH1(sin, sin)
GPUARR_RUST_MATH1(sinh, sinh)
GPUARR_RUST_MATH1(sqrt, sqrt)
GPUARR_RUST_MATH1(tan, tan)
GPUARR_RUST_MATH1(tanh, tanh)
GPUARR_RUST_MATH1(trunc, trunc)
#undef GPUARR_RUST_MATH1

#define GPUARR_RUST_MATH2(name, function)   \
  template <class T>                        \
  __device__ inline T name(T x, T y) {      \
    typedef typename real_of<T>::type real; \
    return T(::function(real(x), real(y))); \
  }
GPUARR_RUST_MATH2(atan2, atan2)
GPUARR_RUST_MATH2(copysign, copysign)
GPUARR_RUST_MATH2(hypot, hypot)
GPUARR_RUST_MATH2(powf, pow)
#undef GPUARR_RUST_MATH2

template <class T>
__device__ inline T mul_add(T x, T y, T z) {
  typedef typename real_of<T>::type real;
  return T(::fma(real(x), real(y), real(z)));
}
template <class T>
__device__ inline T log(T x, T base) {
  return ln(x) / ln(base);
}
template <class T>
__device__ inline tuple<T, T> sin_cos(T x) {
  return {sin(x), cos(x)};
}
template <class T>
__device__ inline T fract(T x) {
  return x - trunc(x);
}
template <class T>
__device__ inline T recip(T x) {
  return T(1) / x;
}
__device__ inline float to_degrees(float x) { return x * 57.2957795130823208767981548141051703f; }
__device__ inline double to_degrees(double x) { return x * (180.0 / 3.14159265358979323846); }
__device__ inline float to_radians(float x) { return x * (3.14159265358979323846f / 180.0f); }
__device__ inline double to_radians(double x) { return x * (3.14159265358979323846 / 180.0); }

// Powers as the compiler's own library has them for Rust.
template <class T>
__device__ inline T powi(T x, int n) {
  T result = T(1);
  for (int rest = n;; x *= x) {
    if (rest % 2 != 0) result *= x;
    rest /= 2;
    if (rest == 0) break;
  }
  return n < 0 ? T(1) / result : result;
}

template <class T>
__device__ inline float to_f32(T x) {
  return float(x);
}
template <class T>
__device__ inline double to_f64(T x) {
  return float(x);
}

template <class T>
__device__ inline bool is_nan(T x) {
  return x != x;
}
template <class T>
__device__ inline bool is_finite(T x) {
  return x - x == T(0);
}
template <class T>
__device__ inline bool is_infinite(T x) {
  return !is_finite(x) && !is_nan(x);
}
template <class T>
__device__ inline bool is_sign_negative(T x) {
  return to_bits(x) >> (8 * sizeof(T) - 1) != 0;
}
template <class T>
__device__ inline bool is_sign_positive(T x) {
  return !is_sign_negative(x);
}
__device__ inline bool is_normal(float x) {
  const unsigned exponent = to_bits(x) >> 23 & 0xff;
  return exponent != 0 && exponent != 0xff;
}
__device__ inline bool is_normal(double x) {
  const unsigned exponent = unsigned(to_bits(x) >> 52) & 0x7ff;
  return exponent != 0 && exponent != 0x7ff;
}

// The lesser and the greater of two: of floats, the one that is no NaN.
template <class T>
__device__ inline T min(T a, T b) {
  if constexpr (is_integer<T>)
    return b < a ? b : a;
  else
    return a < b || b != b ? a : b;
}
template <class T>
__device__ inline T max(T a, T b) {
  if constexpr (is_integer<T>)
    return b > a ? b : a;
  else
    return a > b || b != b ? a : b;
}
#ifdef __CUDACC_RTC__  // which has instructions for it
__device__ inline float min(float a, float b) { return ::fminf(a, b); }
__device__ inline float max(float a, float b) { return ::fmaxf(a, b); }
__device__ inline double min(double a, double b) { return ::fmin(a, b); }
__device__ inline double max(double a, double b) { return ::fmax(a, b); }
#endif
template <class T>
__device__ inline T clamp(T x, T low, T high GPUARR_RUST_PLACE) {
  GPUARR_RUST_CHECK(!(low <= high), "clamp between limits in the wrong order");
  return x < low ? low : x > high ? high : x;
}

template <class T>
__device__ inline T abs(T x GPUARR_RUST_PLACE) {
  if constexpr (is_integer<T>) {
    GPUARR_RUST_CHECK(x == integer<T>::min, "integer overflow in abs");
    return x < T(0) ? wrapping_neg(x) : x;
  } else {
    return T(::fabs(typename real_of<T>::type(x)));
  }
}
template <class T>
__device__ inline T signum(T x) {
  if constexpr (is_integer<T>)
    return T(int(x > T(0)) - int(x < T(0)));
  else
    return x != x ? x : copysign(T(1), x);
}

template <class T>
__device__ inline T rem_euclid(T a, T b GPUARR_RUST_PLACE) {
  const T rest = rem(a, b GPUARR_RUST_HERE);
  if constexpr (is_integer<T>) {
    if (!(rest < T(0))) return rest;
    return b < T(0) ? wrapping_sub(rest, b) : wrapping_add(rest, b);
  } else {
    return rest < T(0) ? rest + abs(b) : rest;
  }
}
template <class T>
__device__ inline T div_euclid(T a, T b GPUARR_RUST_PLACE) {
  if constexpr (is_integer<T>) {
    const T quotient = div(a, b GPUARR_RUST_HERE);
    if (!(T(a % b) < T(0))) return quotient;
    return b > T(0) ? T(quotient - T(1)) : T(quotient + T(1));
  } else {
    const T quotient = trunc(a / b);
    if (!(rem(a, b) < T(0))) return quotient;
    return b > T(0) ? quotient - T(1) : quotient + T(1);
  }
}

}  // namespace gpuarr_rust
