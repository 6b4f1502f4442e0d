// Rows: threads side by side along the reduced inner axis. A result's items are the packs of its
// rows, each row's single elements behind them, and are numbered; a thread finds an item from its
// number.
#include "codegen/cuda_reduction.hpp"
#include "codegen/reduction_functions.hpp"

namespace gpuarr {
namespace {

// Every item is whole, so their number says all.
const char* const fold_text =
    R"(static __device__ __forceinline__ void _fold(const _params& _p, const _at& _base, _index _t,
                                             const _index _end, _type_reduce& _a) {
  enum { _step = _lanes * _unroll };
  bool _any = false;
  _at _r[_unroll];
  _type_reduce _m[_unroll];
  for (; _t + (_step - _lanes) < _end; _t += _step) {
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q) _item(_p, _base, _t + _q * _lanes, _r[_q]);
    _take<_width, _unroll, true>(_p, _r, _unroll, _m);
#pragma unroll
    for (int _q = 1; _q < _unroll; ++_q) _m[0] = _reduce(_p, _m[0], _m[_q]);
    _a = _any ? _reduce(_p, _a, _m[0]) : _m[0];
    _any = true;
  }
  if (_unroll > 1 && _t < _end) {
    const int _n = (int)((_end - _t + _lanes - 1) / _lanes);
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q)
      if (_q < _n) _item(_p, _base, _t + _q * _lanes, _r[_q]);
    _take<_width, _unroll, false>(_p, _r, _n, _m);
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q)
      if (_q < _n) {
        _a = _any ? _reduce(_p, _a, _m[_q]) : _m[_q];
        _any = true;
      }
  }
}
)";

// Items are packs or single elements.
const char* const ragged_fold_text =
    R"(static __device__ __forceinline__ void _fold(const _params& _p, const _at& _base, _index _t,
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
      _take<_width, _unroll, true>(_p, _r, _unroll, _m);
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
      if (_has == 0) continue;
      _type_reduce _m[1];
      if (_has == _width)
        _take<_width, 1, true>(_p, _one, 1, _m);
      else
        _take<1, 1, true>(_p, _one, 1, _m);
      _a = _any ? _reduce(_p, _a, _m[0]) : _m[0];
      _any = true;
    }
  }
}
)";

// A warp takes neighbouring items and joins them before it takes the next.
const char* const ordered_fold_text =
    R"(static __device__ __forceinline__ void _fold_in_order(const _params& _p, const _at& _base,
                                                      _index _t, const _index _end, int _lane,
                                                      _type_reduce& _a) {
  bool _any = false;
  for (; _t < _end; _t += 32 * _unroll) {
    _at _r[_unroll];
    _type_reduce _m[_unroll];
    int _n = 0;
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q)
      if (_t + _q * 32 + _lane < _end) {
        _item(_p, _base, _t + _q * 32 + _lane, _r[_q]);
        ++_n;
      }
    if (_n == _unroll)
      _take<_width, _unroll, true>(_p, _r, _unroll, _m);
    else
      _take<_width, _unroll, false>(_p, _r, _n, _m);
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q)
      if (_t + _q * 32 < _end) {
        const _index _left = _end - _t - _q * 32;
        __syncwarp();
        _join_lanes<32>(_p, _m[_q], _lane, _left < 32 ? (int)_left : 32);
        _a = _any ? _reduce(_p, _a, _m[_q]) : _m[_q];
        _any = true;
      }
  }
}
)";

// The first thread gets what the first lanes of the first _active warps have.
const char* const join_block_text =
    R"(static __device__ __forceinline__ void _join_warps(const _params& _p, _type_reduce& _a,
                                                   int _active) {
  __shared__ alignas(_type_reduce) alignas(16) unsigned char _raw[8 * sizeof(_type_reduce)];
  _type_reduce* const _of_warp = (_type_reduce*)_raw;
  __syncthreads();
  if (threadIdx.x % 32 == 0) _of_warp[threadIdx.x / 32] = _a;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  if (threadIdx.x < 8) _a = _of_warp[threadIdx.x];
  _join_lanes<8>(_p, _a, threadIdx.x, _active);
}
static __device__ __forceinline__ void _join_block(const _params& _p, _type_reduce& _a,
                                                   int _active) {
  const int _warp = threadIdx.x / 32;
  _join_lanes<32>(_p, _a, threadIdx.x % 32, _active - 32 * _warp);
  _join_warps(_p, _a, (_active + 31) / 32);
}
)";

const char* const block_text =
    R"(  const unsigned _s = blockIdx.x / _p._tiles, _o = blockIdx.x - _s * _p._tiles._by;
  const _at _base = _at_result(_p, _o);
  const _index _first = (_index)_s * (_index)_p._split_items;
  const _index _left = (_index)_p._items - _first;
  const _index _count = _left < (_index)_p._split_items ? _left : (_index)_p._split_items;
  _type_reduce _a;
)";

const char* const share_text =
    R"(  if (_p._splits > 1) {
    const int _splits = (int)_p._splits;
    _type_reduce* const _of = _p._partials + (long long)_o * _splits;
    if (threadIdx.x == 0) _of[_s] = _a;
    if (!_last_block(_p, _o)) return;
    const int _each = (_splits + 255) / 256, _begin = (int)threadIdx.x * _each;
    const int _end = _begin + _each < _splits ? _begin + _each : _splits;
    if (_begin < _end) _a = _of[_begin];
#pragma unroll 4
    for (int _k = _begin + 1; _k < _end; ++_k) _a = _reduce(_p, _a, _of[_k]);
    _join_block(_p, _a, (_splits + _each - 1) / _each);
  }
  if (threadIdx.x == 0) _finish(_p, _o, _a);
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
      "template <int _w, int _u, bool _all>\n"
      "static __device__ __forceinline__ void _take(const _params& _p, const _at (&_r)[_u], "
      "int _n, _type_reduce (&_m)[_u]) {\n" +
      loads("if (_all || _q < _n) ") +
      "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q)\n    if (_all || _q < _n) {\n"
      "      _m[_q] = " +
      map("0") +
      ";\n#pragma unroll\n      for (int _k = 1; _k < _w; ++_k) _m[_q] = _reduce(_p, _m[_q], " +
      map("_k") + ");\n    }\n}\n";
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
  if (p_.traits.uses_i) add("  _r._i += _begin * _p._i_stride{};\n", inner());
  if (p_.traits.uses_j) add("  _r._j += _begin * _p._j_stride{};\n", inner());
  out_ += "  return _size;\n}\n";
}

void CudaReduction::find_item() {
  if (p_.exact || p_.pack == 1) {
    add("  const long long _begin = (long long)_c * {0};\n  const int _size = {0};\n", p_.pack);
    return;
  }
  if (p_.shifts)
    add("  const long long _head = "
        "(long long)(({0} - (unsigned long long)_r._p{1} / sizeof({2}) % {0}) % {0});\n",
        p_.pack, p_.anchor, type(p_.anchor));
  else
    out_ += "  const long long _head = 0;\n";
  // A pack that is cut out of granules must not read past the row: the last may be its array's.
  add("  const long long _n = {0}, _packed = _n - _head - {2};\n"
      "  const long long _whole = _packed < 0 ? 0 : _packed / {1};\n"
      "  long long _begin = _head + (long long)_c * {1};\n  int _size = {1};\n"
      "  if ((long long)_c >= _whole) {{\n"
      "    _begin = (long long)_c - _whole;\n"
      "    if (_begin >= _head) _begin += _whole * {1};\n"
      "    _size = _begin < _n;\n  }}\n",
      divisor_number(p_, text("extent{}", inner()), true), p_.pack, p_.margin);
}

void CudaReduction::declare_fold() {
  if (p_.traits.ordered)
    out_ += ordered_fold_text;
  else
    out_ += p_.exact || p_.pack == 1 ? fold_text : ragged_fold_text;
}

// Several results to a warp: a thread has one item of each of _unroll results.
void CudaReduction::write_few_items() {
  open_kernel();
  out_ +=
      "  enum { _groups = 256 / _lanes };\n  const int _lane = threadIdx.x % _lanes;\n"
      "  const unsigned _first = blockIdx.x * (_groups * _unroll) + threadIdx.x / _lanes;\n"
      "  const int _active = (int)_p._items;\n"
      "  _at _r[_unroll];\n  _type_reduce _m[_unroll];\n  int _size[_unroll], _n = 0;\n"
      "#pragma unroll\n  for (int _q = 0; _q < _unroll; ++_q) {\n"
      "    const unsigned _o = _first + _q * _groups;\n    _size[_q] = 0;\n"
      "    if (_o < _p._results && _lane < _active) {\n"
      "      _size[_q] = _item(_p, _at_result(_p, _o), _lane, _r[_q]);\n"
      "      _n += _size[_q] == _width;\n    }\n  }\n"
      "  if (_n == _unroll)\n    _take<_width, _unroll, true>(_p, _r, _unroll, _m);\n  else\n";
  if (p_.exact || p_.pack == 1)
    out_ += "    _take<_width, _unroll, false>(_p, _r, _n, _m);\n";
  else
    out_ +=
        "#pragma unroll\n    for (int _q = 0; _q < _unroll; ++_q) {\n"
        "      const _at _one[1] = {_r[_q]};\n      _type_reduce _a[1];\n"
        "      if (_size[_q] == _width) _take<_width, 1, true>(_p, _one, 1, _a);\n"
        "      if (_size[_q] == 1) _take<1, 1, true>(_p, _one, 1, _a);\n"
        "      if (_size[_q] > 0) _m[_q] = _a[0];\n    }\n";
  out_ +=
      "  __syncwarp();\n#pragma unroll\n  for (int _q = 0; _q < _unroll; ++_q) {\n"
      "    const unsigned _o = _first + _q * _groups;\n"
      "    _join_lanes<_lanes>(_p, _m[_q], _lane, _active);\n"
      "    if (_lane == 0 && _o < _p._results) _finish(_p, _o, _m[_q]);\n  }\n}\n";
}

// A warp has a result.
void CudaReduction::write_warps() {
  open_kernel();
  out_ +=
      "  const unsigned _o = blockIdx.x * 8 + threadIdx.x / 32;\n"
      "  if (_o >= _p._results) return;\n  const int _lane = threadIdx.x % 32;\n"
      "  const _at _base = _at_result(_p, _o);\n  _type_reduce _a;\n";
  if (p_.traits.ordered)
    out_ += "  _fold_in_order(_p, _base, 0, (_index)_p._items, _lane, _a);\n";
  else
    out_ +=
        "  _fold(_p, _base, _lane, (_index)_p._items, _a);\n  __syncwarp();\n"
        "  _join_lanes<32>(_p, _a, _lane, _p._items < 32 ? (int)_p._items : 32);\n";
  out_ += "  if (_lane == 0) _finish(_p, _o, _a);\n}\n";
}

// A block has a result, or shares in it.
void CudaReduction::write_blocks() {
  out_ += join_block_text;
  open_kernel();
  out_ += block_text;
  if (p_.traits.ordered)
    out_ +=
        "  const _index _each = (_count + 255) / 256 * 32;\n"
        "  const _index _begin = _first + threadIdx.x / 32 * _each;\n"
        "  const _index _last = _first + _count;\n"
        "  _fold_in_order(_p, _base, _begin, _begin + _each < _last ? _begin + _each : _last, "
        "threadIdx.x % 32, _a);\n"
        "  _join_warps(_p, _a, (int)((_count + _each - 1) / _each));\n";
  else
    out_ +=
        "  _fold(_p, _base, _first + threadIdx.x, _first + _count, _a);\n"
        "  _join_block(_p, _a, _count < 256 ? (int)_count : 256);\n";
  out_ += share_text;
}

}  // namespace gpuarr
