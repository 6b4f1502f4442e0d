// Powers of integers, and of complex numbers: small whole ones by products. Expects U.

template <class T>
static inline T whole_power(T x, T y) {
  if (y < 0) return x == 1 ? T(1) : x == T(-1) ? (y & 1 ? T(-1) : T(1)) : T(0);
  U result = 1, base = U(x);
  for (U rest = U(y); rest != 0; rest >>= 1) {
    if (rest & 1) result *= base;
    base *= base;
  }
  return T(result);
}
template <class T>
static inline T complex_power(const T& x, const T& y) {
  if (y.im == 0 && y.re >= -64 && y.re <= 64 && y.re == rint(y.re)) return pow(x, int(y.re));
  return pow(x, y);
}
