// The prelude stands here.
// layout/index.cuh stands here.
// layout/packs.cuh stands here.
// scan/lanes.cuh stands here.
// scan/packs.cuh stands here.
// scan/rows.cuh stands here.

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
struct _place;
struct _params {
  long long _n;
  long long _rows;
  long long _chunks;
  long long _chunk;
  long long _tasks;
  long long _group;
  long long _cut;
  long long _width;
  long long _columns;
  long long _per_row;
  long long _ahead;
  void* _states;
  long long _extent[1];
  const float32* _data0;
  long long _stride0[2];
  float32* _data1;
  long long _stride1[2];
  typedef _type_reduce _scanned;
  typedef ::_place _place;
  typedef unsigned _index;
  enum { _exclusive = 0, _chunked = 0 };
  enum { _pack_size = 4, _packs = 4, _lanes = 4 };
};
typedef _params::_index _index;

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
    const _params& _p, const float32& x, long long _J) {
  const long long n = _p._n;
  {
    return
#line 1 "map"
x

;

#line 1 "generated"
  }
}

static __device__ __forceinline__ void _post(
    const _params& _p, const _type_reduce& _a, float32& y) {
  const long long n = _p._n;
  {
    const _type_reduce& a = _a;
#line 1 "post"
y = a

;

#line 1 "generated"
  }
}

struct _place {
  const float32* _data0;  // x
  float32* _data1;  // y
};

static __device__ __forceinline__ void _step(
    const _params& _p, _place& _at, int _axis, long long _by) {
  _at._data0 += _by * _p._stride0[_axis];
  _at._data1 += _by * _p._stride1[_axis];
}

static __device__ __forceinline__ _place _row(const _params& _p, _index _rest) {
  _place _at = {_p._data0, _p._data1};
  _step(_p, _at, 0, _rest);
  return _at;
}

static __device__ __forceinline__ _type_reduce _get(
    const _params& _p, const _place& _at, long long _k, long long _column) {
  return _map(_p, _at._data0[_k], _k);
}

static __device__ __forceinline__ void _put(
    const _params& _p, const _place& _at, long long _k, long long _column, const _type_reduce& _a) {
  _post(_p, _a, _at._data1[_k]);
}

struct _read {
  gpuarr_kernel::_pack<float32, 4> _values0;
};

struct _written {
  gpuarr_kernel::_pack<float32, 4> _values1;
};

static __device__ __forceinline__ void _load(
    const _params& _p, const _place& _at, long long _k, _read& _to) {
  _to._values0._load(_at._data0 + _k);
}

static __device__ __forceinline__ void _load_one(
    const _params& _p, const _place& _at, long long _k, _read& _to, int _element) {
  _to._values0._element[_element] = _at._data0[_k];
}

static __device__ __forceinline__ _type_reduce _map_one(
    const _params& _p, const _read& _from, int _element, long long _k) {
  return _map(_p, _from._values0._element[_element], _k);
}

static __device__ __forceinline__ void _post_one(
    const _params& _p, const _type_reduce& _sum, _written& _to, int _element) {
  _post(_p, _sum, _to._values1._element[_element]);
}

static __device__ __forceinline__ void _store(
    const _params& _p, const _place& _at, long long _k, const _written& _from) {
  _from._values1._store(_at._data1 + _k);
}

extern "C" __global__ void __launch_bounds__(256) scan_kernel(const __grid_constant__ _params _p) {
  gpuarr_kernel::_scan_rows<_read, _written>(_p);
}
