// Columns: threads side by side along the kept inner axis, each with a pack of results; the block's
// other direction goes along the reduced axes.
#include "codegen/cuda_reduction.hpp"
#include "codegen/reduction_functions.hpp"

namespace gpuarr {
namespace {

const char* const fold_text =
    R"(static __device__ __forceinline__ void _fold(const _params& _p, const _at& _base, _index _t,
                                             const _index _end, const int _step, const int _count,
                                             _type_reduce (&_a)[_width]) {
  bool _any = false;
  for (; _t < _end; _t += _step * _unroll) {
    _at _r[_unroll];
    if (_count == _width && _t + _step * (_unroll - 1) < _end) {
#pragma unroll
      for (int _q = 0; _q < _unroll; ++_q) _line(_p, _base, _t + _q * _step, _r[_q]);
      _take<_width, _unroll, true>(_p, _r, _unroll, _count, _a, _any);
    } else {
      int _n = 0;
#pragma unroll
      for (int _q = 0; _q < _unroll; ++_q)
        if (_t + _q * _step < _end) {
          _line(_p, _base, _t + _q * _step, _r[_q]);
          ++_n;
        }
      _take<_width, _unroll, false>(_p, _r, _n, _count, _a, _any);
    }
    _any = true;
  }
}
)";

// The first line of threads gets what the first _active lines have.
const char* const join_text =
    R"(static __device__ __forceinline__ void _join_lines(const _params& _p, const int _line,
                                                   const int _active, const int _count,
                                                   _type_reduce (&_a)[_width]) {
  enum { _fit = 32768 / (256 * sizeof(_type_reduce)), _batch = _fit < _width ? _fit : _width };
  __shared__ alignas(_type_reduce) alignas(16) unsigned char _raw[_batch * 256 * sizeof(_type_reduce)];
  _type_reduce* const _of = (_type_reduce*)_raw + threadIdx.x;
#pragma unroll
  for (int _begin = 0; _begin < _width; _begin += _batch)
#pragma unroll 1
    for (int _d = 1; _d < 256 / _lanes; _d *= 2) {
      __syncthreads();
#pragma unroll
      for (int _k = 0; _k < _batch; ++_k)
        if (_begin + _k < _count && (_line & (2 * _d - 1)) == _d && _line < _active)
          _of[_k * 256] = _a[_begin + _k];
      __syncthreads();
#pragma unroll
      for (int _k = 0; _k < _batch; ++_k)
        if (_begin + _k < _count && (_line & (2 * _d - 1)) == 0 && _line + _d < _active)
          _a[_begin + _k] = _reduce(_p, _a[_begin + _k], _of[_k * 256 + _d * _lanes]);
    }
}
)";

const char* const place_text =
    R"(  enum { _lines = 256 / _lanes };
  const unsigned _s = blockIdx.x / _p._tiles, _tile = blockIdx.x - _s * _p._tiles._by;
  const unsigned _outer = _tile / _p._inner_tiles;
  const int _lane = threadIdx.x % _lanes, _row = threadIdx.x / _lanes;
  const unsigned _c = (_tile - _outer * _p._inner_tiles._by) * (_lanes * _width) + _lane * _width;
)";

const char* const share_text =
    R"(  if (_p._splits > 1) {
    const int _splits = (int)_p._splits;
    enum { _size = _lanes * _width };
    _type_reduce* const _of = _p._partials + (long long)_tile * _splits * _size + _lane * _width;
    if (_row == 0)
#pragma unroll
      for (int _k = 0; _k < _width; ++_k)
        if (_k < _count) _of[(long long)_s * _size + _k] = _a[_k];
    if (!_last_block(_p, _tile)) return;
    const int _each = (_splits + _lines - 1) / _lines, _from = _row * _each;
    const int _to = _from + _each < _splits ? _from + _each : _splits;
    for (int _g = _from; _g < _to; ++_g)
#pragma unroll
      for (int _k = 0; _k < _width; ++_k)
        if (_k < _count) {
          const _type_reduce _b = _of[(long long)_g * _size + _k];
          _a[_k] = _g == _from ? _b : _reduce(_p, _a[_k], _b);
        }
    _join_lines(_p, _row, (_splits + _each - 1) / _each, _count, _a);
  }
  if (_row == 0) _finish_columns(_p, _outer, _c, _count, _a);
}
)";

}  // namespace

void CudaReduction::write_columns() {
  declare_column_take();
  declare_line();
  out_ += fold_text;
  out_ += join_text;
  declare_finish();
  open_kernel();
  find_columns();
  out_ +=
      "  const _index _first = (_index)_s * (_index)_p._split_items;\n"
      "  const _index _left = (_index)_p._items - _first;\n"
      "  const _index _length = "
      "_left < (_index)_p._split_items ? _left : (_index)_p._split_items;\n"
      "  _type_reduce _a[_width];\n";
  if (p_.traits.ordered)
    out_ +=
        "  const _index _each = (_length + _lines - 1) / _lines;\n"
        "  const _index _begin = _first + _row * _each, _last = _first + _length;\n"
        "  if (_count > 0) _fold(_p, _base, _begin, "
        "_begin + _each < _last ? _begin + _each : _last, 1, _count, _a);\n"
        "  _join_lines(_p, _row, (int)((_length + _each - 1) / _each), _count, _a);\n";
  else
    out_ +=
        "  if (_count > 0) "
        "_fold(_p, _base, _first + _row, _first + _length, _lines, _count, _a);\n"
        "  _join_lines(_p, _row, _length < _lines ? (int)_length : _lines, _count, _a);\n";
  out_ += share_text;
}

// _a takes in what _n lines have for each of _count columns.
void CudaReduction::declare_column_take() {
  out_ +=
      "template <int _w, int _u, bool _all>\n"
      "static __device__ __forceinline__ void _take(const _params& _p, const _at (&_r)[_u], "
      "int _n, int _count, _type_reduce (&_a)[_w], bool _any) {\n";
  for (int k = 0; k < p_.operands; ++k) {
    if (!is(k, Role::input)) continue;
    if (p_.pack == 1 || !moves(k)) {
      out_ += load(k, "if (_all || _q < _n) ");
      continue;
    }
    add("  _pack<{0}, _w> _v{1}[_u];\n"
        "#pragma unroll\n  for (int _q = 0; _q < _u; ++_q)\n"
        "    if (_all || (_q < _n && _count == _w))\n"
        "      _v{1}[_q] = *(const _pack<{0}, _w>*)_r[_q]._p{1};\n"
        "    else if (_q < _n)\n#pragma unroll\n      for (int _k = 0; _k < _w; ++_k)\n"
        "        if (_k < _count) _v{1}[_q]._v[_k] = _r[_q]._p{1}[_k];\n",
        type(k), k);
  }
  out_ +=
      "#pragma unroll\n  for (int _k = 0; _k < _w; ++_k)\n    if (_all || _k < _count) {\n"
      "      _type_reduce _m;\n#pragma unroll\n      for (int _q = 0; _q < _u; ++_q)\n"
      "        if (_all || _q < _n) {\n          const _type_reduce _b = " +
      map("_k") +
      ";\n          _m = _q == 0 ? _b : _reduce(_p, _m, _b);\n        }\n"
      "      _a[_k] = _any ? _reduce(_p, _a[_k], _m) : _m;\n    }\n}\n";
}

// Goes to an element of the first column.
void CudaReduction::declare_line() {
  out_ +=
      "static __device__ __forceinline__ void _line(const _params& _p, const _at& _base, "
      "_index _t, _at& _r) {\n  _r = _base;\n";
  out_ += take_indices(p_, "_t", p_.kept, p_.inner_reduced(),
                       [&](int axis) { return step_inputs(p_, operands_, "_r", "_x", axis); });
  out_ += "}\n";
}

void CudaReduction::find_columns() {
  out_ += place_text;
  add("  const unsigned _n = {};\n"
      "  const int _count = _c >= _n ? 0 : _n - _c < _width ? (int)(_n - _c) : _width;\n",
      divisor_number(p_, text("extent{}", inner()), false));
  out_ += "  _at _base;\n";
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::input))
      add("  _base._p{0} = _p._p{0} + (long long)_c * _p._s{0}_{1};\n", k, inner());
  add("  _base._i = {};\n  _base._j = {};\n",
      p_.traits.uses_i ? text("_p._i_start + (long long)_c * _p._i_stride{}", inner()) : "0",
      p_.traits.uses_j ? text("_p._j_start + (long long)_c * _p._j_stride{}", inner()) : "0");
  if (p_.kept > 1) {
    out_ += "  { unsigned _rest = _outer;\n";
    out_ += take_indices(p_, "_rest", 0, p_.kept - 2,
                         [&](int axis) { return step_inputs(p_, operands_, "_base", "_x", axis); });
    out_ += "  }\n";
  }
}

void CudaReduction::declare_finish() {
  out_ +=
      "static __device__ __forceinline__ void _finish_columns(const _params& _p, unsigned _outer, "
      "unsigned _c, int _count, _type_reduce (&_a)[_width]) {\n";
  bool packs = false;
  for (int k = 0; k < p_.operands; ++k) packs |= is(k, Role::output) && p_.how(k) == Access::vector;
  if (p_.stage == Stage::whole && p_.pack > 1 && packs) finish_pack();
  add("  const unsigned _o = _outer * {} + _c;\n"
      "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k)\n"
      "    if (_k < _count) _finish(_p, _o + _k, _a[_k]);\n}}\n",
      divisor_number(p_, text("extent{}", inner()), false));
}

// A whole pack of results is stored at once.
void CudaReduction::finish_pack() {
  bool counts = p_.traits.uses_result;
  out_ += "  if (_count == _width) {\n";
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::output))
      add("    {0}* _y{1} = _p._p{1} + (long long)_c * _p._s{1}_{2};\n", type(k), k, inner());
  if (counts) add("    long long _i = _p._o_start + (long long)_c * _p._o_stride{};\n", inner());
  out_ += take_indices(p_, "_outer", 0, p_.kept - 2, [&](int axis) {
    std::string moves;
    for (int k = 0; k < p_.operands; ++k)
      if (is(k, Role::output))
        moves += text("    _y{0} += (long long)_x * _p._s{0}_{1};\n", k, axis);
    if (counts) moves += text("    _i += (long long)_x * _p._o_stride{};\n", axis);
    return moves;
  });
  auto each = [&](const char* vector, const char* general) {
    for (int k = 0; k < p_.operands; ++k)
      if (is(k, Role::output))
        out_ += format_text(p_.how(k) == Access::vector ? vector : general,
                            fmt::make_format_args(type(k), k, inner()));
  };
  each("    _pack<{0}, _width> _w{1} = *(const _pack<{0}, _width>*)_y{1};\n",
       "    _pack<{0}, _width> _w{1};\n#pragma unroll\n    for (int _k = 0; _k < _width; ++_k) "
       "_w{1}._v[_k] = _y{1}[_k * _p._s{1}_{2}];\n");
  out_ += "#pragma unroll\n    for (int _k = 0; _k < _width; ++_k)\n      _post(_p, ";
  out_ += pieces_.identity ? "_reduce(_p, _identity(_p), _a[_k])" : "_a[_k]";
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::output)) add(", _w{}._v[_k]", k);
  out_ += counts ? text(", _i + _k * _p._o_stride{});\n", inner()) : ", 0);\n";
  each("    *(_pack<{0}, _width>*)_y{1} = _w{1};\n",
       "#pragma unroll\n    for (int _k = 0; _k < _width; ++_k) "
       "_y{1}[_k * _p._s{1}_{2}] = _w{1}._v[_k];\n");
  out_ += "    return;\n  }\n";
}

}  // namespace gpuarr
