// The prelude stands here.
// layout/index.cuh stands here.
// elementwise/host_rows.cuh stands here.

#line 1 "generated"
struct _place;

struct _params {
  enum { _axes = 2 };
  struct alignas(16) { float32 _value; } _scalar0;
  long long _n;
  long long _rows;
  long long _rows_per_block;
  long long _chunks_per_row;
  long long _chunk;
  long long _extent[2];
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
    const _params& _p, _place& _at, int _axis, long long _by) {
  _at._data1 += _by * _p._stride1[_axis];
  _at._data2 += _by * _p._stride2[_axis];
  _at._data3 += _by * _p._stride3[_axis];
}

static __device__ __forceinline__ _place _at_row(const _params& _p, long long _row) {
  _place _at = {_p._data1, _p._data2, _p._data3};
  _step(_p, _at, 0, _row);
  return _at;
}

extern "C" void saxpy_kernel(const _params* _pp, long long _first, long long _last) {
  const _params& _p = *_pp;
  const long long n = _p._n;
  const float32 a = _p._scalar0._value;
  for (long long _block = _first; _block < _last; ++_block) {
    const gpuarr_kernel::_rows _rows(_p, _block);
    const long long _begin = _rows._begin, _end = _rows._end;
    for (long long _row = _rows._first; _row < _rows._last; ++_row) {
      const _place _at = _at_row(_p, _row);
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
      for (long long _k = _begin; _k < _end; ++_k) {
  const float32 x = _at._data1[_k];
  const float32 y = _at._data2[_k];
  float32 z = _at._data3[_k];
        do {
#line 1 "body"
z = a * x + y

;

#line 1 "generated"
        } while (0);
  _at._data3[_k] = z;
      }
    }
  }
}
