// CUDA's functions of real numbers on the host that are not libm's. They are templates for the
// reason given in base.cuh, and without branches so that loops over them are vectorised.

extern "C" int printf(const char*, ...);
extern "C" float ldexpf(float, int) noexcept;
extern "C" double ldexp(double, int) noexcept;
extern "C" float frexpf(float, int*) noexcept;
extern "C" double frexp(double, int*) noexcept;
extern "C" float modff(float, float*) noexcept;
extern "C" double modf(double, double*) noexcept;
extern "C" int ilogbf(float) noexcept;
extern "C" int ilogb(double) noexcept;

namespace gpuarr_prelude {

template <class A, class B, class R = gpuarr_detail::common<A, B>>
inline R max(A x, B y) {  // of a number and a NaN, the number
  const R a = x, b = y;
  return a > b || b != b ? a : b;
}
template <class A, class B, class R = gpuarr_detail::common<A, B>>
inline R min(A x, B y) {
  const R a = x, b = y;
  return a < b || b != b ? a : b;
}
template <class A, class B, class R = gpuarr_detail::real<A, B>>
inline R fmax(A x, B y) {
  return max(R(x), R(y));
}
template <class A, class B, class R = gpuarr_detail::real<A, B>>
inline R fmin(A x, B y) {
  return min(R(x), R(y));
}
template <int = 0>
inline float fmaxf(float x, float y) {
  return max(x, y);
}
template <int = 0>
inline float fminf(float x, float y) {
  return min(x, y);
}
template <class A, class R = gpuarr_detail::common<A>>
inline R abs(A x) {
  if constexpr (R(1) / 2 != 0)
    return __builtin_fabs(x);
  else
    return x > 0 ? R(x) : -R(x);
}
template <class A, class B, class C, class R = gpuarr_detail::real<gpuarr_detail::common<A, B>, C>>
inline R fma(A x, B y, C z) {
  if constexpr (sizeof(R) == 4)
    return __builtin_fmaf(x, y, z);
  else
    return __builtin_fma(x, y, z);
}
template <int = 0>
inline float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}

// Half away from zero. Adding just less than a half and cutting is right for every argument.
template <class A, class R = gpuarr_detail::real<A>>
inline R round(A x) {
  if constexpr (sizeof(R) == 4)
    return __builtin_truncf(x + __builtin_copysignf(0x1.fffffep-2f, x));
  else
    return __builtin_trunc(x + __builtin_copysign(0x1.fffffffffffffp-2, x));
}
template <int = 0>
inline float roundf(float x) {
  return round(x);
}
template <class A, class R = gpuarr_detail::real<A>>
inline long lrint(A x) {
  return (long)rint(R(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline long long llrint(A x) {
  return (long long)rint(R(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline long lround(A x) {
  return (long)round(x);
}
template <class A, class R = gpuarr_detail::real<A>>
inline long long llround(A x) {
  return (long long)round(x);
}

template <class A, class R = gpuarr_detail::real<A>>
inline int isnan(A x) {
  return __builtin_isnan(R(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline int isinf(A x) {
  return __builtin_isinf(R(x)) != 0;
}
template <class A, class R = gpuarr_detail::real<A>>
inline int isfinite(A x) {
  return __builtin_isfinite(R(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline int signbit(A x) {
  return __builtin_signbit(R(x)) != 0;
}

template <class A, class R = gpuarr_detail::real<A>>
inline R rsqrt(A x) {
  return 1 / sqrt(R(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline R rcbrt(A x) {
  return 1 / cbrt(R(x));
}
template <class A, class B, class R = gpuarr_detail::real<A, B>>
inline R rhypot(A x, B y) {
  return 1 / hypot(R(x), R(y));
}
template <class A, class R = gpuarr_detail::real<A>>
inline R normcdf(A x) {
  return R(0.5) * erfc(R(x) * R(-M_SQRT1_2));
}
template <int = 0>
inline float rsqrtf(float x) {
  return rsqrt(x);
}
template <int = 0>
inline float rcbrtf(float x) {
  return rcbrt(x);
}
template <int = 0>
inline float normcdff(float x) {
  return normcdf(x);
}

// sin(pi x): x is cut to [-1/2, 1/2] exactly first.
template <class A, class R = gpuarr_detail::real<A>>
inline R sinpi(A x) {
  const R whole = rint(R(x)), s = sin(R(M_PI) * (x - whole));
  return 2 * rint(whole / 2) == whole ? s : -s;
}
template <class A, class R = gpuarr_detail::real<A>>
inline R cospi(A x) {
  const R whole = rint(R(x)), c = sin(R(M_PI) * (R(0.5) - abs(x - whole)));
  return 2 * rint(whole / 2) == whole ? c : -c;
}
template <int = 0>
inline float sinpif(float x) {
  return sinpi(x);
}
template <int = 0>
inline float cospif(float x) {
  return cospi(x);
}
template <class R>
inline void sincospi(R x, R* s, R* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
template <class R>
inline void sincos(R x, R* s, R* c) {
  *s = sin(x);
  *c = cos(x);
}
template <int = 0>
inline void sincosf(float x, float* s, float* c) {
  sincos(x, s, c);
}
template <class A, class R = gpuarr_detail::real<A>>
inline R ldexp(A x, int e) {
  if constexpr (sizeof(R) == 4)
    return ::ldexpf(x, e);
  else
    return ::ldexp(double(x), e);
}
template <class A, class R = gpuarr_detail::real<A>>
inline R scalbn(A x, int e) {
  return ldexp(x, e);
}
template <class A, class R = gpuarr_detail::real<A>>
inline R frexp(A x, int* e) {
  if constexpr (sizeof(R) == 4)
    return ::frexpf(x, e);
  else
    return ::frexp(double(x), e);
}
template <int = 0>
inline float modf(float x, float* whole) {
  return ::modff(x, whole);
}
template <class A, class R = gpuarr_detail::real<A>>
inline int ilogb(A x) {
  if constexpr (sizeof(R) == 4)
    return ::ilogbf(x);
  else
    return ::ilogb(double(x));
}

}  // namespace gpuarr_prelude
