// Elements chosen by a mask, on the CPU: chunks are counted, the counts summed up, and then each
// chunk writes.

enum { aside = 256 };
static inline int in_chunk(const _params& p, long long begin) {
  const long long left = p.n - begin;
  return left < chunk ? (int)left : chunk;
}
extern "C" void select_totals(const _params* q, long long first, long long last) {
  const _params& p = *q;
  for (long long t = first; t < last; ++t) {
    const long long begin = t * chunk;
    const int m = in_chunk(p, begin);
    unsigned count = 0;
    for (int k = 0; k < m; ++k) count += counts(p.mask[begin + k]);
    ((long long*)p._states)[t] = count;
  }
}
extern "C" void select_prefix(const _params* q, long long, long long) {
  const _params& p = *q;
  long long* const states = (long long*)p._states;
  long long sum = 0;
  for (long long t = 0; t < p._chunks; ++t) {
    const long long count = states[t];
    states[t] = sum;
    sum += count;
  }
  if (p.count) *p.count = sum;
}
extern "C" void select_kernel(const _params* q, long long first, long long last) {
  const _params& p = *q;
  for (long long t = first; t < last; ++t) {
    const long long begin = t * chunk;
    const int m = in_chunk(p, begin);
    long long rank = ((const long long*)p._states)[t];
#if SELECT_SPREADS
    rank %= p.room;
    for (int k = 0; k < m; ++k)
      if (counts(p.mask[begin + k])) {
        p.to[begin + k] = p.from[rank];
        if (++rank == p.room) rank = 0;
      }
#else
    // Without a branch, which a mask's pattern would make cost; into memory aside, since one more
    // than is chosen is written.
    for (int k = 0; k < m;) {
      element some[aside + 1];
      int to = 0;
      const int end = m - k < aside ? m : k + aside;
      for (; k < end; ++k) {
#if SELECT_GATHERS
        some[to] = p.from[begin + k];
#else
        some[to] = begin + k;
#endif
        to += counts(p.mask[begin + k]);
      }
      const long long fits = p.room - rank < to ? p.room - rank : to;
      if (fits > 0) __builtin_memcpy(p.to + rank, some, fits * sizeof(element));
      rank += to;
    }
#endif
  }
}
