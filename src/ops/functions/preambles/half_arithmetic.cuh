// Sums, differences and products of float16. GPUs have operations for them: rounded once, they give
// what those of floats give that are rounded then, since 24 bits are enough for that. `.rn` keeps a
// product and a sum apart. Other functions get their types from elsewhere: these differ.

#ifdef __CUDACC_RTC__
typedef float16 C;
static inline C half_sum(const C x, const C y) {
  C z;
  asm("add.rn.f16 %0, %1, %2;" : "=h"(z.bits) : "h"(x.bits), "h"(y.bits));
  return z;
}
static inline C half_difference(const C x, const C y) {
  C z;
  asm("sub.rn.f16 %0, %1, %2;" : "=h"(z.bits) : "h"(x.bits), "h"(y.bits));
  return z;
}
static inline C half_product(const C x, const C y) {
  C z;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(z.bits) : "h"(x.bits), "h"(y.bits));
  return z;
}
#else
typedef float C;
static inline C half_sum(const C x, const C y) { return x + y; }
static inline C half_difference(const C x, const C y) { return x - y; }
static inline C half_product(const C x, const C y) { return x * y; }
#endif
typedef C V;
typedef unsigned U;
