// What division of integers leaves, with C's %, which has the sign of x.

template <class T>
static inline T cut_remainder(T x, T y) {
  return y == 0 || (T(-1) < 0 && y == T(-1)) ? T(0) : T(x % y);
}
