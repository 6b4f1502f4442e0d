// The kernels of runs on a GPU.

// A warp has neighbours at hand; each of its rounds is 32 of them.
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
extern "C" __global__ void __launch_bounds__(threads) run_sum(const __grid_constant__ run_args p) {
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
