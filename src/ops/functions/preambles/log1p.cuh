// log(1 + x) of a complex number. Near 0 of |1 + x|^2 - 1, which does not lose the small parts.
// Expects V.

template <class T>
static inline T complex_log1p(const T& x) {
  const V angle = atan2(x.im, 1 + x.re);
  if (fabs(x.re) < V(0.5) && fabs(x.im) < V(0.5))
    return {log1p(x.re * (2 + x.re) + x.im * x.im) / 2, angle};
  return {log(T(1 + x.re, x.im)).re, angle};
}
