// The inner product of two numbers: complex ones are vectors of two. Expects R, the parts' type.

template <class X>
static inline R inner(const X& x, const X& y) {
  if constexpr (sizeof(X) == sizeof(R))
    return x * y;
  else
    return x.re * y.re + x.im * y.im;
}
