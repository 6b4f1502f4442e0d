// Words of 32 bits for integers.cuh: the four of a step, and the product of one with a length.
//
// It is a word times `last` + 1, so that a length of 2^32 needs no number for itself.

typedef unsigned W;
static inline void take(W (&x)[4], const philox_words& w) {
  x[0] = w.a;
  x[1] = w.b;
  x[2] = w.c;
  x[3] = w.d;
}
static inline void product(W x, W last, W& high, W& low) {
  const unsigned long long p = (unsigned long long)x * last + x;
  high = (W)(p >> 32);
  low = (W)p;
}
