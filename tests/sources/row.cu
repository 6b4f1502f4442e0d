// The prelude stands here.
// layout/index.cuh stands here.
// layout/divisor.cuh stands here.
// row/call.cuh stands here.
// layout/packs.cuh stands here.
// reduction/cuda/join.cuh stands here.
// row/cuda/streams.cuh stands here.
// row/cuda/join.cuh stands here.
// row/cuda/elements.cuh stands here.
// row/cuda/registers.cuh stands here.

#line 1 "generated"
struct _params {
  typedef unsigned _index;
  enum { _width = 4, _lanes = 4 };
  enum { _turns = 1, _threads = 256, _packs = 4, _exact = 1, _tests = 0 };
  long long _n;
  long long _rows;
  long long _items;
  gpuarr_kernel::_divisor _kept[1];
  const float32* _data0;
  long long _stride0[2];
  float32* _data1;
  long long _stride1[2];
};

struct _place {
  const float32* _data0;  // x
  float32* _data1;  // y
};

static __device__ __forceinline__ void _step(
    const _params& _p, _place& _at, int _axis, unsigned _by) {
  _at._data0 += (long long)_by * _p._stride0[_axis];
  _at._data1 += (long long)_by * _p._stride1[_axis];
}

static __device__ __forceinline__ void _to_row(const _params& _p, _place& _at, unsigned _row) {
  _at = _place{_p._data0, _p._data1};
  _step(_p, _at, 0, _row);
}

struct _row {
  float32 _result0;  // m
  float32 _result1;  // s
};

static __device__ __forceinline__ void _begin_row(const _place& _at, _row& _of_row) {
}

struct _values {
  gpuarr_kernel::_pack<float32, 4> _own0;
  gpuarr_kernel::_pack<float32, 4> _kept0;
  gpuarr_kernel::_pack<float32, 4> _out1;
};

static __device__ __forceinline__ void _load(
    const _params& _p, const _place& _at, int _item, _values& _own) {
  _own._own0 = gpuarr_kernel::_load_streamed<float32, 4>(_at._data0 + _item * 4);
}

struct _pass0 : gpuarr_kernel::_pass<float> {
  static __device__ __forceinline__ float _reduce0(
      const _params& _p, const float& _a, const float& _b) {
  const long long n = _p._n;
  {
  const float& a = _a;
  const float& b = _b;
  return
#line 1 "reduce"
a > b || a != a ? a : b

;

#line 1 "generated"
  }
}
  static __device__ __forceinline__ _partial _reduce(
      const _params& _p, const _partial& _a, const _partial& _b) {
  return _partial(_reduce0(_p, _a, _b));
}
  static __device__ __forceinline__ void _finish(
      const _params& _p, const _partial& _sum, _row& _of_row) {
  const long long n = _p._n;
  {
  const float a = _sum;
  _of_row._result0 =
#line 1 "post"
a

;

#line 1 "generated"
  }
}
  static __device__ __forceinline__ void _read(
      const _params& _p, const _place& _at, int _item, _values& _own) {
}
  static __device__ __forceinline__ _partial _take(
      const _params& _p, const _place& _at, const _row& _of_row, _values& _own, int _item, int _k) {
  const long long n = _p._n;
  const float32 x = _own._own0._element[_k];
  const float _map0 =
#line 1 "map"
x

;

#line 1 "generated"
  return _partial(_map0);
}
};

struct _pass1 : gpuarr_kernel::_pass<float> {
  static __device__ __forceinline__ float _reduce0(
      const _params& _p, const float& _a, const float& _b) {
  const long long n = _p._n;
  {
  const float& a = _a;
  const float& b = _b;
  return
#line 1 "reduce"
a + b

;

#line 1 "generated"
  }
}
  static __device__ __forceinline__ float _identity0(const _params& _p) {
  const long long n = _p._n;
  return
#line 1 "identity"
0

;

#line 1 "generated"
}
  static __device__ __forceinline__ _partial _reduce(
      const _params& _p, const _partial& _a, const _partial& _b) {
  return _partial(_reduce0(_p, _a, _b));
}
  static __device__ __forceinline__ void _finish(
      const _params& _p, const _partial& _sum, _row& _of_row) {
  const long long n = _p._n;
  {
  const float a = _reduce0(_p, _identity0(_p), _sum);
  _of_row._result1 =
#line 1 "post"
a

;

#line 1 "generated"
  }
}
  static __device__ __forceinline__ void _read(
      const _params& _p, const _place& _at, int _item, _values& _own) {
}
  static __device__ __forceinline__ _partial _take(
      const _params& _p, const _place& _at, const _row& _of_row, _values& _own, int _item, int _k) {
  const long long n = _p._n;
  const float32 x = _own._own0._element[_k];
  const float32 m = _of_row._result0;
  float32& e = _own._kept0._element[_k];
  {
#line 1 "keep"
e = exp(x - m)

;

#line 1 "generated"
  }
  const float _map0 =
#line 1 "map"
e

;

#line 1 "generated"
  return _partial(_map0);
}
};

struct _body {
  static __device__ __forceinline__ void _read(
      const _params& _p, const _place& _at, int _item, _values& _own) {
}
  static __device__ __forceinline__ void _put(
      const _params& _p, const _place& _at, const _row& _of_row, _values& _own, int _item, int _k) {
  const long long n = _p._n;
  const float32 s = _of_row._result1;
  const float32 e = _own._kept0._element[_k];
  float32& y = _own._out1._element[_k];
  {
#line 1 "body"
y = e / s

;

#line 1 "generated"
  }
}
};

static __device__ __forceinline__ void _store(
    const _params& _p, const _place& _at, int _item, const _values& _own) {
  gpuarr_kernel::_store_streamed(_at._data1 + _item * 4, _own._out1);
}

static __device__ __forceinline__ void _finish_row(
    const _params& _p, const _place& _at, const _row& _of_row) {
  const long long n = _p._n;
  {
  }
}

extern "C" __global__ void __launch_bounds__(256) softmax_kernel(
    const __grid_constant__ _params _p) {
  gpuarr_kernel::_run_in_registers<_body, _pass0, _pass1>(_p);
}
