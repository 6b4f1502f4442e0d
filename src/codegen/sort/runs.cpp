// Runs of equal elements in order: how many there are, and where they begin.
#include "codegen/sort/runs.hpp"

#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* run_args_text = R"(
struct run_args {
  const T* x;
  const long long* index;
  long long *counts, *total;
  T* values;
  long long *first, *begin, *inverse, n, tiles;
};
static inline bool begins(const run_args& p, long long k) {
  return k == 0 || !alike(p.x[k - 1], p.x[k]);
}
static inline void note(const run_args& p, long long k, long long run, bool is_first) {
  if (is_first && p.values) p.values[run] = p.x[k];
  if (is_first && p.first) p.first[run] = p.index[k];
  if (is_first && p.begin) p.begin[run] = k;
  if (p.inverse) p.inverse[p.index[k]] = run;
}
)";

constexpr const char* run_real_text = R"(
static inline bool alike(T a, T b) { return a == b || (a != a && b != b); }
)";

// As NumPy has it: numbers of which a part is NaN are all one.
constexpr const char* run_complex_text = R"(
static inline bool is_nan(T a) { return a.re != a.re || a.im != a.im; }
static inline bool alike(T a, T b) {
  return (a.re == b.re && a.im == b.im) || (is_nan(a) && is_nan(b));
}
)";

constexpr const char* run_host_text = R"(
extern "C" void run_count(const run_args* q, long long first, long long last) {
  for (long long t = first; t < last; ++t) {
    const long long end = (t + 1) * tile < q->n ? (t + 1) * tile : q->n;
    long long count = 0;
    for (long long k = t * tile; k < end; ++k) count += begins(*q, k);
    q->counts[t] = count;
  }
}
extern "C" void run_sum(const run_args* q, long long, long long) {
  long long sum = 0;
  for (long long t = 0; t < q->tiles; ++t) {
    const long long count = q->counts[t];
    q->counts[t] = sum;
    sum += count;
  }
  *q->total = sum;
}
extern "C" void run_write(const run_args* q, long long first, long long last) {
  for (long long t = first; t < last; ++t) {
    const long long end = (t + 1) * tile < q->n ? (t + 1) * tile : q->n;
    long long run = q->counts[t] - 1;
    for (long long k = t * tile; k < end; ++k) {
      const bool is_first = begins(*q, k);
      run += is_first;
      note(*q, k, run, is_first);
    }
  }
}
)";

// A warp has neighbours at hand; each of its rounds is 32 of them.
constexpr const char* run_cuda_text = R"(
enum { warps = threads / 32, rounds = tile / threads };
// Elements of a warp lie side by side.
static inline long long place(int round) {
  return blockIdx.x * (long long)tile + (threadIdx.x >> 5) * (tile / warps) + round * 32 +
         (threadIdx.x & 31);
}
extern "C" __global__ void __launch_bounds__(threads)
run_count(const __grid_constant__ run_args p) {
  __shared__ int sums[warps];
  int count = 0;
  for (int r = 0; r < rounds; ++r) {
    const long long k = place(r);
    count += __popc(__ballot_sync(~0u, k < p.n && begins(p, k)));
  }
  if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  count = 0;
  for (int w = 0; w < warps; ++w) count += sums[w];
  p.counts[blockIdx.x] = count;
}
extern "C" __global__ void __launch_bounds__(threads)
run_sum(const __grid_constant__ run_args p) {
  __shared__ long long sums[threads];
  const long long each = (p.tiles + threads - 1) / threads, begin = threadIdx.x * each;
  const long long end = begin + each < p.tiles ? begin + each : p.tiles;
  long long sum = 0;
  for (long long t = begin; t < end; ++t) sum += p.counts[t];
  sums[threadIdx.x] = sum;
  __syncthreads();
  long long before = 0;
  for (int t = 0; t < threads; ++t) {
    if (t == threadIdx.x) sum = before;
    before += sums[t];
  }
  if (threadIdx.x == 0) *p.total = before;
  for (long long t = begin; t < end; ++t) {
    const long long count = p.counts[t];
    p.counts[t] = sum;
    sum += count;
  }
}
extern "C" __global__ void __launch_bounds__(threads)
run_write(const __grid_constant__ run_args p) {
  __shared__ int sums[warps];
  unsigned starts[rounds];
  int count = 0;
  for (int r = 0; r < rounds; ++r) {
    const long long k = place(r);
    starts[r] = __ballot_sync(~0u, k < p.n && begins(p, k));
    count += __popc(starts[r]);
  }
  if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = count;
  __syncthreads();
  long long run = p.counts[blockIdx.x] - 1;
  for (int w = 0; w < (int)(threadIdx.x >> 5); ++w) run += sums[w];
  for (int r = 0; r < rounds; ++r) {
    const long long k = place(r);
    const unsigned own = 1u << (threadIdx.x & 31), upto = own | (own - 1);
    if (k < p.n) note(p, k, run + __popc(starts[r] & upto), starts[r] & own);
    run += __popc(starts[r]);
  }
}
)";

}  // namespace

std::string run_text(Target target, DType dtype) {
  const DType dtypes[] = {dtype};
  const bool complex = row(dtype).kind == DTypeKind::complex;
  std::string out = prelude_text(target, needs_of(dtypes, {}));
  out += text("#line 1 \"unique\"\ntypedef {} T;\n", row(dtype).cxx);
  out += text("enum {{ tile = {}, threads = {} }};\n", run_tile, run_threads);
  out += complex ? run_complex_text : run_real_text;
  return out + run_args_text + (target == Target::host ? run_host_text : run_cuda_text);
}

}  // namespace gpuarr
