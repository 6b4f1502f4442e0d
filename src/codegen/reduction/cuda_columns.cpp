// Columns: threads side by side along the kept inner axis, each with a pack of results; the block's
// other direction goes along the reduced axes.
#include "codegen/reduction/cuda.hpp"
#include "codegen/reduction/functions.hpp"

namespace gpuarr {
namespace {

// Where a thread has fewer lines than it could have under way it loads the last one again.
const char* const column_fold_text =
    R"(static __device__ __forceinline__ void _fold(const _params& _p, const _at& _base, _index _t,
                                             const _index _end, const int _step,
                                             _type_reduce (&_a)[_width]) {
  bool _any = false;
  for (; _t < _end; _t += _step * _unroll) {
    _at _r[_unroll];
    int _n = 0;
#pragma unroll
    for (int _q = 0; _q < _unroll; ++_q) {
      const _index _k = _t + _q * _step;
      _n += _k < _end;
      _line(_p, _base, _k < _end ? _k : _end - 1, _r[_q]);
    }
    _take<_width>(_p, _r, _n, _a, _any);
    _any = true;
  }
}
)";

// The first line of threads gets what the first _active lines have.
const char* const column_join_text =
    R"(static __device__ __forceinline__ void _join_lines(const _params& _p, const int _line,
                                                   const int _active, _type_reduce (&_a)[_width]) {
  enum { _fit = 32768 / (256 * sizeof(_type_reduce)), _batch = _fit < _width ? _fit : _width };
  enum { _bytes = _batch * 256 * sizeof(_type_reduce) };
  __shared__ alignas(_type_reduce) alignas(16) unsigned char _raw[_bytes];
  _type_reduce* const _of = (_type_reduce*)_raw + threadIdx.x;
#pragma unroll
  for (int _begin = 0; _begin < _width; _begin += _batch)
#pragma unroll 1
    for (int _d = 1; _d < 256 / _lanes; _d *= 2) {
      __syncthreads();
      if ((_line & (2 * _d - 1)) == _d && _line < _active)
#pragma unroll
        for (int _k = 0; _k < _batch; ++_k) _of[_k * 256] = _a[_begin + _k];
      __syncthreads();
      if ((_line & (2 * _d - 1)) == 0 && _line + _d < _active)
#pragma unroll
        for (int _k = 0; _k < _batch; ++_k)
          _a[_begin + _k] = _reduce(_p, _a[_begin + _k], _of[_k * 256 + _d * _lanes]);
    }
}
)";

const char* const place_text =
    R"(  enum { _lines = 256 / _lanes, _size = _lanes * _width, _ahead = 2 };
  const unsigned _s = blockIdx.x / _p._tiles, _tile = blockIdx.x - _s * _p._tiles._by;
  const unsigned _outer = _tile / _p._inner_tiles;
  const int _lane = threadIdx.x % _lanes, _row = threadIdx.x / _lanes;
  const _result _c = (_result)(_tile - _outer * _p._inner_tiles._by) * _size + _lane * _width;
  const int _splits = (int)_p._splits;
  const _index _first = (_index)_s * (_index)_p._split_items;
  const _index _end =
      (int)_s == _splits - 1 ? (_index)_p._items : _first + (_index)_p._split_items;
  _type_reduce _a[_width];
)";

// Twice, if blocks share the columns: the last of them joins what all have left.
const char* const column_share_text =
    R"(#pragma unroll 1
  for (bool _shared = _splits > 1;; _shared = false) {
    _join_lines(_p, _row, _active, _a);
    if (!_shared) break;
    _type_reduce* const _of = _p._partials + (long long)_tile * _splits * _size + _lane * _width;
    if (_row == 0)
#pragma unroll
      for (int _k = 0; _k < _width; ++_k) _of[(long long)_s * _size + _k] = _a[_k];
    if (!_last_block(_p, _tile)) return;
    const int _each = (_splits + _lines - 1) / _lines, _from = _row * _each;
    const int _to = _from + _each < _splits ? _from + _each : _splits;
)";

// Two lines of partial results on their way.
const char* const column_gather_text =
    R"(#pragma unroll 1
    for (int _g = _from; _g < _to; _g += _ahead) {
      _type_reduce _b[_ahead][_width];
#pragma unroll
      for (int _q = 0; _q < _ahead; ++_q)
#pragma unroll
        for (int _k = 0; _k < _width; ++_k)
          _b[_q][_k] = _of[(long long)(_g + _q < _to ? _g + _q : _g) * _size + _k];
#pragma unroll
      for (int _k = 0; _k < _width; ++_k) {
        _a[_k] = _g == _from ? _b[0][_k] : _reduce(_p, _a[_k], _b[0][_k]);
#pragma unroll
        for (int _q = 1; _q < _ahead; ++_q)
          if (_g + _q < _to) _a[_k] = _reduce(_p, _a[_k], _b[_q][_k]);
      }
    }
)";

// One, of structs, which take many registers.
const char* const gather_structs_text =
    R"(#pragma unroll 1
    for (int _g = _from; _g < _to; ++_g)
#pragma unroll
      for (int _k = 0; _k < _width; ++_k) {
        const _type_reduce _b = _of[(long long)_g * _size + _k];
        _a[_k] = _g == _from ? _b : _reduce(_p, _a[_k], _b);
      }
)";

const char* const end_text =
    R"(    _active = (_splits + _each - 1) / _each;
  }
  if (_row == 0 && _inside) _finish_columns(_p, _outer, _c, _a);
}
)";

}  // namespace

void CudaReduction::write_columns() {
  declare_column_take();
  declare_line();
  out_ += column_fold_text;
  out_ += column_join_text;
  declare_finish();
  open_kernel();
  find_columns();
  if (p_.traits.ordered)
    out_ +=
        "  const _index _each = (_end - _first + _lines - 1) / _lines;\n"
        "  const _index _begin = _first + _row * _each;\n"
        "  if (_inside) _fold(_p, _base, _begin, "
        "_begin + _each < _end ? _begin + _each : _end, 1, _a);\n"
        "  int _active = (int)((_end - _first + _each - 1) / _each);\n";
  else
    out_ +=
        "  if (_inside) _fold(_p, _base, _first + _row, _end, _lines, _a);\n"
        "  int _active = _end - _first < _lines ? (int)(_end - _first) : _lines;\n";
  out_ += column_share_text;
  out_ += p_.traits.is_struct ? gather_structs_text : column_gather_text;
  out_ += end_text;
}

// _a takes in what the first _n of _u lines have.
void CudaReduction::declare_column_take() {
  out_ +=
      "template <int _w, int _u>\n"
      "static __device__ __forceinline__ void _take(const _params& _p, const _at (&_r)[_u], "
      "int _n, _type_reduce (&_a)[_w], bool _any) {\n" +
      loads() +
      "#pragma unroll\n  for (int _k = 0; _k < _w; ++_k) {\n"
      "    enum { _q = 0 };\n    _type_reduce _m = " +
      map("_k") +
      ";\n#pragma unroll\n    for (int _q = 1; _q < _u; ++_q)\n"
      "      if (_q < _n) _m = _reduce(_p, _m, " +
      map("_k") + ");\n    _a[_k] = _any ? _reduce(_p, _a[_k], _m) : _m;\n  }\n}\n";
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
  add("  const bool _inside = _c < (_result){};\n  _at _base;\n",
      divisor_number(p_, text("extent{}", inner()), false));
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::input))
      add("  _base._p{0} = _p._p{0} + (long long)_c * _p._s{0}_{1};\n", k, inner());
  for (auto [letter, used] : element_numbers(p_))
    if (used)
      add("  _base._{0} = _p._{0}_start + (long long)_c * _p._{0}_stride{1};\n", letter, inner());
    else
      add("  _base._{} = 0;\n", letter);
  if (p_.kept == 1) return;
  out_ += "  { _result _rest = _outer;\n";
  out_ += take_indices(p_, "_rest", 0, p_.kept - 2,
                       [&](int axis) { return step_inputs(p_, operands_, "_base", "_x", axis); });
  out_ += "  }\n";
}

void CudaReduction::declare_finish() {
  out_ +=
      "static __device__ __forceinline__ void _finish_columns(const _params& _p, _result _outer, "
      "_result _c, _type_reduce (&_a)[_width]) {\n";
  bool packs = false;
  for (int k = 0; k < p_.operands; ++k) packs |= is(k, Role::output) && p_.how(k) == Access::vector;
  if (p_.stage == Stage::whole && p_.pack > 1 && packs) return finish_pack();
  add("  const _result _o = _outer * {} + _c;\n"
      "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k) _finish(_p, _o + _k, _a[_k]);\n}}\n",
      divisor_number(p_, text("extent{}", inner()), false));
}

// A whole pack of results is stored at once.
void CudaReduction::finish_pack() {
  bool counts = p_.traits.uses_result;
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::output))
      add("  {0}* _y{1} = _p._p{1} + (long long)_c * _p._s{1}_{2};\n", type(k), k, inner());
  if (counts) add("  long long _i = _p._o_start + (long long)_c * _p._o_stride{};\n", inner());
  out_ += take_indices(p_, "_outer", 0, p_.kept - 2,
                       [&](int axis) { return step_outputs(p_, operands_, axis); });
  auto each = [&](const char* vector, const char* general) {
    for (int k = 0; k < p_.operands; ++k)
      if (is(k, Role::output))
        out_ +=
            text(fmt::runtime(p_.how(k) == Access::vector ? vector : general), type(k), k, inner());
  };
  each("  _pack<{0}, _width> _w{1} = *(const _pack<{0}, _width>*)_y{1};\n",
       "  _pack<{0}, _width> _w{1};\n#pragma unroll\n  for (int _k = 0; _k < _width; ++_k) "
       "_w{1}._v[_k] = _y{1}[_k * _p._s{1}_{2}];\n");
  out_ += "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k)\n    _post(_p, ";
  out_ += pieces_.identity ? "_reduce(_p, _identity(_p), _a[_k])" : "_a[_k]";
  for (int k = 0; k < p_.operands; ++k)
    if (is(k, Role::output)) add(", _w{}._v[_k]", k);
  out_ += counts ? text(", _i + _k * _p._o_stride{});\n", inner()) : ", 0);\n";
  each("  *(_pack<{0}, _width>*)_y{1} = _w{1};\n",
       "#pragma unroll\n  for (int _k = 0; _k < _width; ++_k) "
       "_y{1}[_k * _p._s{1}_{2}] = _w{1}._v[_k];\n");
  out_ += "}\n";
}

}  // namespace gpuarr
