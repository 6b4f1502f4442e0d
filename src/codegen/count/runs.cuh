// Runs of equal elements: what is equal, and what is noted of an element.

#if RUNS_COMPLEX
// As NumPy has it: numbers of which a part is NaN are all one.
static inline bool is_nan(T a) { return a.re != a.re || a.im != a.im; }
static inline bool alike(T a, T b) {
  return (a.re == b.re && a.im == b.im) || (is_nan(a) && is_nan(b));
}
#else
static inline bool alike(T a, T b) { return a == b || (a != a && b != b); }
#endif

struct run_args {
  const T* x;
  const long long* index;
  long long *counts, *total;
  T* values;
  long long *first, *begin, *inverse, n, tiles;
};
static inline bool begins(const run_args& p, long long k) {
  return k == 0 || !alike(p.x[k - 1], p.x[k]);
}
static inline void note(const run_args& p, long long k, long long run, bool is_first) {
  if (is_first && p.values) p.values[run] = p.x[k];
  if (is_first && p.first) p.first[run] = p.index[k];
  if (is_first && p.begin) p.begin[run] = k;
  if (p.inverse) p.inverse[p.index[k]] = run;
}
