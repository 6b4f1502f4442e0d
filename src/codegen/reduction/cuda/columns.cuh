// Columns of a reduction on a GPU: threads side by side along the kept inner axis, each with a pack
// of results; the block's other direction, its lines, goes along the reduced axes. _line(p, base,
// number, place) finds an element of a thread's first column, _take(p, places, count, sums, any)
// takes in what the first `count` of them have.
namespace gpuarr_kernel {

// Where a thread has fewer lines than it could have under way it loads the last one again.
template <class P>
static __device__ __forceinline__ void fold_columns(const P& p, const Place<P>& base, Index<P> line,
                                                    const Index<P> end, const int step,
                                                    Partial<P> (&sums)[P::_width]) {
  bool any = false;
  for (; line < end; line += step * P::_unroll) {
    Place<P> places[P::_unroll];
    int count = 0;
#pragma unroll
    for (int q = 0; q < P::_unroll; ++q) {
      const Index<P> here = line + q * step;
      count += here < end;
      _line(p, base, here < end ? here : end - 1, places[q]);
    }
    _take(p, places, count, sums, any);
    any = true;
  }
}

// The first line of threads gets what the first `active` lines have.
template <class P>
static __device__ __forceinline__ void join_lines(const P& p, const int line, const int active,
                                                  Partial<P> (&sums)[P::_width]) {
  enum { fit = 32768 / (256 * sizeof(Partial<P>)), batch = fit < P::_width ? fit : P::_width };
  enum { bytes = batch * 256 * sizeof(Partial<P>) };
  __shared__ alignas(Partial<P>) alignas(16) unsigned char memory[bytes];
  Partial<P>* const of_thread = (Partial<P>*)memory + threadIdx.x;
#pragma unroll
  for (int begin = 0; begin < P::_width; begin += batch)
#pragma unroll 1
    for (int distance = 1; distance < 256 / P::_lanes; distance *= 2) {
      __syncthreads();
      if ((line & (2 * distance - 1)) == distance && line < active)
#pragma unroll
        for (int k = 0; k < batch; ++k) of_thread[k * 256] = sums[begin + k];
      __syncthreads();
      if ((line & (2 * distance - 1)) == 0 && line + distance < active)
#pragma unroll
        for (int k = 0; k < batch; ++k)
          sums[begin + k] = _reduce(p, sums[begin + k], of_thread[k * 256 + distance * P::_lanes]);
    }
}

// A line of threads takes in neighbouring ones of the lines of partial results that blocks have
// left: two on their way, or one of records, which take many registers.
template <class P>
static __device__ __forceinline__ void fold_lines(const P& p, const Partial<P>* parts, int from,
                                                  int to, Partial<P> (&sums)[P::_width]) {
  enum { ahead = P::_is_record ? 1 : 2, size = P::_lanes * P::_width };
#pragma unroll 1
  for (int g = from; g < to; g += ahead) {
    if constexpr (P::_is_record) {
#pragma unroll
      for (int k = 0; k < P::_width; ++k) {
        const Partial<P> value = parts[(long long)g * size + k];
        sums[k] = g == from ? value : _reduce(p, sums[k], value);
      }
    } else {
      Partial<P> values[ahead][P::_width];
#pragma unroll
      for (int q = 0; q < ahead; ++q)
#pragma unroll
        for (int k = 0; k < P::_width; ++k)
          values[q][k] = parts[(long long)(g + q < to ? g + q : g) * size + k];
#pragma unroll
      for (int k = 0; k < P::_width; ++k) {
        sums[k] = g == from ? values[0][k] : _reduce(p, sums[k], values[0][k]);
#pragma unroll
        for (int q = 1; q < ahead; ++q)
          if (g + q < to) sums[k] = _reduce(p, sums[k], values[q][k]);
      }
    }
  }
}

// A block has some columns, or shares in them: then the last of them joins what all have left.
template <class P>
static __device__ __forceinline__ void _reduce_columns(const P& p) {
  enum { lines = 256 / P::_lanes, size = P::_lanes * P::_width };
  const unsigned number = blockIdx.x / p._tiles, tile = blockIdx.x - number * p._tiles;
  const unsigned outer = tile / p._inner_tiles;
  const int lane = threadIdx.x % P::_lanes, line = threadIdx.x / P::_lanes;
  const Result<P> column = (Result<P>)(tile - outer * p._inner_tiles) * size + lane * P::_width;
  const int splits = (int)p._splits;
  const Split<P> split(p, number);
  Partial<P> sums[P::_width];
  const bool inside = column < _columns(p);
  const Place<P> base = _at_column(p, outer, column);
  int active;
  if constexpr (P::_ordered) {
    const Index<P> each = (split.end - split.first + lines - 1) / lines;
    const Index<P> begin = split.first + line * each;
    if (inside)
      gpuarr_kernel::fold_columns(p, base, begin,
                                  begin + each < split.end ? begin + each : split.end, 1, sums);
    active = (int)((split.end - split.first + each - 1) / each);
  } else {
    if (inside) gpuarr_kernel::fold_columns(p, base, split.first + line, split.end, lines, sums);
    active = split.end - split.first < lines ? (int)(split.end - split.first) : lines;
  }
#pragma unroll 1
  for (bool shared = splits > 1;; shared = false) {
    gpuarr_kernel::join_lines(p, line, active, sums);
    if (!shared) break;
    Partial<P>* const parts = p._partials + (long long)tile * splits * size + lane * P::_width;
    if (line == 0)
#pragma unroll
      for (int k = 0; k < P::_width; ++k) parts[(long long)number * size + k] = sums[k];
    if (!gpuarr_kernel::is_last_block(p, tile)) return;
    const int each = (splits + lines - 1) / lines, from = line * each;
    const int to = from + each < splits ? from + each : splits;
    gpuarr_kernel::fold_lines(p, parts, from, to, sums);
    active = (splits + each - 1) / each;
  }
  if (line == 0 && inside) _finish_columns(p, outer, column, sums);
}

}  // namespace gpuarr_kernel
