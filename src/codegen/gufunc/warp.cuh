// `group` where a warp runs the body of a place.
namespace gpuarr_gufunc {

// The value of the lane whose number differs in these bits.
template <class T>
static __device__ __forceinline__ T _other_lane(const T& value, int bits) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned k = 0; k < (sizeof(T) + 3) / 4; ++k)
    words[k] = __shfl_xor_sync(~0u, words[k], bits);
  T other;
  memcpy(&other, words, sizeof(T));
  return other;
}

struct _warp_group {
  static __device__ __forceinline__ int rank() { return threadIdx.x % 32; }
  static __device__ __forceinline__ int size() { return 32; }
  static __device__ __forceinline__ void sync() { __syncwarp(); }

  // All lanes get the result, with the same bits where the operator is commutative.
  template <class T, class Operator>
  static __device__ __forceinline__ T reduce(T value, Operator op) {
#pragma unroll
    for (int bits = 16; bits > 0; bits /= 2)
      value = op(value, gpuarr_gufunc::_other_lane(value, bits));
    return value;
  }
  template <class T>
  static __device__ __forceinline__ T sum(T value) {
    return reduce(value, [](T a, T b) -> T { return a + b; });
  }
};

}  // namespace gpuarr_gufunc
