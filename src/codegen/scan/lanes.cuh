// What threads of a warp tell each other on a GPU, of values of any type T: shuffles move them word
// by word. Expected of the generated part: _reduce(p, a, b).
//
// Functions call each other by their full names here, and in the files that go with this one: else
// one of the user's with the same name would be found by the type of its arguments, and compete.

namespace gpuarr_kernel {

template <class T, class F>
static __device__ __forceinline__ T shuffled(const T& a, F shuffle) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned word[words] = {};
  memcpy(word, &a, sizeof(T));
#pragma unroll
  for (int k = 0; k < words; ++k) word[k] = shuffle(word[k]);
  T b;
  memcpy((void*)&b, word, sizeof(T));
  return b;
}
// What the lane has that is `by` lanes before this one. Lanes are together in groups of `size`.
template <class T>
static __device__ __forceinline__ T from_before(const T& a, int by, int size) {
  return gpuarr_kernel::shuffled(
      a, [&](unsigned word) { return __shfl_up_sync(~0u, word, by, size); });
}
template <class T>
static __device__ __forceinline__ T from_lane(const T& a, int lane, int size) {
  return gpuarr_kernel::shuffled(a,
                                 [&](unsigned word) { return __shfl_sync(~0u, word, lane, size); });
}
template <int size, class Params, class T, int count>
static __device__ __forceinline__ void scan_lanes(const Params& p, T (&a)[count], int lane) {
#pragma unroll
  for (int d = 1; d < size; d *= 2)
#pragma unroll
    for (int q = 0; q < count; ++q) {
      const T before = gpuarr_kernel::from_before(a[q], d, size);
      if (lane >= d) a[q] = _reduce(p, before, a[q]);
    }
}

}  // namespace gpuarr_kernel
