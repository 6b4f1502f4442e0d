// atomicAdd of a complex128, on both devices: the two parts are added one after the other.

namespace gpuarr_prelude {

template <int = 0>
inline complex128 atomicAdd(complex128* p, complex128 value) {
  return {::atomicAdd(&p->re, value.re), ::atomicAdd(&p->im, value.im)};
}

}  // namespace gpuarr_prelude
