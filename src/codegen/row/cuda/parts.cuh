// Rows in shared memory that are not whole aligned packs: _shifted. Packs are aligned all the same:
// a row's first one begins _head(place) elements before it, and its last one ends behind it.
// Elements that are not the row's are given as the nearest that are. Stands behind elements.cuh.
namespace gpuarr_kernel {

// The elements of a pack that are the row's: from `first` on, before `end`.
struct part {
  int first, end;
};

template <class P, class Place>
static __device__ __forceinline__ part part_of(const P& p, const Place& place, int item) {
  const int before = _head(place) - item * P::_width, end = before + (int)p._n;
  return {before > 0 ? before : 0, end < P::_width ? end : P::_width};
}

// How many packs a row has: `_items`, or one less.
template <class P, class Place>
static __device__ __forceinline__ int items_of(const P& p, const Place& place) {
  return (_head(place) + (int)p._n + P::_width - 1) / P::_width;
}

static __device__ __forceinline__ int nearest(const part& own, int k) {
  return k < own.first ? own.first : k < own.end ? k : own.end - 1;
}

template <class T, int width>
static __device__ __forceinline__ _pack<T, width> _load_part(const T* from, const part& own) {
  if (own.first == 0 && own.end == width) return gpuarr_kernel::_load_streamed<T, width>(from);
  _pack<T, width> pack;
#pragma unroll
  for (int k = 0; k < width; ++k)
    pack._element[k] =
        gpuarr_kernel::_load_streamed<T, 1>(from + gpuarr_kernel::nearest(own, k))._element[0];
  return pack;
}

// What rows have alike, which is misaligned.
template <class T, int width>
static __device__ __forceinline__ void _load_near(_pack<T, width>& pack, const T* from,
                                                  const part& own) {
#pragma unroll
  for (int k = 0; k < width; ++k) pack._element[k] = from[gpuarr_kernel::nearest(own, k)];
}

template <class T, int width>
static __device__ __forceinline__ void _store_part(T* to, const _pack<T, width>& pack,
                                                   const part& own) {
  if (own.first == 0 && own.end == width) {
    gpuarr_kernel::_store_streamed(to, pack);
    return;
  }
#pragma unroll
  for (int k = 0; k < width; ++k)
    if (k >= own.first && k < own.end)
      gpuarr_kernel::_store_streamed(to + k, _pack<T, 1>{{pack._element[k]}});
}

// As take_pack. Whole packs have a loop of their own, without the tests.
template <class Pass, class P, class Place, class Row, class Values>
static __device__ __forceinline__ typename Pass::_partial take_part(const P& p, const Place& place,
                                                                    const Row& row, Values& values,
                                                                    int item) {
  if constexpr (!P::_shifted) {
    return gpuarr_kernel::take_pack<Pass>(p, place, row, values, item);
  } else {
    typename Pass::_partial sum = Pass::_take(p, place, row, values, item, 0);
    const part own = gpuarr_kernel::part_of(p, place, item);
    if (own.first > 0 || own.end < P::_width) {
#pragma unroll
      for (int k = 1; k < P::_width; ++k) {
        const typename Pass::_partial more = Pass::_take(p, place, row, values, item, k);
        // Element 0 stands for the first that is the row's.
        if (k > own.first && k < own.end) sum = Pass::_reduce(p, sum, more);
      }
      return sum;
    }
#pragma unroll
    for (int k = 1; k < P::_width; ++k)
      sum = Pass::_reduce(p, sum, Pass::_take(p, place, row, values, item, k));
    return sum;
  }
}

}  // namespace gpuarr_kernel
