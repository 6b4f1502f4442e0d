// The prelude stands here.
// layout/packs.cuh stands here.
// layout/divisor.cuh stands here.
// layout/index.cuh stands here.
// layout/ragged.cuh stands here.
// elementwise/rows.cuh stands here.

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
