// Packs on a GPU: neighbouring elements that a thread loads or stores at once.
namespace gpuarr_kernel {

// Aligned to its size, or to 16 bytes.
template <class T, int width>
struct alignas(sizeof(T) * width < 16 ? sizeof(T) * width : 16) _pack {
  T _element[width];

  __device__ __forceinline__ void _load(const T* from) { *this = *(const _pack*)from; }
  __device__ __forceinline__ void _store(T* to) const { *(_pack*)to = *this; }

  // One by one, where it may be misaligned.
  __device__ __forceinline__ void _load_each(const T* from) {
#pragma unroll
    for (int k = 0; k < width; ++k) _element[k] = from[k];
  }
  __device__ __forceinline__ void _store_each(T* to) const {
#pragma unroll
    for (int k = 0; k < width; ++k) to[k] = _element[k];
  }
  __device__ __forceinline__ void _fill(const T& value) {
#pragma unroll
    for (int k = 0; k < width; ++k) _element[k] = value;
  }
};

template <int width>
struct _width_tag {};  // so many elements side by side

}  // namespace gpuarr_kernel
