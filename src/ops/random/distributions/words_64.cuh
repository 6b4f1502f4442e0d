// Words of 64 bits for integers.cuh: the two of a step, and the product of one with a length.
//
// It is a word times `last` + 1, so that a length of 2^64 needs no number for itself.

typedef unsigned long long W;
static inline void take(W (&x)[2], const philox_words& w) {
  x[0] = w.a | (W)w.b << 32;
  x[1] = w.c | (W)w.d << 32;
}
static inline void product(W x, W last, W& high, W& low) {
#ifdef __CUDACC_RTC__
  const W whole = __umul64hi(x, last);
#else
  const W whole = (W)((unsigned __int128)x * last >> 64);
#endif
  low = x * last + x;
  high = whole + (low < x);
}
