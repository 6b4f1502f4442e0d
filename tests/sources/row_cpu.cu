// The prelude stands here.
// layout/index.cuh stands here.
// reduction/host/vector_map.cuh stands here.
// row/call.cuh stands here.
// reduction/host/tasks.cuh stands here.
// reduction/host/rows.cuh stands here.
// row/host/rows.cuh stands here.

#line 1 "generated"
struct _params {
  enum { _room_bytes = 49152, _element_bytes = 4, _part = 65536 };
  long long _n;
  long long _rows;
  long long _group;
  long long _kept[1];
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
    const _params& _p, _place& _at, int _axis, long long _by) {
  _at._data0 += _by * _p._stride0[_axis];
  _at._data1 += _by * _p._stride1[_axis];
}

static __device__ __forceinline__ void _to_row(const _params& _p, _place& _at, long long _row) {
  _at = _place{_p._data0, _p._data1};
  _step(_p, _at, 0, _row);
}

struct _row {
  float32 _result0;  // m
  float32 _result1;  // s
  float32* _kept0;  // e
};

static __device__ __forceinline__ void _begin_row(const _place& _at, _row& _of_row) {
}

static __device__ __forceinline__ void _make_room(const _params& _p, char* _from, _row& _of_row) {
  gpuarr_kernel::_take_room(_from, _p._n, _of_row._kept0);
}

struct _pass0 : gpuarr_kernel::_pass<float, _params> {
  static __forceinline__ float _reduce0(const _params& _p, const float& _a, const float& _b) {
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
  static __forceinline__ _partial _reduce(
      const _params& _p, const _partial& _a, const _partial& _b) {
  return _partial(_reduce0(_p, _a, _b));
}
  static __forceinline__ void _finish(const _params& _p, const _partial& _sum, _row& _of_row) {
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
};

static __device__ __forceinline__ _pass0::_partial _along(
    const _pass0& _stage, const _place& _at, long long _k) {
  const _params& _p = _stage._p;
  const _row& _of_row = _stage._of_row;
  const long long n = _p._n;
  const float32 x = _at._data0[_k];
  const float _map0 =
#line 1 "map"
x

;

#line 1 "generated"
  return _pass0::_partial(_map0);
}

struct _pass1 : gpuarr_kernel::_pass<float, _params> {
  static __forceinline__ float _reduce0(const _params& _p, const float& _a, const float& _b) {
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
  static __forceinline__ float _identity0(const _params& _p) {
  const long long n = _p._n;
  return
#line 1 "identity"
0

;

#line 1 "generated"
}
  static __forceinline__ _partial _reduce(
      const _params& _p, const _partial& _a, const _partial& _b) {
  return _partial(_reduce0(_p, _a, _b));
}
  static __forceinline__ void _finish(const _params& _p, const _partial& _sum, _row& _of_row) {
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
};

static __device__ __forceinline__ _pass1::_partial _along(
    const _pass1& _stage, const _place& _at, long long _k) {
  const _params& _p = _stage._p;
  const _row& _of_row = _stage._of_row;
  const long long n = _p._n;
  const float32 x = _at._data0[_k];
  const float32 m = _of_row._result0;
  float32 e;
  {
#line 1 "keep"
e = exp(x - m)

;

#line 1 "generated"
  }
  _of_row._kept0[_k] = e;
  const float _map0 =
#line 1 "map"
e

;

#line 1 "generated"
  return _pass1::_partial(_map0);
}

struct _body : gpuarr_kernel::_stage<_params> {
};

static __device__ __forceinline__ void _put(const _body& _stage, const _place& _at, long long _k) {
  const _params& _p = _stage._p;
  const _row& _of_row = _stage._of_row;
  const long long n = _p._n;
  const float32 s = _of_row._result1;
  const float32 e = _of_row._kept0[_k];
  float32 y;
  {
#line 1 "body"
y = e / s

;

#line 1 "generated"
  }
  _at._data1[_k] = y;
}

static __device__ __forceinline__ void _put_row(const _body& _stage, const _place& _at) {
  return gpuarr_kernel::put_elements(_stage, _at, _stage._p._n);
}

static __device__ __forceinline__ void _finish_row(
    const _params& _p, const _place& _at, const _row& _of_row) {
  const long long n = _p._n;
  {
  }
}

extern "C" void softmax_kernel(const _params* _p, long long _first, long long _last) {
  gpuarr_kernel::_run_rows<_body, _pass0, _pass1>(*_p, _first, _last);
}
