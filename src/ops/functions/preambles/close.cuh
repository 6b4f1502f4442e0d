// Whether two numbers differ by as much as is allowed. Expects V.

template <class T>
static inline bool is_close(const T& x, const T& y, V rtol, V atol, bool equal_nan) {
  return (bool)((x == y) | (isfinite(y) & (abs(x - y) <= atol + rtol * abs(y))) |
                (equal_nan & (x != x) & (y != y)));
}
