// A scan as C++ for the CPU.
#include "codegen/scan/scan.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// A piece of a row is scanned as eight parts side by side, since each result waits for the one
// before it. What lies before a part is found first, by folding those before it.
constexpr const char* host_rows_text =
    R"(#define _inlined static inline __attribute__((always_inline))
#define _each_part _Pragma("GCC unroll 8") for (int _j = 0; _j < 8; ++_j)
_inlined long long _part(long long _m) {
  const long long _s = _m / 8;
  return _s < 64 ? 0 : _s > 512 && _s % 512 < 16 ? _s - 16 : _s;  // not all in one set of the cache
}
_inlined void _fold_parts(const _params& _p, const _at& _r, long long _first, long long _s,
                          _type_scan* _a) {
  _each_part _a[_j] = _get(_p, _r, _first + _j * _s, 0);
#pragma GCC unroll 1
  for (long long _k = 1; _k < _s; ++_k)
    _each_part _a[_j] = _reduce(_p, _a[_j], _get(_p, _r, _first + _j * _s + _k, 0));
}
_inlined _type_scan _total(const _params& _p, const _at& _r, long long _first, long long _m) {
  const long long _s = _part(_m);
  _type_scan _a = _get(_p, _r, _first, 0);
  long long _k = 1;
  if (_s > 0) {
    _type_scan _t[8];
    _fold_parts(_p, _r, _first, _s, _t);
    _a = _t[0];
    for (int _j = 1; _j < 8; ++_j) _a = _reduce(_p, _a, _t[_j]);
    _k = 8 * _s;
  }
  for (; _k < _m; ++_k) _a = _reduce(_p, _a, _get(_p, _r, _first + _k, 0));
  return _a;
}
_inlined _type_scan _step(const _params& _p, const _at& _r, long long _e, bool _has,
                          const _type_scan& _a) {
  const _type_scan _x = _get(_p, _r, _e, 0), _b = _has ? _reduce(_p, _a, _x) : _x;
  _put(_p, _r, _e, 0, _result(_p, _has, _a, _b));
  return _b;
}
_inlined void _scan(const _params& _p, const _at& _r, long long _first, long long _m, bool _has,
                    _type_scan _a) {
  const long long _s = _part(_m);
  if (_s > 0) {
    _type_scan _t[8], _c[8];
    _fold_parts(_p, _r, _first, _s, _t);
    _c[0] = _a;
    _c[1] = _has ? _reduce(_p, _a, _t[0]) : _t[0];
    for (int _j = 2; _j < 8; ++_j) _c[_j] = _reduce(_p, _c[_j - 1], _t[_j - 1]);
    _each_part _c[_j] = _step(_p, _r, _first + _j * _s, _j > 0 || _has, _c[_j]);
#pragma GCC unroll 1
    for (long long _k = 1; _k < _s; ++_k) {
      _type_scan _x[8];
      _each_part _x[_j] = _get(_p, _r, _first + _j * _s + _k, 0);
      _each_part {
        const _type_scan _b = _reduce(_p, _c[_j], _x[_j]);
        _put(_p, _r, _first + _j * _s + _k, 0, _result(_p, true, _c[_j], _b));
        _c[_j] = _b;
      }
    }
    _a = _c[7];
    _has = true;
  }
  for (long long _k = 8 * _s; _k < _m; ++_k) {
    _a = _step(_p, _r, _first + _k, _has, _a);
    _has = true;
  }
}
)";

// Columns side by side are vectors.
constexpr const char* host_columns_text =
    R"(#define _inlined static inline __attribute__((always_inline))
#define _each_column _Pragma("GCC ivdep") for (long long _c = 0; _c < _width; ++_c)
struct _strip {
  _at _r;
  long long _column, _width, _first, _end, _state;
};
_inlined _strip _strip_of(const _params& _p, long long _t, long long* _chunk) {
  const long long _o = _p._rows / _p._columns, _q = _t / _p._cut, _w = _t - _q * _p._cut;
  const long long _s = _q / _o, _u = _q - _s * _o, _column = _w * _p._width;
  const long long _left = _p._columns - _column, _first = _s * _p._chunk;
  *_chunk = _s;
  return {_row(_p, _u), _column, _left < _p._width ? _left : _p._width, _first,
          _p._n - _first < _p._chunk ? _p._n : _first + _p._chunk,
          _s * _p._rows + _u * _p._columns + _column};
}
_inlined void _fold_columns(const _params& _p, const _strip& _t, _type_scan* _states) {
  _type_scan _a[512];
  const long long _width = _t._width;
  _each_column _a[_c] = _get(_p, _t._r, _t._first, _t._column + _c);
  for (long long _e = _t._first + 1; _e < _t._end; ++_e)
    _each_column _a[_c] = _reduce(_p, _a[_c], _get(_p, _t._r, _e, _t._column + _c));
  for (long long _c = 0; _c < _width; ++_c) _states[_t._state + _c] = _a[_c];
}
_inlined void _scan_columns(const _params& _p, const _strip& _t, bool _has,
                            const _type_scan* _states) {
  _type_scan _a[512];
  const long long _width = _t._width;
  long long _e = _t._first;
  if (_has) {
    for (long long _c = 0; _c < _width; ++_c) _a[_c] = _states[_t._state + _c];
  } else {
    for (long long _c = 0; _c < _width; ++_c) {
      _a[_c] = _get(_p, _t._r, _e, _t._column + _c);
      _put(_p, _t._r, _e, _t._column + _c, _result(_p, false, _a[_c], _a[_c]));
    }
    ++_e;
  }
  for (; _e < _t._end; ++_e)
    _each_column {
      const _type_scan _b = _reduce(_p, _a[_c], _get(_p, _t._r, _e, _t._column + _c));
      _put(_p, _t._r, _e, _t._column + _c, _result(_p, true, _a[_c], _b));
      _a[_c] = _b;
    }
}
)";

constexpr const char* host_tasks_text =
    R"(  const _params& _p = *_pp;
  [[maybe_unused]] _type_scan* const _states = (_type_scan*)_p._states;
  const long long _end = _last * _p._group < _p._tasks ? _last * _p._group : _p._tasks;
  for (long long _t = _first * _p._group; _t < _end; ++_t) {
)";

constexpr const char* host_row_task_text =
    R"(    const long long _u = _p._chunks == 1 ? _t : _t / _p._chunks, _s = _t - _u * _p._chunks;
    const long long _begin = _s * _p._chunk, _left = _p._n - _begin;
    const long long _m = _left < _p._chunk ? _left : _p._chunk;
    const _at _r = _row(_p, _u);
    [[maybe_unused]] const long long _state = _s * _p._rows + _u;
)";

constexpr const char* host_prefix_text =
    R"(  const _params& _p = *_pp;
  _type_scan* const _states = (_type_scan*)_p._states;
  const long long _end = _last * 256 < _p._rows ? _last * 256 : _p._rows;
  for (long long _u = _first * 256; _u < _end; ++_u) {
    _type_scan _a = _states[_u];
    for (long long _s = 1; _s < _p._chunks; ++_s) {
      const _type_scan _b = _states[_s * _p._rows + _u];
      _states[_s * _p._rows + _u] = _a;
      if (_s + 1 < _p._chunks) _a = _reduce(_p, _a, _b);
    }
  }
}
)";

}  // namespace

// The total of the last chunk is nobody's.
std::string host_scan(const ScanText& pieces, const ScanPlan& plan) {
  const bool rows = plan.form == ScanForm::rows;
  auto open = [&](ScanStage stage) {
    return text(
        "extern \"C\" void {}{}(const _params* _pp, long long _first, long long _last) {{\n",
        pieces.name, suffix(stage));
  };
  std::string out = text(
      "static inline _type_scan _result(const _params& _p, bool _has, const _type_scan& _before,\n"
      "                                 const _type_scan& _after) {{\n  return {};\n}}\n",
      plan.exclusive ? "_has ? _before : _identity(_p)" : "_after");
  out += rows ? host_rows_text : host_columns_text;
  const std::string task =
      std::string(host_tasks_text) +
      (rows ? host_row_task_text
            : "    long long _s;\n    const _strip _of = _strip_of(_p, _t, &_s);\n");
  if (plan.chunked) {
    out += open(ScanStage::totals) + task + "    if (_s + 1 < _p._chunks) ";
    out += rows ? "_states[_state] = _total(_p, _r, _begin, _m);\n  }\n}\n"
                : "_fold_columns(_p, _of, _states);\n  }\n}\n";
    out += open(ScanStage::prefix) + host_prefix_text;
  }
  out += open(ScanStage::scan) + task;
  if (!rows) return out + "    _scan_columns(_p, _of, _s > 0, _states);\n  }\n}\n";
  return out + (plan.chunked ? "    _scan(_p, _r, _begin, _m, _s > 0, _s > 0 ? _states[_state] : "
                               "_type_scan());\n  }\n}\n"
                             : "    _scan(_p, _r, _begin, _m, false, _type_scan());\n  }\n}\n");
}

}  // namespace gpuarr
