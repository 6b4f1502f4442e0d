// Elements in bins: which bin one belongs to, and what is added there.

struct bin_args {
  const T* x;
  const double* edges;
  const double* weights;
  uint64* counts;
  const double* most;
  double* sums;
  long long n, bins, blocks;
};

#if BINS_EVEN
// The quotient may be rounded over an edge; the edges decide. The last one belongs to its bin.
static inline long long bin_of(const bin_args& p, T element) {
  const double x = (double)element, low = p.edges[0], high = p.edges[p.bins];
  if (!(x >= low && x <= high)) return -1;
  long long k = (long long)((x - low) * (p.bins / (high - low)));
  if (!(k < p.bins)) k = p.bins - 1;
  if (x < p.edges[k]) return k - 1;
  return k + 1 < p.bins && x >= p.edges[k + 1] ? k + 1 : k;
}
#elif BINS_EDGES
static inline long long bin_of(const bin_args& p, T element) {
  const double x = (double)element;
  if (!(x >= p.edges[0] && x <= p.edges[p.bins])) return -1;
  long long low = 0, high = p.bins;
  while (high - low > 1) {
    const long long middle = low + (high - low) / 2;
    if (x >= p.edges[middle])
      low = middle;
    else
      high = middle;
  }
  return low;
}
#else
static inline long long bin_of(const bin_args&, T element) { return (long long)element; }
#endif

#ifdef __CUDACC_RTC__
struct block_place {
  inline void add(unsigned* p, unsigned v) const { atomicAdd(p, v); }
  inline void add(uint64* p, uint64 v) const { atomicAdd((unsigned long long*)p, v); }
  inline void mark(uint64* p, uint64 v) const { atomicOr((unsigned long long*)p, v); }
};
typedef block_place common_place;
#else
struct block_place {
  inline void add(uint64* p, uint64 v) const { *p += v; }
  inline void mark(uint64* p, uint64 v) const { *p |= v; }
};
struct common_place {
  inline void add(uint64* p, uint64 v) const { __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
  inline void mark(uint64* p, uint64 v) const { __atomic_fetch_or(p, v, __ATOMIC_RELAXED); }
};
#endif

#if BINS_WEIGHTED
// Sums of weights as two whole numbers, whose order does not matter: README.md.
typedef uint64 near_count;
enum { near = 1024, parts = 3 };
static inline double times_power(double x, int e) {
  const int half = e / 2;
  const double a = __builtin_bit_cast(double, (uint64)(1023 + half) << 52);
  const double b = __builtin_bit_cast(double, (uint64)(1023 + e - half) << 52);
  return x * a * b;
}
struct weight_scale {
  int exponent, bits;  // weights are below 2^exponent; a number's bits
};
static inline weight_scale scale_of(const bin_args& p) {
  const int exponent = (int)(__builtin_bit_cast(uint64, *p.most) >> 52) - 1022;
  int bits = 62;
  for (long long n = p.n; n > 0; n >>= 1) --bits;
  return {exponent < -900 ? -900 : exponent, bits};
}
template <class Place>
static inline void add(const bin_args& p, Place place, uint64* counts, long long bin, long long k) {
  const weight_scale scale = scale_of(p);
  const double w = p.weights[k];
  if (w - w != 0) return place.mark(&counts[3 * bin + 2], w != w ? 4 : w < 0 ? 2 : 1);
  const long long high = (long long)times_power(w, scale.bits - scale.exponent);
  const double rest = w - times_power((double)high, scale.exponent - scale.bits);
  const long long low = (long long)times_power(rest, 2 * scale.bits - scale.exponent);
  place.add(&counts[3 * bin], (uint64)high);
  place.add(&counts[3 * bin + 1], (uint64)low);
}
static inline double sum_of(const bin_args& p, long long bin) {
  const uint64* counts = p.counts + 3 * bin;
  if (counts[2] != 0) return counts[2] == 1 ? INFINITY : counts[2] == 2 ? -INFINITY : NAN;
  const weight_scale scale = scale_of(p);
  return times_power((double)(long long)counts[0], scale.exponent - scale.bits) +
         times_power((double)(long long)counts[1], scale.exponent - 2 * scale.bits);
}
#else
// `place` is where a block counts for itself, or for all.
#ifdef __CUDACC_RTC__
typedef unsigned near_count;
#else
typedef uint64 near_count;
#endif
enum { near = 4096, parts = 1 };
template <class Place, class Count>
static inline void add(const bin_args&, Place place, Count* counts, long long bin, long long) {
  place.add(&counts[bin], (Count)1);
}
#endif

// What a block has of its own becomes everybody's; marks are the third of three parts.
static inline void share(const bin_args& p, const near_count* own, long long b) {
  if (own[b] == 0) return;
  if (parts == 3 && b % 3 == 2)
    common_place().mark(&p.counts[b], own[b]);
  else
    common_place().add(&p.counts[b], (uint64)own[b]);
}
static inline void count(const bin_args& p, near_count* own, long long k) {
  const long long bin = bin_of(p, p.x[k]);
  if (bin < 0) return;
  if (p.bins <= near)
    add(p, block_place(), own, bin, k);
  else
    add(p, common_place(), p.counts, bin, k);
}
