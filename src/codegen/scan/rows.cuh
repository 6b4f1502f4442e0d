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
