// The prelude stands here.

#line 1 "gpuarr/layout/index.cuh"
// Indices along axes, taken out of the number of an element.
namespace gpuarr_kernel {

// The index along an axis of this extent, the last one of those that `rest` counts; `rest` is then
// the number along the others.
template <class Index, class Extent>
static __device__ __forceinline__ Index _take_index(Index& rest, const Extent& extent) {
  const Index number = rest;
  rest = number / extent;
  return number - rest * (Index)extent;
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/layout/packs.cuh"
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

#line 1 "gpuarr/scan/lanes.cuh"
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

#line 1 "gpuarr/scan/packs.cuh"
// Packs of a row's elements on a GPU: how they are loaded, scanned and written by the threads of a
// warp or block, for rows.cuh and tiles.cuh. Stands behind lanes.cuh.
//
// Expected of the generated part: the functions that scan.hpp names, and
//   Params::_scanned, _place            types of what is scanned, and of what _row gives
//   Params::_exclusive, _chunked        whether results leave their own element out; are tiles
//   Params::_pack_size, _packs, _lanes  elements of a pack, packs of a thread, threads of a row
//   Read, Written                       types: a pack of each input; of each output
//   _load(p, place, at, read)           reads whole packs
//   _load_one(p, place, at, read, k)    reads element k of the packs alone
//   _map_one(p, read, k, at)            what it counts as
//   _post_one(p, a, written, k)         sets element k of the outputs' packs
//   _store(p, place, at, written)       writes whole packs

namespace gpuarr_kernel {

// Where a thread's elements are: pack q is pack q * _lanes + lane from `begin` on.
template <class Params>
struct row_part {
  typename Params::_place place;
  long long begin, end;
  bool full;  // as a tile
  int lane;
  __device__ __forceinline__ long long at(int q) const {
    return begin + (q * Params::_lanes + lane) * Params::_pack_size;
  }
};

// Elements from `at` on, as far as they are before the part's end.
template <class Written, class Params, class T, int size>
static __device__ __forceinline__ void finish(const Params& p, const row_part<Params>& part,
                                              long long at, bool first, bool any, const T& before,
                                              const T (&a)[size]) {
  T v[size];
#pragma unroll
  for (int k = 0; k < size; ++k) v[k] = any ? _reduce(p, before, a[k]) : a[k];
  if constexpr (Params::_exclusive)
    if (first) v[0] = any ? before : _identity(p);
  if (Params::_chunked ? part.full : at + size <= part.end) {
    Written y;
#pragma unroll
    for (int k = 0; k < size; ++k) _post_one(p, v[k], y, k);
    _store(p, part.place, at, y);
  } else if constexpr (size > 1 || Params::_chunked) {
#pragma unroll
    for (int k = 0; k < size; ++k)
      if (at + k < part.end) _put(p, part.place, at + k, 0, v[k]);
  }
}

// What is not there is the last element once more: nothing that is there depends on it.
template <class Params, class Read>
static __device__ __forceinline__ void load_last(const Params& p, const row_part<Params>& part,
                                                 long long at, Read& read) {
#pragma unroll
  for (int k = 0; k < Params::_pack_size; ++k)
    _load_one(p, part.place, at + k < p._n ? at + k : p._n - 1, read, k);
}
// What elements count as. One question for all of a tile costs fewer registers, one for each pack
// serves rows of any length.
template <class Read, class Params, class T, int packs, int size>
static __device__ __forceinline__ void load_part(const Params& p, const row_part<Params>& part,
                                                 T (&a)[packs][size]) {
  Read read[packs];
  if constexpr (Params::_chunked) {
    if (part.full) {
#pragma unroll
      for (int q = 0; q < packs; ++q) _load(p, part.place, part.at(q), read[q]);
    } else {
#pragma unroll
      for (int q = 0; q < packs; ++q) gpuarr_kernel::load_last(p, part, part.at(q), read[q]);
    }
  } else {
#pragma unroll
    for (int q = 0; q < packs; ++q)
      if (size > 1 && part.at(q) + size <= p._n)
        _load(p, part.place, part.at(q), read[q]);
      else
        gpuarr_kernel::load_last(p, part, part.at(q), read[q]);
  }
#pragma unroll
  for (int q = 0; q < packs; ++q)
#pragma unroll
    for (int k = 0; k < size; ++k) a[q][k] = _map_one(p, read[q], k, part.at(q) + k);
}

// Elements then have in them what lies before them in the warp, so that nothing else need be kept
// while the block waits: what it holds meanwhile is what keeps memory busy. Sums are those up to
// the end of each pack.
template <class Params, class T, int packs, int size>
static __device__ __forceinline__ void scan_packs(const Params& p, int lane, T (&a)[packs][size],
                                                  T (&sums)[packs]) {
  constexpr int of_warp = Params::_lanes < 32 ? Params::_lanes : 32;
#pragma unroll
  for (int q = 0; q < packs; ++q) {
#pragma unroll
    for (int k = 1; k < size; ++k) a[q][k] = _reduce(p, a[q][k - 1], a[q][k]);
    sums[q] = a[q][size - 1];
  }
  gpuarr_kernel::scan_lanes<of_warp>(p, sums, lane % 32);
#pragma unroll
  for (int q = 0; q < packs; ++q) {
    const T left = gpuarr_kernel::from_before(sums[q], 1, of_warp);
    if constexpr (Params::_exclusive) {
#pragma unroll
      for (int k = size - 1; k > 0; --k) a[q][k] = a[q][k - 1];
      a[q][0] = left;
    }
#pragma unroll
    for (int k = Params::_exclusive; k < size; ++k)
      if (lane % of_warp > 0) a[q][k] = _reduce(p, left, a[q][k]);
  }
}

// The sums of all warps, pack by pack, are one row: a lane has one of them, or two.
template <class T, int packs>
struct block_sums {
  enum { count = packs * 8, each = count > 32 ? 2 : 1 };
  T* shared;
  T all[1];
  T total;
};
template <class Params, class T, int packs>
static __device__ __forceinline__ block_sums<T, packs> scan_block(const Params& p,
                                                                  const T (&sums)[packs]) {
  typedef block_sums<T, packs> result;
  alignas(16) __shared__ char bytes[result::count * sizeof(T)];
  result block;
  block.shared = (T*)bytes;
  const int warp = threadIdx.x / 32, in_warp = threadIdx.x % 32;
#pragma unroll
  for (int q = 0; q < packs; ++q)
    if (in_warp == 31) block.shared[q * 8 + warp] = sums[q];
  __syncthreads();
  const int first = in_warp * result::each;
  const int mine = first < result::count ? first : result::count - 1;
  block.all[0] = block.shared[mine];
  if (result::each == 2) block.all[0] = _reduce(p, block.all[0], block.shared[mine + 1]);
  gpuarr_kernel::scan_lanes<32>(p, block.all, in_warp);
  block.total = gpuarr_kernel::from_lane(block.all[0], result::count / result::each - 1, 32);
  return block;
}
template <class Written, class Params, class T, int packs, int size>
static __device__ __forceinline__ void finish_block(const Params& p, const row_part<Params>& part,
                                                    const T (&a)[packs][size],
                                                    const block_sums<T, packs>& block, bool chained,
                                                    const T& before) {
  const int warp = threadIdx.x / 32, in_warp = threadIdx.x % 32;
#pragma unroll
  for (int q = 0; q < packs; ++q) {
    const int k = q * 8 + warp, pair = k / block.each;
    T b = gpuarr_kernel::from_lane(block.all[0], pair > 0 ? pair - 1 : 0, 32);
    bool any = pair > 0;
    if (k % block.each == 1) {
      b = any ? _reduce(p, b, block.shared[k - 1]) : block.shared[k - 1];
      any = true;
    }
    if (chained) {
      b = any ? _reduce(p, before, b) : before;
      any = true;
    }
    gpuarr_kernel::finish<Written>(p, part, part.at(q), in_warp == 0, any, b, a[q]);
  }
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/scan/rows.cuh"
// Rows of a scan on a GPU that a few threads take, or a block: _scan_rows<Read, Written>(p). Stands
// behind packs.cuh, and expects what it does, and the type Params::_index of _row's argument.

namespace gpuarr_kernel {

template <class Written, class Params, class T, int packs, int size>
static __device__ __forceinline__ void finish_lanes(const Params& p, const row_part<Params>& part,
                                                    const T (&a)[packs][size],
                                                    const T (&sums)[packs]) {
  constexpr int lanes = Params::_lanes;
  T carry;
#pragma unroll
  for (int q = 0; q < packs; ++q) {
    const T before = carry, all = gpuarr_kernel::from_lane(sums[q], lanes - 1, lanes);
    carry = q > 0 ? _reduce(p, carry, all) : all;
    gpuarr_kernel::finish<Written>(p, part, part.at(q), part.lane == 0, q > 0, before, a[q]);
  }
}

template <class Read, class Written, class Params>
static __device__ __forceinline__ void _scan_rows(const Params& p) {
  typedef typename Params::_index index;
  constexpr int lanes = Params::_lanes;
  const int lane = threadIdx.x % lanes;
  const index k = (index)blockIdx.x * (256 / lanes) + threadIdx.x / lanes;
  const bool active = k < (index)p._rows;
  const index row = active ? k : 0;
  const long long end = active ? p._n : 0;
  const row_part<Params> part = {_row(p, row), 0, end, false, lane};
  typename Params::_scanned a[Params::_packs][Params::_pack_size], sums[Params::_packs];
  gpuarr_kernel::load_part<Read>(p, part, a);
  gpuarr_kernel::scan_packs(p, lane, a, sums);
  if constexpr (lanes <= 32) {
    gpuarr_kernel::finish_lanes<Written>(p, part, a, sums);
  } else {
    const auto block = gpuarr_kernel::scan_block(p, sums);
    gpuarr_kernel::finish_block<Written>(p, part, a, block, false, block.total);
  }
}

}  // namespace gpuarr_kernel

