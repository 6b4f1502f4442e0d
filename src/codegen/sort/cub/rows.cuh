// Rows that fit the registers of a block, sorted by cub::BlockRadixSort.

// What fills up a tile comes last: it is in no order before an element.
#if SORT_INDEXED
typedef unsigned sort_place;
#else
typedef cub::NullType sort_place;
#endif
typedef cub::BlockLoad<sort_key, sort_threads, sort_items, cub::BLOCK_LOAD_WARP_TRANSPOSE> loader;
typedef cub::BlockRadixSort<sort_key, sort_threads, sort_items, sort_place, sort_step> sorter;
extern "C" __global__ void __launch_bounds__(sort_threads)
    sort_rows(const __grid_constant__ sort_args p) {
  __shared__ union {
    typename loader::TempStorage load;
    typename sorter::TempStorage sort;
  } memory;
  const int n = (int)p.n;
  for (sort_long row = blockIdx.x; row < p.rows; row += gridDim.x) {
    sort_key keys[sort_items];
    const sort_key last = {original((sort_bits) ~(sort_bits)0)};
    loader(memory.load).Load(p.in + row * n, keys, n, last);
    __syncthreads();
#if SORT_INDEXED
    unsigned places[sort_items];
    for (int k = 0; k < sort_items; ++k) places[k] = threadIdx.x * sort_items + k;
    sorter(memory.sort).SortBlockedToStriped(keys, places, 0, sort_width);
#else
    sorter(memory.sort).SortBlockedToStriped(keys, 0, sort_width);
#endif
    for (int k = 0; k < sort_items; ++k) {
      const int at = threadIdx.x + k * sort_threads;
      if (at >= n) continue;
      if (p.out) p.out[row * n + at] = keys[k];
#if SORT_INDEXED
      if (p.index) p.index[row * n + at] = places[k];
#endif
    }
    __syncthreads();
  }
}
