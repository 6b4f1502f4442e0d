// Tiled loops on a GPU: a block works on a square of the inner axis and another one. Operands that
// lie along the other axis are read along it into shared memory, and from there along the inner
// axis, so that both sides of the device's memory see whole lines.
namespace gpuarr_kernel {

enum {
  block_lines = 8,  // 256 threads are 8 warps of 32
  batch = 4,        // elements whose direct loads are under way together
};

template <class T, int edge>
struct _tile {
  _pack<T, 1> _element[edge][edge + 1];  // a column to spare, for other banks
};

// The square of a block: where it begins, and what is left of both axes from there.
template <class Offset, int edge>
struct _square {
  enum { columns = edge / 32, elements = edge / block_lines * columns };  // of a thread
  Offset inner, across, inner_left, across_left;

  // Where number k of a thread's elements is: along the axis that threads lie along, and the other.
  static __device__ __forceinline__ int along(int k) { return threadIdx.x % 32 + k % columns * 32; }
  static __device__ __forceinline__ int beside(int k) {
    return threadIdx.x / 32 + k / columns * block_lines;
  }
};

// A thread's share of an operand's square, in registers: all of its loads are under way before the
// first is stored.
template <class T, class Square>
struct _staged {
  _pack<T, 1> value[Square::elements];

  template <class Offset>
  __device__ __forceinline__ void _load(const Square& square, const T* from, Offset inner_stride) {
#pragma unroll
    for (int k = 0; k < Square::elements; ++k) {
      const int j = square.beside(k), i = square.along(k);
      if (i < square.across_left && j < square.inner_left)
        value[k]._load(from + (square.inner + j) * inner_stride + square.across + i);
    }
  }
  template <int edge>
  __device__ __forceinline__ void _store(const Square& square, _tile<T, edge>& to) const {
#pragma unroll
    for (int k = 0; k < Square::elements; ++k)
      to._element[square.beside(k)][square.along(k)] = value[k];
  }
};

template <class Tiles, class P>
static __device__ __forceinline__ void _run_tiles(const P& p) {
  typedef typename P::_index Index;
  typedef typename P::_offset Offset;
  typedef _square<Offset, P::_edge> Square;
  __shared__ Tiles tiles;
  Index rest = blockIdx.x;
  const Offset inner = (Offset)gpuarr_kernel::_take_index(rest, p._inner_tiles) * P::_edge;
  const Offset across = (Offset)gpuarr_kernel::_take_index(rest, p._cross_tiles) * P::_edge;
  const Square square = {inner, across, (Offset)p._extent[P::_axes - 1] - inner,
                         (Offset)p._extent[P::_tile_axis] - across};
  const typename P::_place base = _at_row(p, rest);
  _fill(p, base, square, tiles);
  __syncthreads();
#pragma unroll 1
  for (int begin = 0; begin < Square::elements; begin += batch) {
    typename P::_place at[batch];
    bool is_inside[batch], all_inside = true;
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int i = square.along(begin + q), j = square.beside(begin + q);
      is_inside[q] = i < square.inner_left && j < square.across_left;
      all_inside &= is_inside[q];
      at[q] = base;
      _enter(p, at[q], tiles, i, j, square.inner + i, square.across + j);
    }
    if (all_inside) {
      _run(p, at, _width_tag<1>());
      continue;
    }
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const typename P::_place one[1] = {at[q]};
      if (is_inside[q]) _run(p, one, _width_tag<1>());
    }
  }
}

}  // namespace gpuarr_kernel
