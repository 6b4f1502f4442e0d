// Long rows of a scan on a GPU, cut into tiles that blocks hold in registers:
// _scan_tiles<Read, Written>(p). Stands behind packs.cuh, chain.cuh and ahead.cuh, and expects what
// they do, _fetch only where packs have more than one element.

namespace gpuarr_kernel {

// Neighbouring rows' tiles are neighbours: so rows that lie in the same lines of the cache share
// them. A tile waits for those with lower numbers, which are run before it.
template <class Read, class Written, class Params>
static __device__ __forceinline__ void _scan_tiles(const Params& p) {
  constexpr int tile = Params::_lanes * Params::_pack_size * Params::_packs;
  const int lane = threadIdx.x % Params::_lanes;
  const unsigned t = blockIdx.x / (unsigned)p._rows, row = blockIdx.x - t * (unsigned)p._rows;
  const long long begin = (long long)t * tile;
  const bool full = begin + tile <= p._n;
  const row_part<Params> part = {_row(p, row), begin, p._n, full, lane};
  if constexpr (Params::_pack_size > 1) gpuarr_kernel::fetch_later_tile<tile>(p);
  typename Params::_scanned a[Params::_packs][Params::_pack_size], sums[Params::_packs];
  gpuarr_kernel::load_part<Read>(p, part, a);
  gpuarr_kernel::scan_packs(p, lane, a, sums);
  const auto block = gpuarr_kernel::scan_block(p, sums);
  const auto before = gpuarr_kernel::_before_tile(p, row, t, block.total);
  gpuarr_kernel::finish_block<Written>(p, part, a, block, t > 0, before);
}

}  // namespace gpuarr_kernel
