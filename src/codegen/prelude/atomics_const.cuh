// Atomic operations through a pointer to const, on both devices: errors that say what to do.

namespace gpuarr_prelude {

namespace gpuarr_detail {
template <class T>
struct same<const T> {};  // so that the functions that change something take no const
template <class T>
struct of_const {};
template <class T>
struct of_const<const T> : same<T> {};
template <class T>
using of_const_t = typename of_const<T>::type;
template <class T>
constexpr bool changes_const = false;
}  // namespace gpuarr_detail

#define GPUARR_OF_CONST(name, ...)                                                       \
  template <class T>                                                                     \
  inline gpuarr_detail::of_const_t<T> name(T*, __VA_ARGS__) {                            \
    static_assert(gpuarr_detail::changes_const<T>, #name                                 \
                  " through a pointer to const: an input cannot be changed; make it an " \
                  "output, or take the const off a raw kernel's parameter");             \
    return {};                                                                           \
  }
GPUARR_OF_CONST(atomicAdd, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicSub, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicExch, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicMin, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicMax, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicInc, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicDec, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicAnd, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicOr, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicXor, gpuarr_detail::of_const_t<T>)
GPUARR_OF_CONST(atomicCAS, gpuarr_detail::of_const_t<T>, gpuarr_detail::of_const_t<T>)
#undef GPUARR_OF_CONST

}  // namespace gpuarr_prelude
