// The rest of math.cuh on CUDA: functions whose names libm has not, or has otherwise.

namespace gpuarr_prelude {

template <class A, class B, class R = gpuarr_detail::common<A, B>>
inline R max(A x, B y) {
  return ::max(R(x), R(y));
}
template <class A, class B, class R = gpuarr_detail::common<A, B>>
inline R min(A x, B y) {
  return ::min(R(x), R(y));
}
template <class A, class B, class R = gpuarr_detail::real<A, B>>
inline R fmax(A x, B y) {
  return ::fmax(R(x), R(y));
}
template <class A, class B, class R = gpuarr_detail::real<A, B>>
inline R fmin(A x, B y) {
  return ::fmin(R(x), R(y));
}
template <class A, class B, class C, class R = gpuarr_detail::real<gpuarr_detail::common<A, B>, C>>
inline R fma(A x, B y, C z) {
  return ::fma(R(x), R(y), R(z));
}
template <class A, class R = gpuarr_detail::real<A>>
inline R round(A x) {
  return ::round(R(x));
}
template <class A, class R = gpuarr_detail::common<A>>
inline R abs(A x) {
  if constexpr (R(1) / 2 != 0)
    return ::fabs(R(x));
  else
    return x > 0 ? R(x) : -R(x);
}
template <class A, class R = gpuarr_detail::real<A>>
inline int isnan(A x) {
  return ::isnan(R(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline int isinf(A x) {
  return ::isinf(R(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline int isfinite(A x) {
  return ::isfinite(R(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline int signbit(A x) {
  return ::signbit(R(x));
}

}  // namespace gpuarr_prelude
