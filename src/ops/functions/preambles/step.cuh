// The next float after x towards y. 16-bit floats by their bits: a step is their own.

template <class T>
static inline T step(T x, T y) {
  if constexpr (sizeof(T) == 2) {
    const float a = x, b = y;
    if (a != a || b != b) return a + b;
    if (a == b) return y;
    if (a == 0)
      x.bits = (y.bits & 0x8000) | 1;
    else
      x.bits += (a < b) == (a > 0) ? 1 : -1;
    return x;
  } else {
    return nextafter(x, y);
  }
}
