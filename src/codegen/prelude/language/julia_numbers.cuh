// Julia's division, minima, powers and conversions of numbers, for kernels that are written in it.

namespace gpuarr_julia {

// Division of integers by 0 gives 0 without checks, and by -1 it wraps around: the processor would
// trap on both.
template <class T>
__device__ inline bool is_minus_one(T b) {
  return is_signed<T> && b == (T)-1;
}
// Neither of the two, by one comparison.
template <class T>
__device__ inline bool is_divisor(T b) {
  if constexpr (is_signed<T>)
    return (Unsigned<T>)((Unsigned<T>)b + 1) > 1;
  else
    return b != 0;
}
// b, or 1 in place of these two, which leaves no remainder either. Nothing branches: on GPUs a
// branch around a division takes longer than what it spares.
template <class T>
__device__ inline T divisor(T b) {
  if constexpr (is_signed<T>)
    return (T)((Unsigned<T>)((Unsigned<T>)b + 1) > 1 ? (Unsigned<T>)b : (Unsigned<T>)1);
  else
    return b != 0 ? b : (T)1;
}
// What an integer quotient is where b may be one of the two.
template <class T>
__device__ inline T quotient(T a, T b, T by_divisor) {
  return is_divisor(b) ? by_divisor : b == 0 ? (T)0 : neg(a);
}
template <class T>
__device__ inline T div(T a, T b, Place place = here()) {
  if constexpr (is_float<T>) {
    return rint((a - fmod(a, b)) / b);
  } else {
    require(b != 0, "DivideError", place);
    return quotient(a, b, (T)(a / divisor(b)));
  }
}
template <class T>
__device__ inline T rem(T a, T b, Place place = here()) {
  require(b != 0, "DivideError", place);
  return (T)(a % divisor(b));
}
// The remainder that has b's sign.
template <class T>
__device__ inline T mod(T a, T b, Place place = here()) {
  if constexpr (is_float<T>) {
    const T r = fmod(a, b);
    if (r == 0) return copysign(r, b);
    return (r > 0) != (b > 0) ? r + b : r;
  } else {
    const T r = rem(a, b, place);
    return r != 0 && (r < 0) != (b < 0) ? (T)(r + b) : r;
  }
}
template <class T>
__device__ inline T fld(T a, T b, Place place = here()) {
  if constexpr (is_float<T>) {
    return rint((a - mod(a, b)) / b);
  } else {
    require(b != 0, "DivideError", place);
    const T d = divisor(b);
    return quotient(a, b, (T)(a / d - (a % d != 0 && (a < 0) != (d < 0))));
  }
}
template <class T>
__device__ inline T cld(T a, T b, Place place = here()) {
  if constexpr (is_float<T>) {
    return -fld(-a, b);
  } else {
    require(b != 0, "DivideError", place);
    const T d = divisor(b);
    return quotient(a, b, (T)(a / d + (a % d != 0 && (a < 0) == (d < 0))));
  }
}
template <class T>
__device__ inline T gcd(T a, T b) {
  unsigned long long x = a < 0 ? 0 - (unsigned long long)a : (unsigned long long)a;
  unsigned long long y = b < 0 ? 0 - (unsigned long long)b : (unsigned long long)b;
  while (y != 0) {
    const unsigned long long rest = x % y;
    x = y;
    y = rest;
  }
  return (T)x;
}
template <class T>
__device__ inline T lcm(T a, T b) {
  if (a == 0 || b == 0) return 0;
  const unsigned long long p = a < 0 ? 0 - (unsigned long long)a : (unsigned long long)a;
  const unsigned long long q = b < 0 ? 0 - (unsigned long long)b : (unsigned long long)b;
  return (T)(p / (unsigned long long)gcd(a, b) * q);
}

// NaN if one is, and 0 more than -0.
template <class T>
__device__ inline T max(T a, T b) {
  if constexpr (is_float<T>)
    return (T)(a > b ? a : b > a ? b : a == b ? (signbit(a) ? b : a) : (T)(a + b));
  else
    return a < b ? b : a;
}
template <class T>
__device__ inline T min(T a, T b) {
  if constexpr (is_float<T>)
    return (T)(a < b ? a : b < a ? b : a == b ? (signbit(a) ? a : b) : (T)(a + b));
  else
    return b < a ? b : a;
}
template <class T>
__device__ inline T clamp(T x, T low, T high) {
  return x > high ? high : x < low ? low : x;
}
// NaNs last, and -0 before 0.
template <class T>
__device__ inline bool isless(T a, T b) {
  return a < b || (a == a && b != b) || (a == b && signbit(a) && !signbit(b));
}

template <class T>
__device__ inline T square(T x) {
  if constexpr (is_float<T>)
    return (T)(x * x);
  else
    return mul(x, x);
}
template <class T>
__device__ inline T cube(T x) {
  if constexpr (is_float<T>)
    return (T)(x * x * x);
  else
    return mul(mul(x, x), x);
}
// Whole powers wrap around; of a negative exponent the fraction's whole part is left.
template <class T>
__device__ inline T power(T base, long long n, Place place = here()) {
  if (n < 0) {
    require(base == 1 || is_minus_one(base), "DomainError: a negative exponent", place);
    return is_minus_one(base) ? (n % 2 ? base : (T)1) : (T)(base == 1);
  }
  unsigned long long x = (unsigned long long)base, result = 1;
  for (; n > 0; n >>= 1, x *= x)
    if (n & 1) result *= x;
  return (T)result;
}

// A number as one of another type which Julia takes only if it is exact.
template <class T, class S>
__device__ inline T exact(S x, Place place = here()) {
  require(equal(x, (T)x), "InexactError", place);
  return (T)x;
}
// A whole float as an integer.
template <class T, class S>
__device__ inline T to(S x, Place place = here()) {
  require(equal(x, (T)x), "InexactError", place);
  return (T)x;
}

// C's lgamma writes the sign into a variable that all threads share.
#ifndef __CUDACC_RTC__
extern "C" float lgammaf_r(float, int*) noexcept;
extern "C" double lgamma_r(double, int*) noexcept;
#endif
template <class T>
__device__ inline T log_gamma(T x) {
#ifdef __CUDACC_RTC__
  return lgamma(x);
#else
  int sign;
  return sizeof(T) == 4 ? (T)lgammaf_r((float)x, &sign) : (T)lgamma_r((double)x, &sign);
#endif
}

// Ends of ranges: those without elements end before they start.
template <class T>
__device__ inline T last_of(T first, T last) {
  return last >= first ? last : sub(first, 1);
}
template <class T, class S>
__device__ inline T last_of(T first, S step, T last) {
  if (step > 0 ? last < first : last > first) return (T)(first - (step > 0 ? 1 : -1));
  // In unsigned numbers, which hold any distance and the step of any type.
  typedef unsigned long long Wide;
  using U = Unsigned<T>;
  const Wide by = step > 0 ? (Wide)step : 0 - (Wide)step;
  const Wide distance = step > 0 ? (U)((U)last - (U)first) : (U)((U)first - (U)last);
  const U rest = (U)rem(distance, by);
  return step > 0 ? (T)((U)last - rest) : (T)((U)last + rest);
}
template <class T>
__device__ inline T count_of(T n) {
  return n < 0 ? (T)0 : n;
}

// What may be nothing.
template <class T>
struct maybe {
  bool has;
  T value;
};
// A complex number in a struct, aligned as in Julia.
template <class T>
struct pair {
  T re, im;
};
// Elements of one type.
template <class T, int N>
struct tuple {
  T at[N];
};

}  // namespace gpuarr_julia
