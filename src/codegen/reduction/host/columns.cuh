// Columns of a reduction on the CPU: a task folds some lines of a tile of results, each line along
// the inner kept axis, which has _columns(p) results. The line's run, on which the next line is one
// step further along the inner reduced axis, goes to _end_of_run(p, line, last).
namespace gpuarr_kernel {

// Two lines for each pass over the tile's partial results. Records go one by one: how the best so
// far compares is easier to foresee than how two elements do. Both loops stand in one, or the
// compiler would join passes, which takes it longer than the kernel runs.
template <class P, class Tile>
static __forceinline__ void fold_lines(const P& p, const Place<P>& begin, long long line,
                                       long long last, long long width, Tile& sums) {
  Place<P> place = _start(p, begin, line);
  long long stop = _end_of_run(p, line, last);
#pragma GCC unroll 1
  for (long long c = 0; c < width; ++c) sums.put(c, _along(p, place, c));
  for (long long step = 1; (line += step) < last;) {
    place = _after(p, place, step);
    if (!P::_single && line == stop) {
      place = _start(p, begin, line);
      stop = _end_of_run(p, line, last);
    }
    if (Plain<Partial<P>>::value && line + 1 < stop) {
      const Place<P> next = _after(p, place, 1);
#pragma GCC unroll 1
      for (long long c = 0; c < width; ++c)
        sums.put(c, _reduce(p, sums.get(c), _reduce(p, _along(p, place, c), _along(p, next, c))));
      step = 2;
    } else {
#pragma GCC unroll 1
      for (long long c = 0; c < width; ++c)
        sums.put(c, _reduce(p, sums.get(c), _along(p, place, c)));
      step = 1;
    }
  }
}

template <class P>
static __attribute__((noinline)) void _column_task(const P& p, long long unit, long long split) {
  const long long across = unit % p._inner_tiles * p._tile;
  const long long outer = unit / p._inner_tiles, result = outer * _columns(p) + across;
  const long long width = gpuarr_kernel::least(_columns(p) - across, p._tile);
  const long long line = split * p._split_items;
  Lanes<Partial<P>, P::_most_tile> sums;
  gpuarr_kernel::fold_lines(p, _at_result(p, result), line,
                            gpuarr_kernel::least(p._items, line + p._split_items), width, sums);
  if (p._splits > 1) {
    Partial<P>* const parts = p._partials + unit * p._splits * p._tile;
    for (long long c = 0; c < width; ++c) parts[split * width + c] = sums.get(c);
    if (!gpuarr_kernel::climb(p, unit, split, parts, width)) return;
    for (long long c = 0; c < width; ++c) sums.put(c, parts[c]);
  }
  for (long long c = 0; c < width; ++c)
    if constexpr (P::_is_whole)
      _finish_at(p, outer, across + c, sums.get(c));
    else
      _finish(p, result + c, sums.get(c));
}

}  // namespace gpuarr_kernel
