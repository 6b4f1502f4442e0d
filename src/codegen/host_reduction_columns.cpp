// Columns on the CPU: a task folds some lines of a tile of results, each line along the inner kept
// axis.
#include "codegen/host_reduction.hpp"
#include "codegen/host_reduction_cut.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Four lines for each pass over the tile's partial results. Records go one by one: to compare with
// the best so far is easier to foresee than to compare two elements.
constexpr const char* fold_text =
    R"(_inlined void _fold(const _params& _p, const _at& _begin, long long _line, long long _last,
                    long long _width, _type_reduce* _l) {
  _at _r = _start(_p, _begin, _line);
  for (long long _c = 0; _c < _width; ++_c) _l[_c] = _along(_p, _r, _c);
  for (++_line; _line < _last;) {
    const long long _stop = _end_of_run(_p, _line, _last);
    _r = _start(_p, _begin, _line);
    for (; _plain<_type_reduce>::value && _line + 4 <= _stop; _line += 4) {
      const _at _r1 = _after(_p, _r, 1), _r2 = _after(_p, _r, 2), _r3 = _after(_p, _r, 3);
      for (long long _c = 0; _c < _width; ++_c)
        _l[_c] = _reduce(
            _p, _l[_c],
            _reduce(_p, _reduce(_p, _along(_p, _r, _c), _along(_p, _r1, _c)),
                    _reduce(_p, _along(_p, _r2, _c), _along(_p, _r3, _c))));
      _r = _after(_p, _r, 4);
    }
    for (; _line < _stop; ++_line) {
      for (long long _c = 0; _c < _width; ++_c) _l[_c] = _reduce(_p, _l[_c], _along(_p, _r, _c));
      _r = _after(_p, _r, 1);
    }
  }
}
)";

constexpr const char* task_text =
    R"(_inlined void _task(const _params& _p, long long _u, long long _s) {
  const long long _across = _u % _p._inner_tiles * _p._tile;
  const long long _o = _u / _p._inner_tiles * _results(_p) + _across;
  const long long _width = _least(_results(_p) - _across, _p._tile);
  const long long _line = _s * _p._split_items;
  _type_reduce _l[_tile];
  _fold(_p, _at_result(_p, _o), _line, _least(_p._items, _line + _p._split_items), _width, _l);
  if (_p._splits == 1) {
    for (long long _c = 0; _c < _width; ++_c) _finish(_p, _o + _c, _l[_c]);
    return;
  }
  _type_reduce* const _x = _p._partials + _u * _p._splits * _p._tile;
  for (long long _c = 0; _c < _width; ++_c) _x[_s * _p._tile + _c] = _l[_c];
  if (!_leave(_p, _u)) return;
  _pairwise(_p, _x, _p._splits, _p._tile);
  for (long long _c = 0; _c < _width; ++_c) _finish(_p, _o + _c, _x[_c]);
}
)";

}  // namespace

std::string host_columns(const ReductionPlan& p) {
  std::string out = text(
      "enum {{ _tile = {} }};\n"
      "_inlined long long _results(const _params& _p) {{ return _p._extent{}; }}\n"
      "_inlined long long _end_of_run(const _params& _p, long long _line, long long _last) {{\n",
      host_tile(p), p.inner_kept());
  if (p.kept == p.inner_reduced())
    out += "  return _last;\n}\n";
  else
    out += text("  return _least((_line / _p._extent{0} + 1) * _p._extent{0}, _last);\n}}\n",
                p.inner_reduced());
  return out + fold_text + task_text;
}

}  // namespace gpuarr
