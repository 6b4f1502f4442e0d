// Rows in the registers of the threads that share them: lanes of a warp, a warp, or a block.
//
// Beside what elements.cuh expects, a call has _load(p, place, item, values), for what the threads
// have of a row. A stage reads what all rows have alike.
namespace gpuarr_kernel {

// The number of a thread's pack q. Where there is no such pack it is the last one again, which
// costs less than to ask before each load.
template <class P>
static __device__ __forceinline__ int item_of(const P& p, int lane, int q) {
  const int item = lane + q * P::_lanes;
  const bool is_last = !P::_exact && q == P::_packs - 1;
  return is_last && item >= (int)p._items ? (int)p._items - 1 : item;
}

template <class P>
static __device__ __forceinline__ bool has_pack(const P& p, int lane, int q) {
  return P::_exact || q < P::_packs - 1 || lane + q * P::_lanes < (int)p._items;
}

template <class Pass, class P, class Place, class Row, class Values>
static __device__ __forceinline__ typename Pass::_partial take_item(const P& p, const Place& place,
                                                                    const Row& row, Values& values,
                                                                    int item) {
  Pass::_read(p, place, item, values);
  return gpuarr_kernel::take_pack<Pass>(p, place, row, values, item);
}

template <class Pass, class P, class Place, class Row, class Values>
static __device__ __forceinline__ void run_pass(const P& p, const Place& place, int lane, Row& row,
                                                Values (&values)[P::_packs]) {
  typename Pass::_partial sum =
      gpuarr_kernel::take_item<Pass>(p, place, row, values[0], gpuarr_kernel::item_of(p, lane, 0));
#pragma unroll
  for (int q = 1; q < P::_packs; ++q) {
    const typename Pass::_partial more = gpuarr_kernel::take_item<Pass>(
        p, place, row, values[q], gpuarr_kernel::item_of(p, lane, q));
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
  PlaceOf<P> place;
  _to_row(p, place, inside ? number : (Index)p._rows - 1);
  RowOf<P> row;
  ValuesOf<P> values[P::_packs];
#pragma unroll
  for (int q = 0; q < P::_packs; ++q)
    _load(p, place, gpuarr_kernel::item_of(p, lane, q), values[q]);
  _begin_row(place, row);
  (gpuarr_kernel::run_pass<Passes>(p, place, lane, row, values), ...);
  if (!inside) return;
#pragma unroll
  for (int q = 0; q < P::_packs; ++q) {
    // Where weights are loaded a test holds them back, or all would be in registers at once.
    const bool has =
        P::_tests ? lane + q * P::_lanes < (int)p._items : gpuarr_kernel::has_pack(p, lane, q);
    if (!has) continue;
    const int item = gpuarr_kernel::item_of(p, lane, q);
    Body::_read(p, place, item, values[q]);
    gpuarr_kernel::put_pack<Body>(p, place, row, values[q], item);
  }
  if (lane == 0) _finish_row(p, place, row);
}

}  // namespace gpuarr_kernel
