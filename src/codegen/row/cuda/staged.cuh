// Rows in shared memory, of a block or of the blocks of a cluster, each of which has a part of each
// row. A thread goes through its packs in loops. No thread sees another's packs, so that nobody
// waits for them. A block has one row after another, or two after two: as soon as it is done with a
// pack, the next row's takes its place.
//
// Beside what elements.cuh expects, a call has _row_bytes(p) of a row in memory, _stage(p, place,
// slots, item), which has a pack copied asynchronously, and each stage _read_common(p, place, item,
// values) for what rows have alike; its _read(p, slots, item, values) has the rest, and each pass
// _write(p, slots, item, values) for what it keeps.
namespace gpuarr_kernel {

alignas(16) extern __shared__ unsigned char _slots[];

// Bytes of what a block has of a row, so that what lies behind is aligned.
template <class P>
static __device__ __forceinline__ int _slot_bytes(const P& p, int size) {
  const int items = ((int)p._items + P::_blocks - 1) / P::_blocks;
  return (items * P::_width * size + 15) / 16 * 16;
}

// The packs that are a block's.
template <class P>
static __device__ __forceinline__ int _first_item(const P& p) {
  return (int)(blockIdx.x % P::_blocks * (unsigned)p._items / P::_blocks);
}
template <class P>
static __device__ __forceinline__ int _end_item(const P& p) {
  return (int)((blockIdx.x % P::_blocks + 1) * (unsigned)p._items / P::_blocks);
}
// Of a row that may have one less.
template <class P, class Place>
static __device__ __forceinline__ int _end_of(const P& p, const Place& place) {
  int end = gpuarr_kernel::_end_item(p);
  if constexpr (P::_shifted) end = min(end, gpuarr_kernel::items_of(p, place));
  return end;
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

template <class T, int width>
static __device__ __forceinline__ void _copy_part(_pack<T, width>* to, const T* from,
                                                  const part& own) {
  if (own.first == 0 && own.end == width)
    gpuarr_kernel::_copy_pack(to, from);
  else
    *to = gpuarr_kernel::_load_part<T, width>(from, own);
}

static __device__ __forceinline__ void wait_for_packs() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// The rows that a block has at once. Where there is one too few, the last one is there twice.
template <class P>
struct held_rows {
  PlaceOf<P> place[P::_held];
};

template <class P, class Index>
static __device__ __forceinline__ held_rows<P> rows_of(const P& p, Index group) {
  held_rows<P> held;
#pragma unroll
  for (int r = 0; r < P::_held; ++r) {
    const Index number = group * P::_held + r, last = (Index)(p._rows - 1);
    _to_row(p, held.place[r], P::_held == 1 || number < last ? number : last);
  }
  return held;
}

template <class P>
static __device__ __forceinline__ unsigned char* slots_of(const P& p, int row) {
  return _slots + row * _row_bytes(p);
}

template <class Pass, class P>
static __device__ __forceinline__ void run_staged_pass(const P& p, const held_rows<P>& held,
                                                       RowOf<P>* row, unsigned turn) {
  typename Pass::_partial sum[P::_held];
  const int start = gpuarr_kernel::_first_item(p) + (int)threadIdx.x;
  const int end = gpuarr_kernel::_end_of(p, held.place[0]);
#pragma unroll(P::_held == 1 ? 4 : 2)
  for (int item = start; item < end; item += P::_lanes) {
    ValuesOf<P> values;
    Pass::_read_common(p, held.place[0], item, values);
#pragma unroll
    for (int r = 0; r < P::_held; ++r) {
      Pass::_read(p, gpuarr_kernel::slots_of(p, r), item, values);
      const typename Pass::_partial more =
          gpuarr_kernel::take_part<Pass>(p, held.place[r], row[r], values, item);
      Pass::_write(p, gpuarr_kernel::slots_of(p, r), item, values);
      sum[r] = item == start ? more : Pass::_reduce(p, sum[r], more);
    }
  }
  if constexpr (P::_blocks > 1)
    gpuarr_kernel::join_cluster<Pass>(p, sum, turn);
  else
    sum[0] = gpuarr_kernel::join_row<Pass>(p, sum[0], turn);
#pragma unroll
  for (int r = 0; r < P::_held; ++r) Pass::_finish(p, sum[r], row[r]);
}

// Stores rows, and has the next ones copied. Loads of several packs stand first: the compiler moves
// none before a store.
template <class Body, class P>
static __device__ __forceinline__ void put_staged(const P& p, const held_rows<P>& held,
                                                  const RowOf<P>* row, const held_rows<P>& next,
                                                  bool more) {
  const int start = gpuarr_kernel::_first_item(p) + (int)threadIdx.x;
  const int end = gpuarr_kernel::_end_item(p);
  for (int first = start; first < end; first += P::_ahead * P::_lanes) {
    ValuesOf<P> values[P::_ahead];
#pragma unroll
    for (int q = 0; q < P::_ahead; ++q) {
      const int item = first + q * P::_lanes;
      if (item < end) Body::_read_common(p, held.place[0], item, values[q]);
    }
#pragma unroll
    for (int r = 0; r < P::_held; ++r) {
#pragma unroll
      for (int q = 0; q < P::_ahead; ++q) {
        const int item = first + q * P::_lanes;
        if (item < end) Body::_read(p, gpuarr_kernel::slots_of(p, r), item, values[q]);
      }
#pragma unroll
      for (int q = 0; q < P::_ahead; ++q) {
        const int item = first + q * P::_lanes;
        if (item >= end) break;
        if (!P::_shifted || item < gpuarr_kernel::_end_of(p, held.place[r]))
          gpuarr_kernel::put_pack<Body>(p, held.place[r], row[r], values[q], item);
        if (more && (!P::_shifted || item < gpuarr_kernel::_end_of(p, next.place[r])))
          _stage(p, next.place[r], gpuarr_kernel::slots_of(p, r), item);
      }
    }
  }
}

template <class Body, class... Passes, class P>
static __device__ __forceinline__ void _run_staged(const P& p) {
  typedef typename P::_index Index;
  const Index groups = (Index)((p._rows + P::_held - 1) / P::_held);
  Index group = blockIdx.x / P::_blocks;
  held_rows<P> held = rows_of(p, group);
  const int end = gpuarr_kernel::_end_of(p, held.place[0]);
#pragma unroll
  for (int r = 0; r < P::_held; ++r)
#pragma unroll 4
    for (int item = gpuarr_kernel::_first_item(p) + (int)threadIdx.x; item < end; item += P::_lanes)
      _stage(p, held.place[r], gpuarr_kernel::slots_of(p, r), item);
  if constexpr (P::_blocks > 1) gpuarr_kernel::meet_in_cluster();  // all run, so have memory
  for (unsigned turn = 0;; turn ^= 1) {
    RowOf<P> row[P::_held];
#pragma unroll
    for (int r = 0; r < P::_held; ++r) _begin_row(held.place[r], row[r]);
    gpuarr_kernel::wait_for_packs();
    (gpuarr_kernel::run_staged_pass<Passes>(p, held, row, turn), ...);
    const bool more = group + gridDim.x / P::_blocks < groups;
    group = more ? group + gridDim.x / P::_blocks : group;
    const held_rows<P> next = rows_of(p, group);
    gpuarr_kernel::put_staged<Body>(p, held, row, next, more);
    if (threadIdx.x == 0 && blockIdx.x % P::_blocks == 0)
#pragma unroll
      for (int r = 0; r < P::_held; ++r) _finish_row(p, held.place[r], row[r]);
    if (!more) return;
    held = next;
  }
}

}  // namespace gpuarr_kernel
