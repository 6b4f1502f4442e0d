// The kernels of bins on the CPU.

static inline long long cut(const bin_args& p, long long block) {
  const long long more = p.n % p.blocks;
  return p.n / p.blocks * block + (more < block ? more : block);
}
extern "C" void bin_count(const bin_args* q, long long first, long long last) {
  const bin_args& p = *q;
  near_count own[near * parts];
  const long long all = p.bins <= near ? p.bins * parts : 0;
  for (long long b = 0; b < all; ++b) own[b] = 0;
  const long long end = cut(p, last);
  for (long long k = cut(p, first); k < end; ++k) count(p, own, k);
  for (long long b = 0; b < all; ++b) share(p, own, b);
}
#if BINS_WEIGHTED
extern "C" void bin_finish(const bin_args* q, long long first, long long last) {
  last = last * threads < q->bins ? last * threads : q->bins;
  for (long long bin = first * threads; bin < last; ++bin) q->sums[bin] = sum_of(*q, bin);
}
#endif
