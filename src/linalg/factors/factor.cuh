// A product with its power of two apart: it neither overflows nor vanishes. Expects D, the
// elements' type, and R, that of its parts.

struct factor {
  D value;
  int exponent;
};
static inline R largest(const R& x) { return fabs(x); }
static inline R scaled(const R& x, int e) { return ldexp(x, e); }
#ifdef GPUARR_COMPLEX
static inline R largest(const complex<R>& z) { return fmax(fabs(z.re), fabs(z.im)); }
static inline complex<R> scaled(const complex<R>& z, int e) {
  return complex<R>(ldexp(z.re, e), ldexp(z.im, e));
}
#endif
static inline factor normal(const D& value, int exponent) {
  const R most = largest(value);
  int e = 0;
  if (!(most > 0 && most < INFINITY)) return {value, exponent};
  frexp(most, &e);
  return {scaled(value, -e), exponent + e};
}
