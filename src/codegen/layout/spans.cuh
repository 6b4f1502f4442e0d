// Packs on a GPU that begin anywhere: each is cut out of the aligned granules of 16 bytes that hold
// it. Loading and cutting are apart, so that no load waits for the data of another.
namespace gpuarr_kernel {

template <class T, int width, bool is_whole = sizeof(_pack<T, width>) % 16 == 0>
struct _span {
  enum { granules = sizeof(_pack<T, width>) / 16, words = 4 * granules };
  struct alignas(16) granule {
    unsigned word[4];
  };
  unsigned word[words + 4];
  unsigned skip;  // bytes of the first granule before the pack

  __device__ __forceinline__ void _load(const T* from) {
    const unsigned long long address = (unsigned long long)from;
    const granule* const first = (const granule*)(address & ~15ull);
    skip = (unsigned)address & 15u;
#pragma unroll
    for (int k = 0; k <= granules; ++k)
      if (k < granules || skip) {
        const granule read = first[k];
#pragma unroll
        for (int j = 0; j < 4; ++j) word[4 * k + j] = read.word[j];
      }
  }

  template <int first>
  __device__ __forceinline__ void shift(unsigned* to) const {
#pragma unroll
    for (int j = 0; j < words; ++j)
      to[j] = __funnelshift_r(word[j + first], word[j + first + 1], skip % 4 * 8);
  }

  __device__ __forceinline__ _pack<T, width> _cut() const {
    alignas(16) unsigned to[words];
    switch (skip / 4) {
      case 0:
        shift<0>(to);
        break;
      case 1:
        shift<1>(to);
        break;
      case 2:
        shift<2>(to);
        break;
      default:
        shift<3>(to);
        break;
    }
    return *(const _pack<T, width>*)to;
  }
};

// Packs of fewer bytes than a granule: one element after the other.
template <class T, int width>
struct _span<T, width, false> {
  _pack<T, width> pack;

  __device__ __forceinline__ void _load(const T* from) { pack._load_each(from); }
  __device__ __forceinline__ _pack<T, width> _cut() const { return pack; }
};

}  // namespace gpuarr_kernel
