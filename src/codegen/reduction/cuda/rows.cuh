// Rows of a reduction on a GPU: threads side by side along the reduced inner axis. A result's items
// are the packs of its rows, each row's single elements behind them, and are numbered:
// _item(p, base, number, place) finds one and returns its size.
namespace gpuarr_kernel {

// Every item is whole. Where a thread has fewer than it could have under way it loads the last one
// again, which is cheaper than to ask before each load.
template <class P>
static __device__ __forceinline__ bool fold_whole(const P& p, const Place<P>& base, Index<P> item,
                                                  const Index<P> end, Partial<P>& sum) {
  bool any = false;
  for (; item < end; item += P::_lanes * P::_unroll) {
    Place<P> places[P::_unroll];
    Partial<P> values[P::_unroll];
#pragma unroll
    for (int q = 0; q < P::_unroll; ++q) {
      const Index<P> here = item + q * P::_lanes;
      _item(p, base, here < end ? here : end - 1, places[q]);
    }
    _take(p, places, values, _width_tag<P::_width>());
#pragma unroll
    for (int q = 1; q < P::_unroll; ++q)
      if (item + q * P::_lanes < end) values[0] = _reduce(p, values[0], values[q]);
    sum = any ? _reduce(p, sum, values[0]) : values[0];
    any = true;
  }
  return any;
}

// Items are packs, single elements, or nothing.
template <class P>
static __device__ __forceinline__ bool fold_ragged(const P& p, const Place<P>& base, Index<P> item,
                                                   const Index<P> end, Partial<P>& sum) {
  bool any = false;
  for (; item < end; item += P::_lanes * P::_unroll) {
    Place<P> places[P::_unroll];
    int sizes[P::_unroll], whole = 0;
#pragma unroll
    for (int q = 0; q < P::_unroll; ++q) {
      const Index<P> here = item + q * P::_lanes;
      sizes[q] = here < end ? _item(p, base, here, places[q]) : 0;
      whole += sizes[q] == P::_width;
    }
    if (whole == P::_unroll) {
      Partial<P> values[P::_unroll];
      _take(p, places, values, _width_tag<P::_width>());
#pragma unroll
      for (int q = 1; q < P::_unroll; ++q) values[0] = _reduce(p, values[0], values[q]);
      sum = any ? _reduce(p, sum, values[0]) : values[0];
      any = true;
      continue;
    }
#pragma unroll 1
    for (int q = 0; q < P::_unroll; ++q) {
      Place<P> one[1] = {places[0]};
      int size = sizes[0];
#pragma unroll
      for (int k = 1; k < P::_unroll; ++k)
        if (k == q) one[0] = places[k], size = sizes[k];
      Partial<P> value[1];
      if (size == 0) continue;
      if (size == P::_width)
        _take(p, one, value, _width_tag<P::_width>());
      else
        _take(p, one, value, _width_tag<1>());
      sum = any ? _reduce(p, sum, value[0]) : value[0];
      any = true;
    }
  }
  return any;
}

template <class P>
static __device__ __forceinline__ bool fold(const P& p, const Place<P>& base, Index<P> item,
                                            const Index<P> end, Partial<P>& sum) {
  if constexpr (P::_ragged)
    return gpuarr_kernel::fold_ragged(p, base, item, end, sum);
  else
    return gpuarr_kernel::fold_whole(p, base, item, end, sum);
}

}  // namespace gpuarr_kernel
