// The greatest common divisor and the least common multiple of integers. Expects U.

template <class T>
static inline U size_of(T x) {
  return x < 0 ? 0 - U(x) : U(x);
}
template <class T>
static inline U common_divisor(T x, T y) {
  U a = size_of(x), b = size_of(y);
  while (b != 0) {
    const U rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
template <class T>
static inline U common_multiple(T x, T y) {
  const U divisor = common_divisor(x, y);
  return divisor == 0 ? 0 : size_of(x) / divisor * size_of(y);
}
