// Rows in a block's shared memory, where a thread goes through its packs in loops. No thread sees
// another's packs, so that nobody waits for them. A block has one row after another: as soon as it
// is done with a pack, the next row's takes its place.
//
// Beside what elements.cuh expects, a call has _stage(p, place, item), which has a pack copied
// asynchronously, and each pass _write(p, item, values) for what it keeps.
namespace gpuarr_kernel {

alignas(16) extern __shared__ unsigned char _slots[];

// Bytes of a row, so that the next one's are aligned.
static __device__ __forceinline__ int _slot_bytes(long long elements, int size) {
  return ((int)elements * size + 15) / 16 * 16;
}

template <class T, int width>
static __device__ __forceinline__ void _copy_pack(_pack<T, width>* to, const T* from) {
  constexpr int bytes = sizeof(T) * width;
  const unsigned at = (unsigned)__cvta_generic_to_shared(to);
#if __CUDA_ARCH__ >= 800
  if constexpr (bytes % 16 == 0) {
#pragma unroll
    for (int k = 0; k < bytes; k += 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + k),
                   "l"((const char*)from + k)
                   : "memory");
    return;
  }
  if constexpr (bytes == 8 || bytes == 4) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(bytes)
                 : "memory");
    return;
  }
#endif
  *to = gpuarr_kernel::_load_streamed<T, width>(from);
}

static __device__ __forceinline__ void wait_for_packs() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

template <class Pass, class P, class Place, class Row>
static __device__ __forceinline__ void run_staged_pass(const P& p, const Place& place, Row& row,
                                                       unsigned turn) {
  typename Pass::_partial sum;
  const int items = (int)p._items;
#pragma unroll 4
  for (int item = threadIdx.x; item < items; item += P::_lanes) {
    ValuesOf<P> values;
    Pass::_read(p, place, item, values);
    const typename Pass::_partial more =
        gpuarr_kernel::take_pack<Pass>(p, place, row, values, item);
    Pass::_write(p, item, values);
    sum = item == (int)threadIdx.x ? more : Pass::_reduce(p, sum, more);
  }
  Pass::_finish(p, gpuarr_kernel::join_row<Pass>(p, sum, turn), row);
}

// Stores a row, and has the next one copied. Loads of several packs stand first: the compiler moves
// none before a store.
template <class Body, class P, class Place, class Row>
static __device__ __forceinline__ void put_staged(const P& p, const Place& place, const Row& row,
                                                  const Place& next, bool more) {
  const int items = (int)p._items;
  for (int first = threadIdx.x; first < items; first += P::_ahead * P::_lanes) {
    ValuesOf<P> values[P::_ahead];
#pragma unroll
    for (int q = 0; q < P::_ahead; ++q) {
      const int item = first + q * P::_lanes;
      if (item < items) Body::_read(p, place, item, values[q]);
    }
#pragma unroll
    for (int q = 0; q < P::_ahead; ++q) {
      const int item = first + q * P::_lanes;
      if (item >= items) break;
      gpuarr_kernel::put_pack<Body>(p, place, row, values[q], item);
      if (more) _stage(p, next, item);
    }
  }
}

template <class Body, class... Passes, class P>
static __device__ __forceinline__ void _run_staged(const P& p) {
  typedef typename P::_index Index;
  const int items = (int)p._items;
  Index number = blockIdx.x;
  PlaceOf<P> place;
  _to_row(p, place, number);
#pragma unroll 4
  for (int item = threadIdx.x; item < items; item += P::_lanes) _stage(p, place, item);
  for (unsigned turn = 0;; turn ^= 1) {
    RowOf<P> row;
    _begin_row(place, row);
    gpuarr_kernel::wait_for_packs();
    (gpuarr_kernel::run_staged_pass<Passes>(p, place, row, turn), ...);
    const bool more = number + gridDim.x < (Index)p._rows;
    number = more ? number + gridDim.x : number;
    PlaceOf<P> next;
    _to_row(p, next, number);
    gpuarr_kernel::put_staged<Body>(p, place, row, next, more);
    if (threadIdx.x == 0) _finish_row(p, place, row);
    if (!more) return;
    place = next;
  }
}

}  // namespace gpuarr_kernel
