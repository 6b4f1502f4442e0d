// Rows of a scan on the CPU: _tasks<true>(p, first, last), and where they are cut _tasks<false>
// before, which finds totals. A piece of a row is scanned as eight parts side by side, since each
// result waits for the one before it. What lies before a part is found first, by folding those
// before it. Stands behind host.cuh, and expects what it does, the functions that scan.hpp names,
// and
//   Params::_place    type of what _row gives
//   Params::_chunked  whether rows are cut

namespace gpuarr_kernel {

static inline __attribute__((always_inline)) long long part_of(long long m) {
  const long long s = m / 8;
  return s < 64 ? 0 : s > 512 && s % 512 < 16 ? s - 16 : s;  // not all in one set of the cache
}
template <class Params, class T>
static inline __attribute__((always_inline)) void fold_parts(const Params& p,
                                                             const typename Params::_place& row,
                                                             long long first, long long s, T* a) {
#pragma GCC unroll 8
  for (int j = 0; j < 8; ++j) a[j] = _get(p, row, first + j * s, 0);
#pragma GCC unroll 1
  for (long long k = 1; k < s; ++k)
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) a[j] = _reduce(p, a[j], _get(p, row, first + j * s + k, 0));
}
template <class Params>
static inline __attribute__((always_inline)) typename Params::_scanned total(
    const Params& p, const typename Params::_place& row, long long first, long long m) {
  typedef typename Params::_scanned T;
  const long long s = gpuarr_kernel::part_of(m);
  T a = _get(p, row, first, 0);
  long long k = 1;
  if (s > 0) {
    T t[8];
    gpuarr_kernel::fold_parts(p, row, first, s, t);
    a = t[0];
    for (int j = 1; j < 8; ++j) a = _reduce(p, a, t[j]);
    k = 8 * s;
  }
  for (; k < m; ++k) a = _reduce(p, a, _get(p, row, first + k, 0));
  return a;
}
template <class Params, class T>
static inline __attribute__((always_inline)) T step(const Params& p,
                                                    const typename Params::_place& row,
                                                    long long at, bool has, const T& a) {
  const T x = _get(p, row, at, 0), b = has ? _reduce(p, a, x) : x;
  _put(p, row, at, 0, gpuarr_kernel::result(p, has, a, b));
  return b;
}
template <class Params, class T>
static inline __attribute__((always_inline)) void scan_row(const Params& p,
                                                           const typename Params::_place& row,
                                                           long long first, long long m, bool has,
                                                           T a) {
  const long long s = gpuarr_kernel::part_of(m);
  if (s > 0) {
    T t[8], c[8];
    gpuarr_kernel::fold_parts(p, row, first, s, t);
    c[0] = a;
    c[1] = has ? _reduce(p, a, t[0]) : t[0];
    for (int j = 2; j < 8; ++j) c[j] = _reduce(p, c[j - 1], t[j - 1]);
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j)
      c[j] = gpuarr_kernel::step(p, row, first + j * s, j > 0 || has, c[j]);
#pragma GCC unroll 1
    for (long long k = 1; k < s; ++k) {
      T x[8];
#pragma GCC unroll 8
      for (int j = 0; j < 8; ++j) x[j] = _get(p, row, first + j * s + k, 0);
#pragma GCC unroll 8
      for (int j = 0; j < 8; ++j) {
        const T b = _reduce(p, c[j], x[j]);
        _put(p, row, first + j * s + k, 0, gpuarr_kernel::result(p, true, c[j], b));
        c[j] = b;
      }
    }
    a = c[7];
    has = true;
  }
  for (long long k = 8 * s; k < m; ++k) {
    a = gpuarr_kernel::step(p, row, first + k, has, a);
    has = true;
  }
}

// A task is a chunk of a row; the total of the last chunk is nobody's.
template <bool writes, class Params>
static inline __attribute__((always_inline)) void _tasks(const Params& p, const long long& first,
                                                         const long long& last) {
  typedef typename Params::_scanned T;
  [[maybe_unused]] T* const states = (T*)p._states;
  const long long end = last * p._group < p._tasks ? last * p._group : p._tasks;
  for (long long t = first * p._group; t < end; ++t) {
    const long long u = p._chunks == 1 ? t : t / p._chunks, s = t - u * p._chunks;
    const long long begin = s * p._chunk, left = p._n - begin;
    const long long m = left < p._chunk ? left : p._chunk;
    const typename Params::_place row = _row(p, u);
    [[maybe_unused]] const long long state = s * p._rows + u;
    if constexpr (!writes) {
      if (s + 1 < p._chunks) states[state] = gpuarr_kernel::total(p, row, begin, m);
    } else if constexpr (Params::_chunked) {
      gpuarr_kernel::scan_row(p, row, begin, m, s > 0, s > 0 ? states[state] : T());
    } else {
      gpuarr_kernel::scan_row(p, row, begin, m, false, T());
    }
  }
}

}  // namespace gpuarr_kernel
