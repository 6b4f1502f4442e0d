// Functions of real numbers by CUDA's names, on both devices, for any mix of arithmetic types.
//
// CUDA has them for float and for double, so that sin(1) or, for a float x, max(x, 0) are
// ambiguous. The templates here fill the gaps: they are taken only where no function of CUDA or
// libm fits exactly, and compute in the type of the sum of the arguments, but in double if all are
// integers. What is not a number of this kind (complex, a user's class) they leave alone.

namespace gpuarr_prelude::gpuarr_detail {

template <class Sum>
struct real_of {};
template <class T>
struct real_is {
  typedef T type;
};
template <>
struct real_of<float> : real_is<float> {};
template <>
struct real_of<double> : real_is<double> {};
template <>
struct real_of<int> : real_is<double> {};
template <>
struct real_of<unsigned> : real_is<double> {};
template <>
struct real_of<long> : real_is<double> {};
template <>
struct real_of<unsigned long> : real_is<double> {};
template <>
struct real_of<long long> : real_is<double> {};
template <>
struct real_of<unsigned long long> : real_is<double> {};

template <class A, class B = A>
using real = typename real_of<decltype(A() + B())>::type;

template <class A, class B = A, class = real<A, B>>
using common = decltype(A() + B());

}  // namespace gpuarr_prelude::gpuarr_detail

#ifdef __CUDACC_RTC__

#define GPUARR_MATH1(simd, name)                       \
  namespace gpuarr_prelude {                           \
  template <class A, class R = gpuarr_detail::real<A>> \
  inline R name(A x) {                                 \
    return ::name(R(x));                               \
  }                                                    \
  }
#define GPUARR_MATH2(simd, name)                                   \
  namespace gpuarr_prelude {                                       \
  template <class A, class B, class R = gpuarr_detail::real<A, B>> \
  inline R name(A x, B y) {                                        \
    return ::name(R(x), R(y));                                     \
  }                                                                \
  }
#define GPUARR_ANGLE(name) GPUARR_MATH1(, name)

#else

// The host has no math header: libm's functions are declared here as it declares them. Those that
// libmvec has are declared vectorisable, as far as the driver of the compiler found it (1: glibc
// 2.22, 2: glibc 2.35).
#if defined(__GNUC__) && !defined(__clang__) && GPUARR_LIBMVEC >= 1
#define GPUARR_SIMD1 __attribute__((simd("notinbranch"), const))
#else
#define GPUARR_SIMD1
#endif
#if defined(__GNUC__) && !defined(__clang__) && GPUARR_LIBMVEC >= 2
#define GPUARR_SIMD2 __attribute__((simd("notinbranch"), const))
#else
#define GPUARR_SIMD2
#endif

#define GPUARR_MATH1(simd, name)                       \
  extern "C" simd double name(double) noexcept;        \
  extern "C" simd float name##f(float) noexcept;       \
  namespace gpuarr_prelude {                           \
  template <class A, class R = gpuarr_detail::real<A>> \
  inline R name(A x) {                                 \
    if constexpr (sizeof(R) == 4)                      \
      return ::name##f(x);                             \
    else                                               \
      return ::name(double(x));                        \
  }                                                    \
  }
#define GPUARR_MATH2(simd, name)                                   \
  extern "C" simd double name(double, double) noexcept;            \
  extern "C" simd float name##f(float, float) noexcept;            \
  namespace gpuarr_prelude {                                       \
  template <class A, class B, class R = gpuarr_detail::real<A, B>> \
  inline R name(A x, B y) {                                        \
    if constexpr (sizeof(R) == 4)                                  \
      return ::name##f(x, y);                                      \
    else                                                           \
      return ::name(double(x), double(y));                         \
  }                                                                \
  }

// Under their own names, g++ would make one call of a sine and a cosine of the same angle, and not
// vectorise that.
#define GPUARR_ANGLE(name)                                                           \
  extern "C" GPUARR_SIMD1 double gpuarr_##name(double) noexcept __asm__(#name);      \
  extern "C" GPUARR_SIMD1 float gpuarr_##name##f(float) noexcept __asm__(#name "f"); \
  namespace gpuarr_prelude {                                                         \
  template <class A, class R = gpuarr_detail::real<A>>                               \
  inline R name(A x) {                                                               \
    if constexpr (sizeof(R) == 4)                                                    \
      return gpuarr_##name##f(x);                                                    \
    else                                                                             \
      return gpuarr_##name(double(x));                                               \
  }                                                                                  \
  template <int = 0>                                                                 \
  inline float name##f(float x) {                                                    \
    return gpuarr_##name##f(x);                                                      \
  }                                                                                  \
  }

#endif

GPUARR_ANGLE(sin)
GPUARR_ANGLE(cos)
GPUARR_MATH1(GPUARR_SIMD1, exp)
GPUARR_MATH1(GPUARR_SIMD1, log)
GPUARR_MATH2(GPUARR_SIMD1, pow)
GPUARR_MATH1(GPUARR_SIMD2, tan)
GPUARR_MATH1(GPUARR_SIMD2, asin)
GPUARR_MATH1(GPUARR_SIMD2, acos)
GPUARR_MATH1(GPUARR_SIMD2, atan)
GPUARR_MATH2(GPUARR_SIMD2, atan2)
GPUARR_MATH1(GPUARR_SIMD2, sinh)
GPUARR_MATH1(GPUARR_SIMD2, cosh)
GPUARR_MATH1(GPUARR_SIMD2, tanh)
GPUARR_MATH1(GPUARR_SIMD2, asinh)
GPUARR_MATH1(GPUARR_SIMD2, acosh)
GPUARR_MATH1(GPUARR_SIMD2, atanh)
GPUARR_MATH1(GPUARR_SIMD2, exp2)
GPUARR_MATH1(GPUARR_SIMD2, exp10)
GPUARR_MATH1(GPUARR_SIMD2, expm1)
GPUARR_MATH1(GPUARR_SIMD2, log2)
GPUARR_MATH1(GPUARR_SIMD2, log10)
GPUARR_MATH1(GPUARR_SIMD2, log1p)
GPUARR_MATH1(GPUARR_SIMD2, cbrt)
GPUARR_MATH2(GPUARR_SIMD2, hypot)
GPUARR_MATH1(GPUARR_SIMD2, erf)
GPUARR_MATH1(GPUARR_SIMD2, erfc)
GPUARR_MATH1(, sqrt)
GPUARR_MATH1(, floor)
GPUARR_MATH1(, ceil)
GPUARR_MATH1(, trunc)
GPUARR_MATH1(, rint)
GPUARR_MATH1(, nearbyint)
GPUARR_MATH1(, fabs)
GPUARR_MATH1(, tgamma)
GPUARR_MATH1(, lgamma)
GPUARR_MATH1(, logb)
GPUARR_MATH2(, fmod)
GPUARR_MATH2(, remainder)
GPUARR_MATH2(, copysign)
GPUARR_MATH2(, nextafter)
GPUARR_MATH2(, fdim)
