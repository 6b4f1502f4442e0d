// Rows that are not whole aligned packs, on a GPU.
namespace gpuarr_kernel {

// Elements of a row before the first pack that is aligned.
template <int pack, class Offset, class T>
static __device__ __forceinline__ Offset _before_packs(const T* row) {
  return (Offset)((pack - (unsigned long long)row / sizeof(T) % pack) % pack);
}

template <class Offset>
struct _piece {
  Offset _begin;
  int _size;
};

// Number `number` of a row's pieces: its whole packs, and behind them its single elements, the
// `head` ones before the first pack and those after the last; of size 0 where there is none of that
// number. A pack that is cut out of granules is read with `margin` elements more, and must not
// reach past the row: the last may be its array's.
template <int pack, int margin, class Offset>
static __device__ __forceinline__ _piece<Offset> _find_piece(Offset number, Offset head,
                                                             Offset row_size) {
  const Offset packed = row_size - head - margin;
  const Offset full = packed < 0 ? 0 : packed / pack;
  _piece<Offset> piece = {head + number * pack, pack};
  if (number >= full) {
    piece._begin = number - full;
    if (piece._begin >= head) piece._begin += full * pack;
    piece._size = piece._begin < row_size;
  }
  return piece;
}

}  // namespace gpuarr_kernel
