// The quotient as a whole number, rounded down, and what it leaves, with the sign of y: of integers
// and floats. Expects U.

template <class T>
static inline T floored_remainder(T x, T y) {
  if constexpr (T(1) / 2 == 0) {
    if (y == 0 || (T(-1) < 0 && y == T(-1))) return 0;
    const T m = x % y;
    return m != 0 && (m < 0) != (y < 0) ? T(m + y) : m;
  } else {
    const T m = fmod(x, y);
    if (y == 0) return m;
    if (m == 0) return copysign(T(0), y);
    return (m < 0) != (y < 0) ? m + y : m;
  }
}
template <class T>
static inline T floored_quotient(T x, T y) {
  if constexpr (T(1) / 2 == 0) {
    if (y == 0) return 0;
    if (sizeof(T) > 2 && T(-1) < 0 && y == T(-1)) return T(0 - U(x));
    return T(x / y - (x % y != 0 && (x < 0) != (y < 0)));
  } else {
    if (y == 0) return x / y;
    const T m = fmod(x, y);
    T q = (x - m) / y;
    if (m != 0 && (m < 0) != (y < 0)) q -= 1;
    if (q == 0) return copysign(T(0), x / y);
    const T whole = floor(q);
    return q - whole > T(0.5) ? whole + 1 : whole;
  }
}
