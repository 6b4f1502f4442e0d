// Long rows of a scan on a GPU, of one input and one output, cut into tiles that stand in shared
// memory: _scan_staged<In, Out>(p), of the types of their elements. Stands behind lanes.cuh,
// chain.cuh and ahead.cuh.
//
// Expected of the generated part: the functions that scan.hpp names, and
//   Params::_scanned, _exclusive        as packs.cuh has them
//   Params::_pack_size, _packs, _lanes  elements of a pack, packs of a thread, threads of a block
//   _fetch(p, place, at)                as ahead.cuh says
//   _input(p, place), _output(p, place) where the row's elements begin

namespace gpuarr_kernel {

template <int size, class In>
static __device__ __forceinline__ void copy_pack(_pack<In, size>* to, const In* from, int k) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to + k)),
      "l"(from + k * size)
      : "memory");
}
// A warp's packs lie together, so that it waits for nobody but itself with them. An odd number of
// packs in a row to a thread: so the threads' are in different banks. What is not there is the last
// element once more: nothing that is there depends on it.
template <int packs, int tile, int size, class In>
static __device__ __forceinline__ void load_staged(_pack<In, size>* to, const In* from, int first,
                                                   int count) {
  if (count == tile)
#pragma unroll
    for (int q = 0; q < packs; ++q) gpuarr_kernel::copy_pack(to, from, first + q * 32);
  else
#pragma unroll 1
    for (int k = first; k < first + 32 * packs; k += 32)
      if ((k + 1) * size <= count)
        gpuarr_kernel::copy_pack(to, from, k);
      else
#pragma unroll 1
        for (int j = k * size; j < (k + 1) * size; ++j)
          ((In*)to)[j] = from[j < count ? j : count - 1];
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
}
template <int tile, int size, class Out>
static __device__ __forceinline__ void store_staged(Out* to, const _pack<Out, size>* from,
                                                    int count) {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (count == tile) {
    if (threadIdx.x == 0)
      asm volatile(
          "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
          "cp.async.bulk.commit_group;\n"
          "cp.async.bulk.wait_group.read 0;" ::"l"(to),
          "r"((unsigned)__cvta_generic_to_shared(from)), "n"(tile * sizeof(Out))
          : "memory");
  } else
#pragma unroll 1
    for (int k = threadIdx.x; k * size < count; k += 256)
      if ((k + 1) * size <= count)
        *(_pack<Out, size>*)(to + k * size) = from[k];
      else
#pragma unroll 1
        for (int j = k * size; j < count; ++j) to[j] = ((const Out*)from)[j];
}

// A thread's packs, in a row from number `mine` of the tile on, which begins with element `begin`.
template <class In, class Params>
struct staged_packs {
  enum { size = Params::_pack_size };
  typedef _pack<In, size> pack;
  char* bytes;
  int mine;
  long long begin;
  __device__ __forceinline__ const pack& operator[](int q) const {
    return ((const pack*)bytes)[mine + q];
  }
  __device__ __forceinline__ long long at(int q) const { return begin + (mine + q) * size; }
};
template <class In, class Params>
static __device__ __forceinline__ typename Params::_scanned sum_staged(
    const Params& p, const staged_packs<In, Params>& packs) {
  typedef typename Params::_scanned T;
  T sum;
#pragma unroll
  for (int q = 0; q < Params::_packs; ++q) {
    const _pack<In, Params::_pack_size> v = packs[q];
    T a = _map(p, v._element[0], packs.at(q));
#pragma unroll
    for (int k = 1; k < Params::_pack_size; ++k)
      a = _reduce(p, a, _map(p, v._element[k], packs.at(q) + k));
    sum = q > 0 ? _reduce(p, sum, a) : a;
  }
  return sum;
}
// The row from a thread's first element on is summed for itself again: to add each element to all
// that lies before would lose more of it.
template <class In, class Out, class Params, class T>
static __device__ __forceinline__ void finish_staged(const Params& p,
                                                     const staged_packs<In, Params>& packs,
                                                     bool any, const T& before, T sum) {
  constexpr int size = Params::_pack_size;
#pragma unroll
  for (int q = 0; q < Params::_packs; ++q) {
    const _pack<In, size> v = packs[q];
    _pack<Out, size> y{};
#pragma unroll
    for (int k = 0; k < size; ++k) {
      const T x = _map(p, v._element[k], packs.at(q) + k);
      if constexpr (Params::_exclusive) {
        const T result = q + k == 0 ? (any ? before : _identity(p))
                         : any      ? _reduce(p, before, sum)
                                    : sum;
        sum = q + k > 0 ? _reduce(p, sum, x) : x;
        _post(p, result, y._element[k]);
      } else {
        sum = q + k > 0 ? _reduce(p, sum, x) : x;
        const T result = any ? _reduce(p, before, sum) : sum;
        _post(p, result, y._element[k]);
      }
    }
    ((_pack<Out, size>*)packs.bytes)[packs.mine + q] = y;
  }
}

// Asynchronous copies want multiples of 128 bytes in shared memory: with 16 more the kernel took a
// fifth longer.
template <class In, class Out, class Params>
static __device__ __forceinline__ void _scan_staged(const Params& p) {
  typedef typename Params::_scanned T;
  constexpr int size = Params::_pack_size, each = Params::_packs;
  constexpr int tile = Params::_lanes * size * each;
  alignas(128) __shared__ char bytes[tile * sizeof(In)];
  alignas(16) __shared__ char sums_bytes[8 * sizeof(T)];
  T* const sums = (T*)sums_bytes;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned t = blockIdx.x / (unsigned)p._rows, row = blockIdx.x - t * (unsigned)p._rows;
  const long long begin = (long long)t * tile, rest = p._n - begin;
  const int count = rest < tile ? (int)rest : tile;
  const staged_packs<In, Params> packs = {bytes, (int)(threadIdx.x * each), begin};
  const auto place = _row(p, row);
  gpuarr_kernel::fetch_later_tile<tile>(p);
  gpuarr_kernel::load_staged<each, tile>((_pack<In, size>*)bytes, _input(p, place) + begin,
                                         warp * 32 * each + lane, count);
  const T sum = gpuarr_kernel::sum_staged(p, packs);
  T up_to[1] = {sum};
  gpuarr_kernel::scan_lanes<32>(p, up_to, lane);
  if (lane == 31) sums[warp] = up_to[0];
  __syncthreads();
  T all[1] = {sums[lane % 8]};
  gpuarr_kernel::scan_lanes<8>(p, all, lane % 8);
  const T left = gpuarr_kernel::from_before(up_to[0], 1, 32);
  const T warps = gpuarr_kernel::from_lane(all[0], warp > 0 ? warp - 1 : 0, 8);
  T before = gpuarr_kernel::_before_tile(p, row, t, gpuarr_kernel::from_lane(all[0], 7, 8));
  bool any = t > 0;
  if (warp > 0) {
    before = any ? _reduce(p, before, warps) : warps;
    any = true;
  }
  if (lane > 0) {
    before = any ? _reduce(p, before, left) : left;
    any = true;
  }
  gpuarr_kernel::finish_staged<In, Out>(p, packs, any, before, sum);
  gpuarr_kernel::store_staged<tile>(_output(p, place) + begin, (const _pack<Out, size>*)bytes,
                                    count);
}

}  // namespace gpuarr_kernel
