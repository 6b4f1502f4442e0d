// The third power of a float. Of float64 with what the products lose, so that it is no worse than
// the power function; a 0 of it has no sign.

template <class T>
static inline T cubed(T x) {
  if constexpr (sizeof(T) == 4) {
    return T(double(x) * x * x);
  } else {
    const T square = x * x, cube = square * x;
    const T exact = cube + (fma(square, x, -cube) + fma(x, x, -square) * x);
    return exact == exact && exact != 0 ? exact : cube;
  }
}
