// A float with the sign of another. 16-bit floats by their bits: of a NaN too the sign counts.

template <class T>
static inline T with_sign(T x, T y) {
  if constexpr (sizeof(T) == 2)
    x.bits = (x.bits & 0x7fff) | (y.bits & 0x8000);
  else
    x = copysign(x, y);
  return x;
}
