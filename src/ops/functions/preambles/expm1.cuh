// exp(x) - 1 of a complex number: exp(a) cos(b) - 1 = expm1(a) cos(b) - 2 sin(b / 2)^2. Expects V.

template <class T>
static inline T complex_expm1(const T& x) {
  const V half = sin(x.im / 2);
  const T power = exp(x);
  if (!isfinite(x.re) || !isfinite(x.im)) return power - 1;
  return {expm1(x.re) * cos(x.im) - 2 * half * half, power.im};
}
