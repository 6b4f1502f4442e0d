// Tiles of a row that find out in one launch what lies before each of them (see README.md), on a
// GPU: _before_tile. Stands behind lanes.cuh. Expected of the generated part: _reduce(p, a, b), and
// of the parameters _chunks, the number of tiles, _per_row, that of words for a row, and _states,
// these words, which are 0 before.
//
// A word of 64 bits is half flag and half value, so that each tells by itself whether it is there,
// and no fence is needed.

namespace gpuarr_kernel {

template <class T>
static __device__ __forceinline__ void publish(unsigned long long* to, const T& a) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned word[words] = {};
  memcpy(word, &a, sizeof(T));
#pragma unroll
  for (int k = 0; k < words; ++k)
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to + k), "l"(1ull << 32 | word[k])
                 : "memory");
}
// All lanes of a warp wait together, until those that want one have theirs.
template <class T>
static __device__ __forceinline__ T await(const unsigned long long* from, bool wanted,
                                          const T& otherwise) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned long long word[words];
  for (;;) {
    bool there = true;
    if (wanted)
#pragma unroll
      for (int k = 0; k < words; ++k) {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                     : "=l"(word[k])
                     : "l"(from + k)
                     : "memory");
        there &= word[k] >> 32 != 0;
      }
    if (__all_sync(~0u, there)) break;
    __nanosleep(40);
  }
  if (!wanted) return otherwise;
  unsigned low[words];
#pragma unroll
  for (int k = 0; k < words; ++k) low[k] = (unsigned)word[k];
  T a;
  memcpy((void*)&a, low, sizeof(T));
  return a;
}
template <class Params, class T>
static __device__ __forceinline__ T fold_before(const Params& p, const unsigned long long* from,
                                                int count, const T& otherwise) {
  constexpr int words = (sizeof(T) + 3) / 4;
  const int lane = threadIdx.x % 32;
  T a[1] = {gpuarr_kernel::await(from + lane * words, lane < count, otherwise)};
  gpuarr_kernel::scan_lanes<32>(p, a, lane);
  return gpuarr_kernel::from_lane(a[0], count - 1, 32);
}

// What lies before tile `tile` of row `row`, whose own total is given; it means nothing for the
// first. All 256 threads call it, and are together in between. It is always put together of the
// same pieces, whichever come first: tiles of its group of 32, groups of its thousand, and all
// thousands before.
template <class Params, class T>
static __device__ __forceinline__ T _before_tile(const Params& p, unsigned row, unsigned tile,
                                                 const T& total) {
  constexpr int words = (sizeof(T) + 3) / 4;
  alignas(16) __shared__ char bytes[3 * sizeof(T)];
  T* const part = (T*)bytes;
  const unsigned tiles = (unsigned)p._chunks, i = tile % 32, g = tile / 32 % 32, s = tile / 1024;
  unsigned long long* const of_tile = (unsigned long long*)p._states + row * p._per_row;
  unsigned long long* const of_group = of_tile + (long long)tiles * words;
  unsigned long long* const of_thousand = of_group + (long long)((tiles + 31) / 32) * words;
  const unsigned warp = threadIdx.x / 32;
  const bool first = threadIdx.x % 32 == 0;
  if (warp == 0) {
    if (i < 31 && first) gpuarr_kernel::publish(of_tile + (long long)tile * words, total);
    if (i > 0) {
      const T a = gpuarr_kernel::fold_before(p, of_tile + (long long)(tile - i) * words, i, total);
      if (i == 31 && first)
        gpuarr_kernel::publish(of_group + (long long)(tile / 32) * words, _reduce(p, a, total));
      if (first) part[0] = a;
    }
  } else if (warp == 1 && g > 0) {
    const T a = gpuarr_kernel::fold_before(p, of_group + (long long)(s * 32) * words, g, total);
    if (first) part[1] = a;
  } else if (warp == 2 && s > 0) {
    const T a = gpuarr_kernel::await(of_thousand + (long long)(s - 1) * words, true, total);
    if (first) part[2] = a;
  }
  __syncthreads();
  T a = total;
  bool any = s > 0;
  if (s > 0) a = part[2];
  if (g > 0) {
    a = any ? _reduce(p, a, part[1]) : part[1];
    any = true;
  }
  if (i > 0) a = any ? _reduce(p, a, part[0]) : part[0];
  if (tile % 1024 == 1023 && threadIdx.x == 0)
    gpuarr_kernel::publish(of_thousand + (long long)s * words, _reduce(p, a, total));
  return a;
}

}  // namespace gpuarr_kernel
