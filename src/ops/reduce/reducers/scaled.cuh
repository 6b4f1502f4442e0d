// The largest x and the sum of exp(x - largest), as a complex number, which the CPU folds in
// vectors. Expects A.

typedef complex<A> scaled;
static inline scaled joined(const scaled& a, const scaled& b) {
  const bool first = a.re >= b.re;
  const A most = first ? a.re : b.re, least = first ? b.re : a.re;
  const A factor = most == least ? A(1) : exp(least - most);
  return {most, first ? a.im + b.im * factor : a.im * factor + b.im};
}
