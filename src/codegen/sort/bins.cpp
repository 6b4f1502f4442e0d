// Elements counted in bins.
#include "codegen/sort/bins.hpp"

#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* bin_args_text = R"(
struct bin_args {
  const T* x;
  const double* edges;
  const double* weights;
  uint64* counts;
  const double* most;
  double* sums;
  long long n, bins, blocks;
};
)";

// The quotient may be rounded over an edge; the edges decide. The last one belongs to its bin.
constexpr const char* bin_even_text = R"(
static inline long long bin_of(const bin_args& p, T element) {
  const double x = (double)element, low = p.edges[0], high = p.edges[p.bins];
  if (!(x >= low && x <= high)) return -1;
  long long k = (long long)((x - low) * (p.bins / (high - low)));
  if (!(k < p.bins)) k = p.bins - 1;
  if (x < p.edges[k]) return k - 1;
  return k + 1 < p.bins && x >= p.edges[k + 1] ? k + 1 : k;
}
)";

constexpr const char* bin_edges_text = R"(
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
)";

constexpr const char* bin_self_text = R"(
static inline long long bin_of(const bin_args& p, T element) { return (long long)element; }
)";

// `place` is where a block counts for itself, or for all.
constexpr const char* bin_plain_text = R"(
typedef NEAR near_count;
enum { near = 4096, parts = 1 };
template <class Place, class Count>
static inline void add(const bin_args& p, Place place, Count* counts, long long bin, long long k) {
  place.add(&counts[bin], (Count)1);
}
)";

// Sums of weights as two whole numbers, whose order does not matter: counting.md.
constexpr const char* bin_weighted_text = R"(
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
static inline void add(const bin_args& p, Place place, uint64* counts, long long bin,
                       long long k) {
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
)";

constexpr const char* bin_cuda_places_text = R"(
struct block_place {
  inline void add(unsigned* p, unsigned v) const { atomicAdd(p, v); }
  inline void add(uint64* p, uint64 v) const { atomicAdd((unsigned long long*)p, v); }
  inline void mark(uint64* p, uint64 v) const { atomicOr((unsigned long long*)p, v); }
};
typedef block_place common_place;
)";
constexpr const char* bin_host_places_text = R"(
struct block_place {
  inline void add(uint64* p, uint64 v) const { *p += v; }
  inline void mark(uint64* p, uint64 v) const { *p |= v; }
};
struct common_place {
  inline void add(uint64* p, uint64 v) const { __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
  inline void mark(uint64* p, uint64 v) const { __atomic_fetch_or(p, v, __ATOMIC_RELAXED); }
};
)";

// What a block has of its own becomes everybody's; marks are the third of three parts.
constexpr const char* bin_share_text = R"(
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
)";

constexpr const char* bin_cuda_text = R"(
extern "C" __global__ void __launch_bounds__(threads)
bin_count(const __grid_constant__ bin_args p) {
  __shared__ near_count own[near * parts];
  const long long all = p.bins <= near ? p.bins * parts : 0;
  for (long long b = threadIdx.x; b < all; b += threads) own[b] = 0;
  __syncthreads();
  const long long step = (long long)gridDim.x * threads;
  for (long long k = blockIdx.x * (long long)threads + threadIdx.x; k < p.n; k += step)
    count(p, own, k);
  __syncthreads();
  for (long long b = threadIdx.x; b < all; b += threads) share(p, own, b);
}
)";
constexpr const char* bin_cuda_finish_text = R"(
extern "C" __global__ void __launch_bounds__(threads)
bin_finish(const __grid_constant__ bin_args p) {
  const long long bin = blockIdx.x * (long long)threads + threadIdx.x;
  if (bin < p.bins) p.sums[bin] = sum_of(p, bin);
}
)";

constexpr const char* bin_host_text = R"(
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
)";
constexpr const char* bin_host_finish_text = R"(
extern "C" void bin_finish(const bin_args* q, long long first, long long last) {
  last = last * threads < q->bins ? last * threads : q->bins;
  for (long long bin = first * threads; bin < last; ++bin) q->sums[bin] = sum_of(*q, bin);
}
)";

}  // namespace

std::string bin_text(Target target, DType dtype, Bins bins, bool weighted) {
  const DType dtypes[] = {dtype};
  const bool host = target == Target::host;
  std::string out = prelude_text(target, needs_of(dtypes, {}));
  out += text("#line 1 \"bins\"\ntypedef {} T;\n#define NEAR {}\nenum {{ threads = {} }};\n",
              row(dtype).cxx, host ? "uint64" : "unsigned", bin_threads);
  out += bin_args_text;
  out += bins == Bins::even ? bin_even_text : bins == Bins::edges ? bin_edges_text : bin_self_text;
  out += host ? bin_host_places_text : bin_cuda_places_text;
  out += weighted ? bin_weighted_text : bin_plain_text;
  out += bin_share_text;
  out += host ? bin_host_text : bin_cuda_text;
  if (weighted) out += host ? bin_host_finish_text : bin_cuda_finish_text;
  return out;
}

}  // namespace gpuarr
