// The preamble of searchsorted.cuh where the largest elements come first: which of two comes before
// the other. NaNs come last there too.

template <class A>
static inline bool before(const A& a, const A& b) {
  return b < a || (b != b && a == a);
}
template <class R>
static inline bool before(const complex<R>& a, const complex<R>& b) {
  const int nans_a = 2 * (a.re != a.re) + (a.im != a.im);
  const int nans_b = 2 * (b.re != b.re) + (b.im != b.im);
  if (nans_a != nans_b) return nans_a < nans_b;
  return b.re < a.re || (!(a.re < b.re) && b.im < a.im);
}
