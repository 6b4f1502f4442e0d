// Rows of a reduction on a GPU, as many lanes of a warp to a result as it takes, or all.
namespace gpuarr_kernel {

// Several results to a warp: a thread has one item of each of _unroll results, or the last one
// again.
template <class P>
static __device__ __forceinline__ void _reduce_few_items(const P& p) {
  enum { groups = 256 / P::_lanes };
  const int lane = threadIdx.x % P::_lanes;
  const Result<P> first = (Result<P>)blockIdx.x * (groups * P::_unroll) + threadIdx.x / P::_lanes;
  const Result<P> results = (Result<P>)p._results;
  const int active = (int)p._items, own = lane < active ? lane : active - 1;
  Place<P> places[P::_unroll];
  Partial<P> values[P::_unroll];
  int sizes[P::_unroll];
  bool has[P::_unroll];
#pragma unroll
  for (int q = 0; q < P::_unroll; ++q) {
    const Result<P> result = first + q * groups;
    sizes[q] = _item(p, _at_result(p, result < results ? result : results - 1), own, places[q]);
    has[q] = sizes[q] > 0 && lane < active;
  }
  if constexpr (!P::_ragged) {
    _take(p, places, values, _width_tag<P::_width>());
  } else {
#pragma unroll
    for (int q = 0; q < P::_unroll; ++q) {
      const Place<P> one[1] = {places[q]};
      Partial<P> value[1];
      if (sizes[q] == P::_width)
        _take(p, one, value, _width_tag<P::_width>());
      else if (sizes[q] == 1)
        _take(p, one, value, _width_tag<1>());
      if (sizes[q] > 0) values[q] = value[0];
    }
  }
  __syncwarp();
  gpuarr_kernel::join_lanes<P::_lanes>(p, values, lane, active, has);
  if (lane > 0) return;
#pragma unroll
  for (int q = 0; q < P::_unroll; ++q)
    if (first + q * groups < results) _finish(p, first + q * groups, values[q]);
}

// A warp has a result.
template <class P>
static __device__ __forceinline__ void _reduce_warps(const P& p) {
  const Result<P> result = (Result<P>)blockIdx.x * 8 + threadIdx.x / 32;
  if (result >= p._results) return;
  const int lane = threadIdx.x % 32;
  const Place<P> base = _at_result(p, result);
  Partial<P> sum[1];
  bool has[1];
  if constexpr (P::_ordered) {
    gpuarr_kernel::fold_in_order(p, base, 0, (Index<P>)p._items, lane, sum[0]);
  } else {
    has[0] = gpuarr_kernel::fold(p, base, lane, (Index<P>)p._items, sum[0]);
    __syncwarp();
    gpuarr_kernel::join_lanes<32>(p, sum, lane, p._items < 32 ? (int)p._items : 32, has);
  }
  if (lane == 0) _finish(p, result, sum[0]);
}

}  // namespace gpuarr_kernel
