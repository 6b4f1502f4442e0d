// Rows in the registers of the threads that share them: lanes of a warp, a warp, or a block.
//
// Of a call these templates know its _params, which have types and the plan's constants, the struct
// _row (what is known of a row), _values (what a thread has of a pack) and a struct for each pass:
//   Pass::_partial                            what an operator combines
//   Pass::_take(p, place, row, values, first) what a pack counts as that begins with element
//                                             `first`; it sets the values that are kept
//   Pass::_reduce(p, a, b), Pass::_finish(p, sum, row)
// and behind them Body::_put(p, place, row, values, first), which stores a pack.
namespace gpuarr_kernel {

// The number of the first element of a thread's pack q. Where there is no such pack it is the last
// one again, which costs less than to ask before each load.
template <class P>
static __device__ __forceinline__ int first_element(const P& p, int lane, int q) {
  int item = lane + q * P::_lanes;
  if (!P::_exact && q == P::_packs - 1) item = item < (int)p._items ? item : (int)p._items - 1;
  return item * P::_width;
}

template <class P>
static __device__ __forceinline__ bool has_pack(const P& p, int lane, int q) {
  return P::_exact || q < P::_packs - 1 || lane + q * P::_lanes < (int)p._items;
}

template <class Pass, class P, class Place, class Row, class Values>
static __device__ __forceinline__ void run_pass(const P& p, const Place& place, int lane, Row& row,
                                                Values (&values)[P::_packs]) {
  typename Pass::_partial sum =
      Pass::_take(p, place, row, values[0], gpuarr_kernel::first_element(p, lane, 0));
#pragma unroll
  for (int q = 1; q < P::_packs; ++q) {
    const typename Pass::_partial more =
        Pass::_take(p, place, row, values[q], gpuarr_kernel::first_element(p, lane, q));
    if (gpuarr_kernel::has_pack(p, lane, q)) sum = Pass::_reduce(p, sum, more);
  }
  Pass::_finish(p, gpuarr_kernel::join_row<Pass>(p, sum, 0), row);
}

template <class Body, class... Passes, class P>
static __device__ __forceinline__ void _run_in_registers(const P& p) {
  typedef typename P::_index Index;
  enum { rows = P::_threads / P::_lanes };  // of a block
  const int lane = threadIdx.x % P::_lanes;
  const Index number = (Index)blockIdx.x * rows + threadIdx.x / P::_lanes;
  const bool inside = rows == 1 || number < (Index)p._rows;
  const typename P::_place place = _at_row(p, inside ? number : (Index)p._rows - 1);
  typename P::_row row;
  typename P::_values values[P::_packs];
#pragma unroll
  for (int q = 0; q < P::_packs; ++q)
    _load(p, place, values[q], gpuarr_kernel::first_element(p, lane, q));
  _begin_row(place, row);
  (gpuarr_kernel::run_pass<Passes>(p, place, lane, row, values), ...);
  if (!inside) return;
#pragma unroll
  for (int q = 0; q < P::_packs; ++q) {
    // Where weights are loaded a test holds them back, or all would be in registers at once.
    const bool has =
        P::_tests ? lane + q * P::_lanes < (int)p._items : gpuarr_kernel::has_pack(p, lane, q);
    if (has) Body::_put(p, place, row, values[q], gpuarr_kernel::first_element(p, lane, q));
  }
  if (lane == 0) _finish_row(p, place, row);
}

}  // namespace gpuarr_kernel
