// Columns on the CPU: a task folds some lines of a tile of results, each line along the inner kept
// axis.
#include "codegen/reduction/host.hpp"
#include "codegen/reduction/host_cut.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Two lines for each pass over the tile's partial results. Records go one by one: how the best so
// far compares is easier to foresee than how two elements do. Both loops stand in one, or the
// compiler would join passes, which takes it longer than the kernel runs.
constexpr const char* host_fold_text =
    R"(_inlined void _fold(const _params& _p, const _at& _begin, long long _line, long long _last,
                    long long _width, _type_reduce* _l) {
  _at _r = _start(_p, _begin, _line);
  long long _stop = _end_of_run(_p, _line, _last);
#pragma GCC unroll 1
  for (long long _c = 0; _c < _width; ++_c) _l[_c] = _along(_p, _r, _c);
  for (long long _step = 1; (_line += _step) < _last;) {
    _r = _after(_p, _r, _step);
    if (!_single && _line == _stop) {
      _r = _start(_p, _begin, _line);
      _stop = _end_of_run(_p, _line, _last);
    }
    if (_plain<_type_reduce>::value && _line + 1 < _stop) {
      const _at _r1 = _after(_p, _r, 1);
#pragma GCC unroll 1
      for (long long _c = 0; _c < _width; ++_c)
        _l[_c] = _reduce(_p, _l[_c], _reduce(_p, _along(_p, _r, _c), _along(_p, _r1, _c)));
      _step = 2;
    } else {
#pragma GCC unroll 1
      for (long long _c = 0; _c < _width; ++_c) _l[_c] = _reduce(_p, _l[_c], _along(_p, _r, _c));
      _step = 1;
    }
  }
}
)";

constexpr const char* column_task_text =
    R"(static __attribute__((noinline)) void _task(const _params& _p, long long _u, long long _s) {
  const long long _across = _u % _p._inner_tiles * _p._tile;
  const long long _q = _u / _p._inner_tiles, _o = _q * _results(_p) + _across;
  const long long _width = _least(_results(_p) - _across, _p._tile);
  const long long _line = _s * _p._split_items;
  _array<_tile> _memory;
  _type_reduce* const _l = _memory._first();
  _fold(_p, _at_result(_p, _o), _line, _least(_p._items, _line + _p._split_items), _width, _l);
  const _type_reduce* _a = _l;
  if (_p._splits > 1) {
    _type_reduce* const _x = _p._partials + _u * _p._splits * _p._tile;
    for (long long _c = 0; _c < _width; ++_c) _x[_s * _width + _c] = _l[_c];
    if (!_climb(_p, _u, _s, _x, _width)) return;
    _a = _x;
  }
  for (long long _c = 0; _c < _width; ++_c)
)";

}  // namespace

std::string host_columns(const ReductionPlan& p) {
  std::string out = text(
      "enum {{ _single = {}, _tile = {} }};\n"
      "_inlined long long _results(const _params& _p) {{ return _p._extent{}; }}\n"
      "_inlined long long _end_of_run(const _params& _p, long long _line, long long _last) {{\n",
      p.kept == p.inner_reduced() ? 1 : 0, host_tile(p), p.inner_kept());
  if (p.kept == p.inner_reduced())
    out += "  return _last;\n}\n";
  else
    out += text("  return _least((_line / _p._extent{0} + 1) * _p._extent{0}, _last);\n}}\n",
                p.inner_reduced());
  out += host_fold_text;
  out += column_task_text;
  bool whole = p.stage == Stage::whole;
  return out + (whole ? "    _finish_at(_p, _q, _across + _c, _a[_c]);\n}\n"
                      : "    _finish(_p, _o + _c, _a[_c]);\n}\n");
}

}  // namespace gpuarr
