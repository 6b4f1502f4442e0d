// Rows of a reduction whose operator is not commutative, on a GPU.
namespace gpuarr_kernel {

// A warp takes neighbouring items, each lane _unroll of them, and joins them before it takes the
// next.
template <class P>
static __device__ __forceinline__ void fold_in_order(const P& p, const Place<P>& base,
                                                     Index<P> item, const Index<P> end, int lane,
                                                     Partial<P>& sum) {
  bool any = false;
  for (; item < end; item += 32 * P::_unroll) {
    const Index<P> first = item + lane * P::_unroll, left = end - item;
    Place<P> places[P::_unroll];
    Partial<P> values[P::_unroll];
#pragma unroll
    for (int q = 0; q < P::_unroll; ++q)
      _item(p, base, first + q < end ? first + q : end - 1, places[q]);
    _take(p, places, values, _width_tag<P::_width>());
    Partial<P> joined[1] = {values[0]};
#pragma unroll
    for (int q = 1; q < P::_unroll; ++q)
      if (first + q < end) joined[0] = _reduce(p, joined[0], values[q]);
    bool has[1];
    const int active = left < 32 * P::_unroll ? ((int)left + P::_unroll - 1) / P::_unroll : 32;
    gpuarr_kernel::join_lanes<32>(p, joined, lane, active, has);
    sum = any ? _reduce(p, sum, joined[0]) : joined[0];
    any = true;
  }
}

}  // namespace gpuarr_kernel
