// The preamble of searchsorted.cuh: which of two elements comes first. NaNs come last; of complex
// numbers those whose imaginary part is NaN come before those whose real part is.

template <class A>
static inline bool before(const A& a, const A& b) {
  return a < b || (b != b && a == a);
}
template <class R>
static inline bool before(const complex<R>& a, const complex<R>& b) {
  const int nans_a = 2 * (a.re != a.re) + (a.im != a.im);
  const int nans_b = 2 * (b.re != b.re) + (b.im != b.im);
  if (nans_a != nans_b) return nans_a < nans_b;
  return a.re < b.re || (!(b.re < a.re) && a.im < b.im);
}
