// Elements chosen by a mask, on a GPU: a block counts what its tile has, learns how many come
// before it (scan/chain.cuh), and writes. All in one launch.

static __device__ __forceinline__ u64 _reduce(const _params&, u64 a, u64 b) { return a + b; }

#if SELECT_GATHERS
typedef element staged;
static __device__ __forceinline__ element written(long long, const staged& x) { return x; }
#elif !SELECT_SPREADS
typedef unsigned short staged;  // a place in the tile
static __device__ __forceinline__ element written(long long begin, staged x) { return begin + x; }
#endif

extern "C" __global__ void __launch_bounds__(256) select_kernel(const __grid_constant__ _params p) {
#if !SELECT_SPREADS
  alignas(16) __shared__ staged stage[tile_size];
#endif
  __shared__ unsigned sums[packs * 8];
  const unsigned tile = blockIdx.x, lane = threadIdx.x, warp = lane / 32, in_warp = lane % 32;
  const long long begin = (long long)tile * tile_size, here = p.n - begin;
  const long long later = begin + p.ahead * tile_size;
  if (later + tile_size <= p.n) {
    gpuarr_kernel::_fetch_ahead<tile_size>(p.mask + later);
#if SELECT_GATHERS
    gpuarr_kernel::_fetch_ahead<tile_size>(p.from + later);
#endif
  }
  gpuarr_kernel::_pack<mask_type, pack> masks[packs];
#if SELECT_GATHERS
  gpuarr_kernel::_pack<element, pack> values[packs];
#endif
  if (here >= tile_size) {
#pragma unroll
    for (int q = 0; q < packs; ++q) masks[q]._load(p.mask + begin + (q * 256 + lane) * pack);
#if SELECT_GATHERS
#pragma unroll
    for (int q = 0; q < packs; ++q) values[q]._load(p.from + begin + (q * 256 + lane) * pack);
#endif
  } else {
#pragma unroll
    for (int q = 0; q < packs; ++q)
#pragma unroll
      for (int k = 0; k < pack; ++k) {
        const int at = (q * 256 + lane) * pack + k;
        if (at < here) {
          masks[q]._element[k] = p.mask[begin + at];
#if SELECT_GATHERS
          values[q]._element[k] = p.from[begin + at];
#endif
        } else {
          masks[q]._element[k] = mask_type();
        }
      }
  }
  // Fewer than 2^13 are chosen in a tile. `upto` are those of the warp's lanes up to this one.
  unsigned chosen[packs], upto[packs];
#pragma unroll
  for (int q = 0; q < packs; ++q) {
    chosen[q] = 0;
#pragma unroll
    for (int k = 0; k < pack; ++k) chosen[q] |= (counts(masks[q]._element[k]) ? 1u : 0u) << k;
    upto[q] = __popc(chosen[q]);
  }
#pragma unroll
  for (int d = 1; d < 32; d *= 2)
#pragma unroll
    for (int q = 0; q < packs; ++q) {
      const unsigned below = __shfl_up_sync(~0u, upto[q], d);
      if (in_warp >= d) upto[q] += below;
    }
#pragma unroll
  for (int q = 0; q < packs; ++q)
    if (in_warp == 31) sums[q * 8 + warp] = upto[q];
  __syncthreads();
  unsigned all = sums[in_warp];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const unsigned below = __shfl_up_sync(~0u, all, d);
    if (in_warp >= d) all += below;
  }
  const unsigned total = __shfl_sync(~0u, all, 31);
  unsigned rank[packs];
#pragma unroll
  for (int q = 0; q < packs; ++q) {
    const int k = q * 8 + warp;
    const unsigned below = __shfl_sync(~0u, all, k > 0 ? k - 1 : 0);
    rank[q] = (k > 0 ? below : 0u) + upto[q] - __popc(chosen[q]);
  }
#if !SELECT_SPREADS
#pragma unroll
  for (int q = 0; q < packs; ++q) {
    unsigned to = rank[q];
#pragma unroll
    for (int k = 0; k < pack; ++k)
      if (chosen[q] >> k & 1)
#if SELECT_GATHERS
        stage[to++] = values[q]._element[k];
#else
        stage[to++] = (staged)((q * 256 + lane) * pack + k);
#endif
  }
#endif
  // Within is a barrier, which what is staged waits for too.
  const u64 sum = gpuarr_kernel::_before_tile(p, 0, tile, (u64)total), before = tile > 0 ? sum : 0;
  if (tile + 1 == p._chunks && lane == 0 && p.count) *p.count = (long long)(before + total);
#if SELECT_SPREADS
#pragma unroll
  for (int q = 0; q < packs; ++q) {
    u64 next = before + rank[q];
#pragma unroll
    for (int k = 0; k < pack; ++k)
      if (chosen[q] >> k & 1) {
        const u64 from = next < (u64)p.room ? next : next % (u64)p.room;
        p.to[begin + (q * 256 + lane) * pack + k] = p.from[from];
        ++next;
      }
  }
#else
  for (unsigned k = lane; k < total; k += 256)
    if ((long long)(before + k) < p.room) p.to[before + k] = written(begin, stage[k]);
#endif
}
