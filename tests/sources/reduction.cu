// The prelude stands here.
// layout/index.cuh stands here.
// layout/divisor.cuh stands here.
// layout/packs.cuh stands here.
// reduction/cuda/join.cuh stands here.
// reduction/cuda/warps.cuh stands here.

#line 1 "generated"
typedef
#line 1 "reduce_type"
float

#line 1 "generated"
_type_reduce;
#line 1 "reduce_type"
static_assert(__is_trivially_copyable(_type_reduce),
              "a reduce_type must be trivially copyable");
#line 1 "reduce_type"
static_assert(sizeof(_type_reduce) <= 64,
              "a reduce_type has at most 64 bytes");
#line 1 "reduce_type"
static_assert(__is_constructible(_type_reduce),
              "a reduce_type must have a default constructor");
#line 1 "reduce_type"
static_assert(__is_assignable(_type_reduce&, const _type_reduce&),
              "a reduce_type must be assignable");
#line 1 "generated"
typedef unsigned _index;
typedef unsigned _result;
struct _place;
struct _params {
  typedef ::_place _place;
  typedef ::_index _index;
  typedef ::_result _result;
  typedef _type_reduce _partial;
  enum { _width = 4, _unroll = 4, _lanes = 16 };
  enum { _ordered = 0 };
  enum { _gaps = 0, _ragged = 0 };
  long long _n;
  long long _results;
  long long _items;
  gpuarr_kernel::_divisor _row_items;
  gpuarr_kernel::_divisor _inner_tiles;
  gpuarr_kernel::_divisor _tiles;
  long long _splits;
  long long _split_items;
  _type_reduce* _partials;
  unsigned* _counters;
  gpuarr_kernel::_divisor _kept[1];
  gpuarr_kernel::_divisor _reduced[1];
  const float32* _data0;
  long long _stride0[2];
  float32* _data1;
  long long _stride1[1];
};

static __device__ __forceinline__ _type_reduce _reduce(
    const _params& _p, const _type_reduce& _a, const _type_reduce& _b) {
  const long long n = _p._n;
  {
    const _type_reduce& a = _a;
    const _type_reduce& b = _b;
    return
#line 1 "reduce"
a + b

;

#line 1 "generated"
  }
}

static __device__ __forceinline__ _type_reduce _map(
    const _params& _p, const float32& x, long long i, long long _J, long long _j) {
  const long long n = _p._n;
  {
    return
#line 1 "map"
x * x

;

#line 1 "generated"
  }
}

static __device__ __forceinline__ void _post(
    const _params& _p, _type_reduce _a, float32& y, long long i) {
  const long long n = _p._n;
  {
    _type_reduce& a = _a;
#line 1 "post"
y = sqrt(a)

;

#line 1 "generated"
  }
}

struct _results {
  float32* _data1;  // y
};

static __device__ __forceinline__ void _step_result(
    const _params& _p, _results& _at, int _axis, long long _by) {
  _at._data1 += _by * _p._stride1[_axis];
}

static __device__ __forceinline__ void _finish_at(
    const _params& _p, _result _outer, _result _inner, _type_reduce _a) {
  _results _to = {_p._data1};
  _step_result(_p, _to, 0, _inner);
  _post(_p, _a, *_to._data1, 0);
}

static __device__ __forceinline__ void _finish(const _params& _p, _result _rest, _type_reduce _a) {
  _finish_at(_p, 0, _rest, _a);
}

struct _place {
  const float32* _data0;  // x
};

static __device__ __forceinline__ void _step(
    const _params& _p, _place& _at, int _axis, long long _by) {
  _at._data0 += _by * _p._stride0[_axis];
}

static __device__ __forceinline__ _place _at_result(const _params& _p, _result _rest) {
  _place _at = {_p._data0};
  _step(_p, _at, 0, _rest);
  return _at;
}

// What each of some packs counts as.
template <int _width, int _count>
static __device__ __forceinline__ void _take(
    const _params& _p, const _place (&_at)[_count], _type_reduce (&_sums)[_count],
    gpuarr_kernel::_width_tag<_width>) {
  gpuarr_kernel::_pack<float32, _width> _values0[_count];
#pragma unroll
  for (int _q = 0; _q < _count; ++_q) _values0[_q]._load(_at[_q]._data0);
#pragma unroll
  for (int _q = 0; _q < _count; ++_q) {
    _sums[_q] = _map(_p, _values0[_q]._element[0], 0, 0, 0);
#pragma unroll
    for (int _k = 1; _k < _width; ++_k)
      _sums[_q] = _reduce(_p, _sums[_q], _map(_p, _values0[_q]._element[_k], 0, 0, 0));
  }
}

static __device__ __forceinline__ int _item(
    const _params& _p, const _place& _base, _index _number, _place& _at) {
  _at = _base;
  const _index _in_row = _number;
  const long long _begin = (long long)_in_row * 4;
  _at._data0 += _begin;
  return 4;
}

extern "C" __global__ void __launch_bounds__(256) norm_kernel(const __grid_constant__ _params _p) {
  gpuarr_kernel::_reduce_few_items(_p);
}
