// Loops along rows on a GPU: a thread has one of a row's packs and single elements, which are
// numbered, so that no thread walks an edge alone while others wait.
namespace gpuarr_kernel {

template <class P>
static __device__ __forceinline__ void _run_rows(const P& p) {
  typedef typename P::_index Index;
  typedef typename P::_offset Offset;
  const Index number = (Index)blockIdx.x * 256 + threadIdx.x;
  if (number >= (Index)p._total_packs) return;
  Index rest = number;
  const Index in_row = P::_axes > 1 ? gpuarr_kernel::_take_index(rest, p._row_packs) : number;
  typename P::_place at[1] = {_at_row(p, rest)};
  const auto piece = gpuarr_kernel::_find_piece<P::_pack, P::_margin>(
      (Offset)in_row, _head(at[0]), (Offset)p._extent[P::_axes - 1]);
  _forward(p, at[0], piece._begin);
  if (piece._size == P::_pack) return _run(p, at, _width_tag<P::_pack>());
  if (piece._size == 1) _run(p, at, _width_tag<1>());
}

}  // namespace gpuarr_kernel
