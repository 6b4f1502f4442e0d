// More of CUDA's atomic operations on the host: those of vectors, and those of a block or of the
// whole system, which are the same here.

namespace gpuarr_prelude {

template <int = 0>
inline float2 atomicAdd(float2* p, float2 value) {
  return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}
template <int = 0>
inline float4 atomicAdd(float4* p, float4 value) {
  return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y), atomicAdd(&p->z, value.z),
          atomicAdd(&p->w, value.w)};
}

#define GPUARR_SCOPES(name)                        \
  template <class T, class... Values>              \
  inline T name##_block(T* p, Values... values) {  \
    return name(p, values...);                     \
  }                                                \
  template <class T, class... Values>              \
  inline T name##_system(T* p, Values... values) { \
    return name(p, values...);                     \
  }
GPUARR_SCOPES(atomicAdd)
GPUARR_SCOPES(atomicSub)
GPUARR_SCOPES(atomicExch)
GPUARR_SCOPES(atomicMin)
GPUARR_SCOPES(atomicMax)
GPUARR_SCOPES(atomicInc)
GPUARR_SCOPES(atomicDec)
GPUARR_SCOPES(atomicCAS)
GPUARR_SCOPES(atomicAnd)
GPUARR_SCOPES(atomicOr)
GPUARR_SCOPES(atomicXor)
#undef GPUARR_SCOPES

}  // namespace gpuarr_prelude
