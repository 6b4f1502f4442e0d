// Rows: threads side by side along the reduced inner axis. A result's items are the packs of its
// rows, each row's single elements behind them, and are numbered; a thread finds an item from its
// number.
#include "codegen/layout/cuda_packs.hpp"
#include "codegen/reduction/cuda.hpp"
#include "codegen/reduction/functions.hpp"

namespace gpuarr {
namespace {

// Every item is whole. Where a thread has fewer than it could have under way it loads the last one
// again, which is cheaper than to ask before each load.
const char* const fold_text =
    R"(static __device__ __forceinline__ bool _fold(const _params& _p, const _at& _base, _index _t,
                                             const _index _end, _type_reduce& _a) {
  bool _any = false;
  for (; _t < _end; _t += _lanes * _unroll) {
    _at _r[_unroll];
    _type_reduce _m[_unroll];
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q) {
      const _index _k = _t + _q * _lanes;
      _item(_p, _base, _k < _end ? _k : _end - 1, _r[_q]);
    }
    _take<_width>(_p, _r, _m);
#pragma unroll
    for (int _q = 1; _q < _unroll; ++_q)
      if (_t + _q * _lanes < _end) _m[0] = _reduce(_p, _m[0], _m[_q]);
    _a = _any ? _reduce(_p, _a, _m[0]) : _m[0];
    _any = true;
  }
  return _any;
}
)";

// Items are packs, single elements, or nothing.
const char* const ragged_fold_text =
    R"(static __device__ __forceinline__ bool _fold(const _params& _p, const _at& _base, _index _t,
                                             const _index _end, _type_reduce& _a) {
  bool _any = false;
  for (; _t < _end; _t += _lanes * _unroll) {
    _at _r[_unroll];
    int _size[_unroll], _whole = 0;
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q) {
      _size[_q] = _t + _q * _lanes < _end ? _item(_p, _base, _t + _q * _lanes, _r[_q]) : 0;
      _whole += _size[_q] == _width;
    }
    if (_whole == _unroll) {
      _type_reduce _m[_unroll];
      _take<_width>(_p, _r, _m);
#pragma unroll
      for (int _q = 1; _q < _unroll; ++_q) _m[0] = _reduce(_p, _m[0], _m[_q]);
      _a = _any ? _reduce(_p, _a, _m[0]) : _m[0];
      _any = true;
      continue;
    }
#pragma unroll 1
    for (int _q = 0; _q < _unroll; ++_q) {
      _at _one[1] = {_r[0]};
      int _has = _size[0];
#pragma unroll
      for (int _k = 1; _k < _unroll; ++_k)
        if (_k == _q) _one[0] = _r[_k], _has = _size[_k];
      _type_reduce _m[1];
      if (_has == 0) continue;
      if (_has == _width)
        _take<_width>(_p, _one, _m);
      else
        _take<1>(_p, _one, _m);
      _a = _any ? _reduce(_p, _a, _m[0]) : _m[0];
      _any = true;
    }
  }
  return _any;
}
)";

// A warp takes neighbouring items, each lane _unroll of them, and joins them before it takes the
// next.
const char* const ordered_fold_text =
    R"(static __device__ __forceinline__ void _fold_in_order(const _params& _p, const _at& _base,
                                                      _index _t, const _index _end, int _lane,
                                                      _type_reduce& _a) {
  bool _any = false;
  for (; _t < _end; _t += 32 * _unroll) {
    const _index _first = _t + _lane * _unroll, _left = _end - _t;
    _at _r[_unroll];
    _type_reduce _m[_unroll];
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q)
      _item(_p, _base, _first + _q < _end ? _first + _q : _end - 1, _r[_q]);
    _take<_width>(_p, _r, _m);
    _type_reduce _b[1] = {_m[0]};
#pragma unroll
    for (int _q = 1; _q < _unroll; ++_q)
      if (_first + _q < _end) _b[0] = _reduce(_p, _b[0], _m[_q]);
    bool _has[1];
    const int _active = _left < 32 * _unroll ? ((int)_left + _unroll - 1) / _unroll : 32;
    _join_lanes<32>(_p, _b, _lane, _active, _has);
    _a = _any ? _reduce(_p, _a, _b[0]) : _b[0];
    _any = true;
  }
}
)";

// The first thread gets what the first lanes of the first _active warps have.
const char* const join_warps_text =
    R"(static __device__ __forceinline__ void _join_warps(const _params& _p, _type_reduce (&_a)[1],
                                                   int _active, bool (&_any)[1]) {
  __shared__ alignas(_type_reduce) alignas(16) unsigned char _raw[8 * sizeof(_type_reduce)];
  __shared__ bool _has[8];
  _type_reduce* const _of_warp = (_type_reduce*)_raw;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    _of_warp[threadIdx.x / 32] = _a[0];
    if (_gaps) _has[threadIdx.x / 32] = _any[0];
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  if (_gaps) _any[0] = threadIdx.x < 8 && _has[threadIdx.x % 8];
  _a[0] = _of_warp[threadIdx.x % 8];
  _join_lanes<8>(_p, _a, threadIdx.x, _active, _any);
}
)";

const char* const block_text =
    R"(  const unsigned _s = blockIdx.x / _p._tiles, _o = blockIdx.x - _s * _p._tiles._by;
  const int _splits = (int)_p._splits;
  const int _warp = threadIdx.x / 32, _lane = threadIdx.x % 32;
  const _at _base = _at_result(_p, _o);
  const _index _first = (_index)_s * (_index)_p._split_items;
  const _index _end =
      (int)_s == _splits - 1 ? (_index)_p._items : _first + (_index)_p._split_items;
  const _index _count = _end - _first;
  _type_reduce _a[1];
  bool _any[1] = {true};
)";

// Twice, if blocks share the result: the last of them joins what all have left.
const char* const share_text =
    R"(#pragma unroll 1
  for (bool _shared = _splits > 1;; _shared = false) {
    _join_lanes<32>(_p, _a, _lane, _active, _any);
    _join_warps(_p, _a, _warps, _any);
    if (!_shared) break;
    _type_reduce* const _of = _p._partials + (long long)_o * _splits;
    if (threadIdx.x == 0) _of[_s] = _a[0];
    if (!_last_block(_p, _o)) return;
    const int _each = (_splits + 255) / 256, _from = (int)threadIdx.x * _each;
    const int _to = _from + _each < _splits ? _from + _each : _splits;
    _any[0] = _from < _to;
#pragma unroll 1
    for (int _k = _from; _k < _to; _k += _ahead) {
      _type_reduce _b[_ahead];
#pragma unroll
      for (int _q = 0; _q < _ahead; ++_q) _b[_q] = _of[_k + _q < _to ? _k + _q : _k];
      _a[0] = _k == _from ? _b[0] : _reduce(_p, _a[0], _b[0]);
#pragma unroll
      for (int _q = 1; _q < _ahead; ++_q)
        if (_k + _q < _to) _a[0] = _reduce(_p, _a[0], _b[_q]);
    }
    const int _parts = (_splits + _each - 1) / _each;
    _active = _parts - _warp * 32;
    _warps = (_parts + 31) / 32;
  }
  if (threadIdx.x == 0) _finish(_p, _o, _a[0]);
}
)";

}  // namespace

void CudaReduction::write_rows() {
  declare_row_take();
  declare_item();
  if (p_.single) return write_few_items();
  declare_fold();
  if (p_.lanes == 32)
    write_warps();
  else
    write_blocks();
}

void CudaReduction::declare_row_take() {
  out_ +=
      "template <int _w, int _u>\n"
      "static __device__ __forceinline__ void _take(const _params& _p, const _at (&_r)[_u], "
      "_type_reduce (&_m)[_u]) {\n" +
      loads() + "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q) {\n    _m[_q] = " + map("0") +
      ";\n#pragma unroll\n    for (int _k = 1; _k < _w; ++_k) _m[_q] = _reduce(_p, _m[_q], " +
      map("_k") + ");\n  }\n}\n";
}

// Finds an item and returns its size.
void CudaReduction::declare_item() {
  out_ +=
      "static __device__ __forceinline__ int _item(const _params& _p, const _at& _base, "
      "const _index _t, _at& _r) {\n  _r = _base;\n";
  if (p_.nest.ndim - p_.kept > 1) {
    add("  _index _row = _t / _p._row_items;\n  const _index _c = _t - _row * {};\n",
        divisor_number(p_, "row_items", true));
    out_ += take_indices(p_, "_row", p_.kept, p_.inner_reduced() - 1,
                         [&](int axis) { return step_inputs(p_, operands_, "_r", "_x", axis); });
  } else {
    out_ += "  const _index _c = _t;\n";
  }
  find_item();
  for (int k = 0; k < p_.operands; ++k) {
    if (!is(k, Role::input) || !moves(k)) continue;
    add("  _r._p{} += _begin", k);
    if (p_.how(k) == Access::general) add(" * _p._s{}_{}", k, inner());
    out_ += ";\n";
  }
  for (auto [letter, used] : element_numbers(p_))
    if (used) add("  _r._{0} += _begin * _p._{0}_stride{1};\n", letter, inner());
  out_ += "  return _size;\n}\n";
}

void CudaReduction::find_item() {
  if (p_.exact || p_.pack == 1) {
    add("  const long long _begin = (long long)_c * {0};\n  const int _size = {0};\n", p_.pack);
    return;
  }
  out_ += "  typedef long long _offset;\n  int _size;\n";
  out_ += cuda_find_pack(
      {p_.pack, p_.shifts ? p_.anchor : -1, p_.margin, p_.shifts ? type(p_.anchor) : "",
       divisor_number(p_, text("extent{}", inner()), true)},
      "_size");
}

void CudaReduction::declare_fold() {
  if (p_.traits.ordered)
    out_ += ordered_fold_text;
  else
    out_ += p_.exact || p_.pack == 1 ? fold_text : ragged_fold_text;
}

// Several results to a warp: a thread has one item of each of _unroll results, or the last one
// again.
void CudaReduction::write_few_items() {
  open_kernel();
  out_ +=
      "  enum { _groups = 256 / _lanes };\n  const int _lane = threadIdx.x % _lanes;\n"
      "  const _result _first = (_result)blockIdx.x * (_groups * _unroll) + threadIdx.x / _lanes;\n"
      "  const _result _results = (_result)_p._results;\n"
      "  const int _active = (int)_p._items, _mine = _lane < _active ? _lane : _active - 1;\n"
      "  _at _r[_unroll];\n  _type_reduce _m[_unroll];\n  int _size[_unroll];\n"
      "  bool _any[_unroll];\n"
      "#pragma unroll\n  for (int _q = 0; _q < _unroll; ++_q) {\n"
      "    const _result _o = _first + _q * _groups;\n"
      "    _size[_q] = _item(_p, _at_result(_p, _o < _results ? _o : _results - 1), _mine, "
      "_r[_q]);\n"
      "    _any[_q] = _size[_q] > 0 && _lane < _active;\n  }\n";
  if (p_.exact || p_.pack == 1)
    out_ += "  _take<_width>(_p, _r, _m);\n";
  else
    out_ +=
        "#pragma unroll\n  for (int _q = 0; _q < _unroll; ++_q) {\n"
        "    const _at _one[1] = {_r[_q]};\n    _type_reduce _a[1];\n"
        "    if (_size[_q] == _width)\n      _take<_width>(_p, _one, _a);\n"
        "    else if (_size[_q] == 1)\n      _take<1>(_p, _one, _a);\n"
        "    if (_size[_q] > 0) _m[_q] = _a[0];\n  }\n";
  out_ +=
      "  __syncwarp();\n  _join_lanes<_lanes>(_p, _m, _lane, _active, _any);\n"
      "  if (_lane > 0) return;\n#pragma unroll\n  for (int _q = 0; _q < _unroll; ++_q)\n"
      "    if (_first + _q * _groups < _results) _finish(_p, _first + _q * _groups, _m[_q]);\n"
      "}\n";
}

// A warp has a result.
void CudaReduction::write_warps() {
  open_kernel();
  out_ +=
      "  const _result _o = (_result)blockIdx.x * 8 + threadIdx.x / 32;\n"
      "  if (_o >= _p._results) return;\n  const int _lane = threadIdx.x % 32;\n"
      "  const _at _base = _at_result(_p, _o);\n  _type_reduce _a[1];\n  bool _any[1];\n";
  if (p_.traits.ordered)
    out_ += "  _fold_in_order(_p, _base, 0, (_index)_p._items, _lane, _a[0]);\n";
  else
    out_ +=
        "  _any[0] = _fold(_p, _base, _lane, (_index)_p._items, _a[0]);\n  __syncwarp();\n"
        "  _join_lanes<32>(_p, _a, _lane, _p._items < 32 ? (int)_p._items : 32, _any);\n";
  out_ += "  if (_lane == 0) _finish(_p, _o, _a[0]);\n}\n";
}

// A block has a result, or shares in it.
void CudaReduction::write_blocks() {
  add("enum {{ _ahead = {} }};\n", p_.traits.is_struct ? 1 : 4);  // partial results on their way
  out_ += join_warps_text;
  open_kernel();
  out_ += block_text;
  if (p_.traits.ordered)
    out_ +=
        "  const _index _each = (_count + 255) / 256 * 32;\n"
        "  const _index _begin = _first + _warp * _each;\n"
        "  if (_begin < _end) _fold_in_order(_p, _base, _begin, "
        "_begin + _each < _end ? _begin + _each : _end, _lane, _a[0]);\n"
        "  int _active = 1, _warps = (int)((_count + _each - 1) / _each);\n";
  else
    out_ +=
        "  _any[0] = _fold(_p, _base, _first + threadIdx.x, _end, _a[0]);\n"
        "  const int _threads = _count < 256 ? (int)_count : 256;\n"
        "  int _active = _threads - _warp * 32, _warps = (_threads + 31) / 32;\n";
  out_ += share_text;
}

}  // namespace gpuarr
