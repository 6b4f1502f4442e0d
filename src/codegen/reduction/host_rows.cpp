// Rows on the CPU: a task folds some rows of one result, or a part of a row.
#include "codegen/reduction/host.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Four lanes of neighbours each, in registers whatever the type.
constexpr const char* in_order_text =
    R"(_inlined _type_reduce _fold_row(const _params& _p, const _at& _r, long long _n) {
  const long long _m = _n / 4;
  _type_reduce _a = _along(_p, _r, 0);
  long long _k = 1;
  if (_m > 1) {
    _type_reduce _b = _along(_p, _r, _m), _c = _along(_p, _r, 2 * _m), _d = _along(_p, _r, 3 * _m);
    for (; _k < _m; ++_k) {
      _a = _reduce(_p, _a, _along(_p, _r, _k));
      _b = _reduce(_p, _b, _along(_p, _r, _m + _k));
      _c = _reduce(_p, _c, _along(_p, _r, 2 * _m + _k));
      _d = _reduce(_p, _d, _along(_p, _r, 3 * _m + _k));
    }
    _a = _reduce(_p, _reduce(_p, _a, _b), _reduce(_p, _c, _d));
    _k = 4 * _m;
  }
  for (; _k < _n; ++_k) _a = _reduce(_p, _a, _along(_p, _r, _k));
  return _a;
}
_inlined _type_reduce _fold_in_order(const _params& _p, const _at& _begin, long long _row,
                                     long long _last, long long _n) {
  _type_reduce _a = _fold_row(_p, _start(_p, _begin, _row), _n);
  while (!_single && ++_row < _last)
    _a = _reduce(_p, _a, _fold_row(_p, _start(_p, _begin, _row), _n));
  return _a;
}
)";

constexpr const char* ordered_text =
    R"(_inlined _type_reduce _fold(const _params& _p, const _at& _begin, long long _row,
                            long long _last, long long _n) {
  return _fold_in_order(_p, _begin, _row, _last, _n);
}
)";

// Lanes side by side are vectors: four of them for most of a row, one for the rest, and then single
// elements. What the compiler must not make vectors of has an empty asm in it.
constexpr const char* lanes_text =
    R"(enum {
  _vector = sizeof(_type_reduce) > 4 ? 64 / sizeof(_type_reduce) : 16,
  _lanes = 4 * _vector
};
template <int _half>
_inlined void _halve(const _params& _p, _type_reduce* _l) {
  for (int _c = 0; _c < _half; ++_c) _l[_c] = _reduce(_p, _l[_c], _l[_half + _c]);
  if constexpr (_half > 1) _halve<_half / 2>(_p, _l);
}
_inlined _type_reduce _fold(const _params& _p, const _at& _begin, long long _row,
                            long long _last, long long _n) {
  if (!_plain<_type_reduce>::value) return _fold_in_order(_p, _begin, _row, _last, _n);
  _at _r = _start(_p, _begin, _row);
  _array<_lanes> _memory;
  _type_reduce* const _l = _memory._first();
  const long long _used = _least(_n, _vector);
  const long long _whole = _n >= _lanes ? _lanes : _used / _vector * _vector;
  long long _k = 0;
  for (; _k < _whole; _k += _vector)
#pragma GCC unroll 1
    for (int _c = 0; _c < _vector; ++_c) _l[_k + _c] = _along(_p, _r, _k + _c);
#pragma GCC unroll 1
  for (; _k < _used; ++_k) {
    _l[_k] = _along(_p, _r, _k);
    __asm__ volatile("");
  }
  for (;; _k = 0) {
    for (; _k + _lanes <= _n; _k += _lanes) {
      __asm__ volatile("");
      for (int _c = 0; _c < _lanes; ++_c) _l[_c] = _reduce(_p, _l[_c], _along(_p, _r, _k + _c));
    }
    for (; _k + _vector <= _n; _k += _vector) {
      __asm__ volatile("");
#pragma GCC unroll 1
      for (int _c = 0; _c < _vector; ++_c) _l[_c] = _reduce(_p, _l[_c], _along(_p, _r, _k + _c));
    }
#pragma GCC unroll 1
    for (long long _c = 0; _k + _c < _n; ++_c) {
      _l[_c] = _reduce(_p, _l[_c], _along(_p, _r, _k + _c));
      __asm__ volatile("");
    }
    if (_single || ++_row == _last) break;
    _r = _start(_p, _begin, _row);
  }
  if (_used < _vector) {
    for (long long _c = 1; _c < _used; ++_c) {
      _l[0] = _reduce(_p, _l[0], _l[_c]);
      __asm__ volatile("");
    }
    return _l[0];
  }
  if (_n >= _lanes)
    for (int _c = 0; _c < _vector; ++_c)
      _l[_c] = _reduce(_p, _reduce(_p, _l[_c], _l[_vector + _c]),
                       _reduce(_p, _l[2 * _vector + _c], _l[3 * _vector + _c]));
  _halve<_vector / 2>(_p, _l);
  return _l[0];
}
)";

constexpr const char* row_task_text =
    R"(static __attribute__((noinline)) void _task(const _params& _p, long long _u, long long _s) {
  long long _k = 0, _row = 0;
  if (_s > 0) {
    _k = _s % _p._inner_tiles * _p._split_items;
    _row = _s / _p._inner_tiles * _p._rows;
  }
  const _type_reduce _a =
      _fold(_p, _after(_p, _at_result(_p, _u), _k), _row, _least(_rows(_p), _row + _p._rows),
            _least(_inner(_p) - _k, _p._split_items));
  if (_p._splits == 1) return _finish(_p, _u, _a);
  _type_reduce* const _x = _p._partials + _u * _p._splits;
  _x[_s] = _a;
  if (_climb(_p, _u, _s, _x, 1)) _finish(_p, _u, *_x);
}
)";

}  // namespace

std::string host_rows(const ReductionPlan& p) {
  std::string out = text(
      "enum {{ _single = {} }};\n_inlined long long _inner(const _params& _p) {{ return "
      "_p._extent{}; }}\n",
      p.kept == p.inner_reduced() ? 1 : 0, p.inner_reduced());
  out += "_inlined long long _rows(const _params& _p) {\n  return 1";
  for (int axis = p.kept; axis < p.inner_reduced(); ++axis) out += text(" * _p._extent{}", axis);
  out += ";\n}\n";
  return out + in_order_text + (p.traits.ordered ? ordered_text : lanes_text) + row_task_text;
}

}  // namespace gpuarr
