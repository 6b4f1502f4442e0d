// The prelude stands here.

#line 1 "gpuarr/layout/packs.cuh"
// Packs on a GPU: neighbouring elements that a thread loads or stores at once.
namespace gpuarr_kernel {

// Aligned to its size, or to 16 bytes.
template <class T, int width>
struct alignas(sizeof(T) * width < 16 ? sizeof(T) * width : 16) _pack {
  T _element[width];

  __device__ __forceinline__ void _load(const T* from) { *this = *(const _pack*)from; }
  __device__ __forceinline__ void _store(T* to) const { *(_pack*)to = *this; }

  // One by one, where it may be misaligned.
  __device__ __forceinline__ void _load_each(const T* from) {
#pragma unroll
    for (int k = 0; k < width; ++k) _element[k] = from[k];
  }
  __device__ __forceinline__ void _store_each(T* to) const {
#pragma unroll
    for (int k = 0; k < width; ++k) to[k] = _element[k];
  }
  __device__ __forceinline__ void _fill(const T& value) {
#pragma unroll
    for (int k = 0; k < width; ++k) _element[k] = value;
  }
};

template <int width>
struct _width_tag {};  // so many elements side by side

}  // namespace gpuarr_kernel

#line 1 "gpuarr/layout/divisor.cuh"
// Numbers that a GPU divides by.
namespace gpuarr_kernel {

// Below 2^31, as are the numbers that are divided: a multiplication and a shift stand in for the
// division. fields.cpp chooses them.
struct _divisor {
  unsigned by, multiplier, shift, unused;

  __device__ __forceinline__ operator unsigned() const { return by; }
};

static __device__ __forceinline__ unsigned operator/(unsigned n, const _divisor& d) {
  return (unsigned)(((unsigned long long)n * d.multiplier) >> d.shift);
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/layout/index.cuh"
// Indices along axes, taken out of the number of an element.
namespace gpuarr_kernel {

// The index along an axis of this extent, the last one of those that `rest` counts; `rest` is then
// the number along the others.
template <class Index, class Extent>
static __device__ __forceinline__ Index _take_index(Index& rest, const Extent& extent) {
  const Index number = rest;
  rest = number / extent;
  return number - rest * (Index)extent;
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/layout/ragged.cuh"
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

#line 1 "gpuarr/elementwise/rows.cuh"
// Loops along rows on a GPU: a thread has one of a row's packs and single elements, which are
// numbered, so that no thread walks an edge alone while others wait.
namespace gpuarr_kernel {

template <class P>
static __device__ __forceinline__ void _run_rows(const P& p) {
  typedef typename P::_index Index;
  typedef typename P::_offset Offset;
  const Index number = (Index)blockIdx.x * 256 + threadIdx.x;
  if (number >= (Index)p._total_packs) return;
  Index rest = number;
  const Index in_row = P::_axes > 1 ? gpuarr_kernel::_take_index(rest, p._row_packs) : number;
  typename P::_place at[1] = {_at_row(p, rest)};
  const auto piece = gpuarr_kernel::_find_piece<P::_pack, P::_margin>(
      (Offset)in_row, _head(at[0]), (Offset)p._extent[P::_axes - 1]);
  _forward(p, at[0], piece._begin);
  if (piece._size == P::_pack) return _run(p, at, _width_tag<P::_pack>());
  if (piece._size == 1) _run(p, at, _width_tag<1>());
}

}  // namespace gpuarr_kernel

#line 1 "generated"
struct _place;

struct _params {
  typedef ::_place _place;
  typedef unsigned _index;
  typedef int _offset;
  enum { _axes = 2, _pack = 4, _margin = 0 };
  struct alignas(16) { float32 _value; } _scalar0;
  long long _n;
  gpuarr_kernel::_divisor _row_packs;
  long long _total_packs;
  gpuarr_kernel::_divisor _extent[2];
  const float32* _data1;
  long long _stride1[2];
  const float32* _data2;
  long long _stride2[2];
  float32* _data3;
  long long _stride3[2];
};

struct _place {
  const float32* _data1;  // x
  const float32* _data2;  // y
  float32* _data3;  // z
};

static __device__ __forceinline__ void _step(
    const _params& _p, _place& _at, int _axis, unsigned _by) {
  _at._data1 += (int)_by * (int)_p._stride1[_axis];
  _at._data2 += (int)_by * (int)_p._stride2[_axis];
  _at._data3 += (int)_by * (int)_p._stride3[_axis];
}

static __device__ __forceinline__ _place _at_row(const _params& _p, unsigned _row) {
  _place _at = {_p._data1, _p._data2, _p._data3};
  _step(_p, _at, 0, _row);
  return _at;
}

static __device__ __forceinline__ void _forward(const _params& _p, _place& _at, int _by) {
  _at._data1 += _by;
  _at._data2 += _by;
  _at._data3 += _by;
}

static __device__ __forceinline__ int _head(const _place& _at) {
  return 0;
}

// The body for each element of some packs.
template <int _width, int _packs>
static __device__ __forceinline__ void _run(const _params& _p, const _place (&_at)[_packs],
                                            gpuarr_kernel::_width_tag<_width>) {
  const long long n = _p._n;
  const float32 a = _p._scalar0._value;
  gpuarr_kernel::_pack<float32, _width> _values1[_packs];
  gpuarr_kernel::_pack<float32, _width> _values2[_packs];
  gpuarr_kernel::_pack<float32, _width> _values3[_packs];
#pragma unroll
  for (int _q = 0; _q < _packs; ++_q) _values1[_q]._load(_at[_q]._data1);
#pragma unroll
  for (int _q = 0; _q < _packs; ++_q) _values2[_q]._load(_at[_q]._data2);
#pragma unroll
  for (int _q = 0; _q < _packs; ++_q) _values3[_q]._load(_at[_q]._data3);

#pragma unroll
  for (int _q = 0; _q < _packs; ++_q) {
#pragma unroll
    for (int _k = 0; _k < _width; ++_k) {
      const float32& x = _values1[_q]._element[_k];
      const float32& y = _values2[_q]._element[_k];
      float32& z = _values3[_q]._element[_k];
      do {
#line 1 "body"
z = a * x + y

;

#line 1 "generated"
      } while (0);
    }
  }

#pragma unroll
  for (int _q = 0; _q < _packs; ++_q) _values3[_q]._store(_at[_q]._data3);
}

extern "C" __global__ void __launch_bounds__(256) saxpy_kernel(const __grid_constant__ _params _p) {
  gpuarr_kernel::_run_rows(_p);
}
