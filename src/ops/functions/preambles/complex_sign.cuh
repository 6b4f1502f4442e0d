// A complex number over its size. Expects V.

template <class T>
static inline T complex_sign(const T& x) {
  const V size = abs(x);
  if (size == 0) return {V(0), V(0)};
  if (!isinf(size)) return {x.re / size, x.im / size};
  if (isinf(x.re) && isinf(x.im)) return {V(NAN), V(NAN)};
  return {isinf(x.re) ? copysign(V(1), x.re) : V(0), isinf(x.im) ? copysign(V(1), x.im) : V(0)};
}
