// What the block of a later tile will read is asked for on a GPU: so memory is busy while blocks
// wait for each other. Expected of the generated part, for whole scans: _row(p, r),
// _fetch(p, place, at), which calls _fetch_ahead of each input from element `at` of its row on, and
// of the parameters _n, _rows and _ahead.

namespace gpuarr_kernel {

template <int elements, class T>
static __device__ __forceinline__ void _fetch_ahead(const T* from) {
#pragma unroll
  for (int k = threadIdx.x * 128; k < elements * (int)sizeof(T); k += 256 * 128)
    asm volatile("prefetch.global.L2 [%0];" ::"l"((const char*)from + k));
}
template <int tile, class Params>
static __device__ __forceinline__ void fetch_later_tile(const Params& p) {
  const unsigned later = blockIdx.x + (unsigned)p._ahead, t = later / (unsigned)p._rows;
  if ((long long)(t + 1) * tile > p._n) return;
  _fetch(p, _row(p, later - t * (unsigned)p._rows), (long long)t * tile);
}

}  // namespace gpuarr_kernel
