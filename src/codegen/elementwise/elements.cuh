// Loops over any strides on a GPU: a thread has one element, and finds it from its number.
namespace gpuarr_kernel {

template <class P>
static __device__ __forceinline__ void _run_elements(const P& p) {
  typedef typename P::_index Index;
  const Index number = (Index)blockIdx.x * 256 + threadIdx.x;
  if (number >= (Index)p._n) return;
  Index rest = number;
  const Index inner =
      P::_axes > 1 ? gpuarr_kernel::_take_index(rest, p._extent[P::_axes - 1]) : number;
  typename P::_place at[1] = {_at_row(p, rest)};
  _forward(p, at[0], inner);
  _run(p, at, _width_tag<1>());
}

}  // namespace gpuarr_kernel
