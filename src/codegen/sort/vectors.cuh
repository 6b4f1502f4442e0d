// Vectors of 64 bytes on a CPU that has AVX-512: numbers W, of 64 bits if SORT_WIDE and else of 32.

// A number is a W, of 32 bits or of 64; a vector has L of them.
#if __AVX512F__
enum { L = 64 / sizeof(W), few_vectors = 16 };
typedef W V __attribute__((vector_size(64)));
typedef int V32 __attribute__((vector_size(64)));
typedef long long V64 __attribute__((vector_size(64)));

static inline V least(V a, V b) { return a < b ? a : b; }
static inline V most(V a, V b) { return a < b ? b : a; }
#if SORT_WIDE
#define SORT_LANES(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
static inline V load_some(const W* p, unsigned mask) {
  return (V)__builtin_ia32_loaddqudi512_mask((const long long*)p, (V64)(~(V){}), mask);
}
static inline void store_some(W* p, V v, unsigned mask) {
  __builtin_ia32_storedqudi512_mask((long long*)p, (V64)v, mask);
}
static inline V pressed(V v, unsigned mask) {
  return (V)__builtin_ia32_compressdi512_mask((V64)v, (V64)v, mask);
}
static inline unsigned not_below(V v, V pivot) {
  return (unsigned)__builtin_ia32_ucmpq512_mask((V64)v, (V64)pivot, 5, 0xff);
}
static inline unsigned above(V v, V pivot) {
  return (unsigned)__builtin_ia32_ucmpq512_mask((V64)v, (V64)pivot, 6, 0xff);
}
#else
#define SORT_LANES(f)                                                                            \
  f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11), f(12), f(13), f(14), \
      f(15)
static inline V load_some(const W* p, unsigned mask) {
  return (V)__builtin_ia32_loaddqusi512_mask((const int*)p, (V32)(~(V){}), mask);
}
static inline void store_some(W* p, V v, unsigned mask) {
  __builtin_ia32_storedqusi512_mask((int*)p, (V32)v, mask);
}
static inline V pressed(V v, unsigned mask) {
  return (V)__builtin_ia32_compresssi512_mask((V32)v, (V32)v, mask);
}
static inline unsigned not_below(V v, V pivot) {
  return (unsigned)__builtin_ia32_ucmpd512_mask((V32)v, (V32)pivot, 5, 0xffff);
}
static inline unsigned above(V v, V pivot) {
  return (unsigned)__builtin_ia32_ucmpd512_mask((V32)v, (V32)pivot, 6, 0xffff);
}
#endif
enum { all_lanes = (1 << L) - 1 };
static inline V load(const W* p) {
  V v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

#endif
