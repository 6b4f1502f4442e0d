// Loops along rows on the CPU. A block is a part of a long row, or several short rows.
namespace gpuarr_kernel {

static inline long long _least(long long x, long long y) { return x < y ? x : y; }

struct _rows {
  long long _first, _last;  // rows
  long long _begin, _end;   // elements of each

  template <class P>
  __forceinline__ _rows(const P& p, long long block)
      : _first(block / p._chunks_per_row * p._rows_per_block),
        _last(gpuarr_kernel::_least(_first + p._rows_per_block, p._rows)),
        _begin(block % p._chunks_per_row * p._chunk),
        _end(gpuarr_kernel::_least(_begin + p._chunk, p._extent[P::_axes - 1])) {}
};

}  // namespace gpuarr_kernel
