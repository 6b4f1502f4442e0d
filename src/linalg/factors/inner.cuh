// The square of a number's size. Expects R, the type of the parts of X, or X itself.

template <class X>
static inline R inner(const X& x) {
  if constexpr (sizeof(X) == sizeof(R))
    return x * x;
  else
    return x.re * x.re + x.im * x.im;
}
