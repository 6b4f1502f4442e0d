// Columns of a scan on the CPU: _tasks<true>(p, first, last), and where the scanned axis is cut
// _tasks<false> before, which finds totals. Columns side by side are vectors. Stands behind
// host.cuh, and expects what it does, the functions that scan.hpp names, and the type
// Params::_place of what _row gives.

namespace gpuarr_kernel {

template <class Params>
struct strip {
  typename Params::_place place;
  long long column, width, first, end, state;
};
template <class Params>
static inline __attribute__((always_inline)) strip<Params> strip_of_task(const Params& p,
                                                                         long long t,
                                                                         long long* chunk) {
  const long long o = p._rows / p._columns, q = t / p._cut, w = t - q * p._cut;
  const long long s = q / o, u = q - s * o, column = w * p._width;
  const long long left = p._columns - column, first = s * p._chunk;
  *chunk = s;
  return {_row(p, u),
          column,
          left < p._width ? left : p._width,
          first,
          p._n - first < p._chunk ? p._n : first + p._chunk,
          s * p._rows + u * p._columns + column};
}
template <class Params, class T>
static inline __attribute__((always_inline)) void fold_columns(const Params& p,
                                                               const strip<Params>& t, T* states) {
  T a[512];
  const long long width = t.width;
#pragma GCC ivdep
  for (long long c = 0; c < width; ++c) a[c] = _get(p, t.place, t.first, t.column + c);
  for (long long e = t.first + 1; e < t.end; ++e)
#pragma GCC ivdep
    for (long long c = 0; c < width; ++c)
      a[c] = _reduce(p, a[c], _get(p, t.place, e, t.column + c));
  for (long long c = 0; c < width; ++c) states[t.state + c] = a[c];
}
template <class Params, class T>
static inline __attribute__((always_inline)) void scan_columns(const Params& p,
                                                               const strip<Params>& t, bool has,
                                                               const T* states) {
  T a[512];
  const long long width = t.width;
  long long e = t.first;
  if (has) {
    for (long long c = 0; c < width; ++c) a[c] = states[t.state + c];
  } else {
    for (long long c = 0; c < width; ++c) {
      a[c] = _get(p, t.place, e, t.column + c);
      _put(p, t.place, e, t.column + c, gpuarr_kernel::result(p, false, a[c], a[c]));
    }
    ++e;
  }
  for (; e < t.end; ++e)
#pragma GCC ivdep
    for (long long c = 0; c < width; ++c) {
      const T b = _reduce(p, a[c], _get(p, t.place, e, t.column + c));
      _put(p, t.place, e, t.column + c, gpuarr_kernel::result(p, true, a[c], b));
      a[c] = b;
    }
}

// The total of the last chunk is nobody's.
template <bool writes, class Params>
static inline __attribute__((always_inline)) void _tasks(const Params& p, const long long& first,
                                                         const long long& last) {
  typedef typename Params::_scanned T;
  T* const states = (T*)p._states;
  const long long end = last * p._group < p._tasks ? last * p._group : p._tasks;
  for (long long t = first * p._group; t < end; ++t) {
    long long s;
    const strip<Params> own = gpuarr_kernel::strip_of_task(p, t, &s);
    if constexpr (writes)
      gpuarr_kernel::scan_columns(p, own, s > 0, (const T*)states);
    else if (s + 1 < p._chunks)
      gpuarr_kernel::fold_columns(p, own, states);
  }
}

}  // namespace gpuarr_kernel
