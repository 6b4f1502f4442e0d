// The kernels of bins on a GPU.

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
#if BINS_WEIGHTED
extern "C" __global__ void __launch_bounds__(threads)
    bin_finish(const __grid_constant__ bin_args p) {
  const long long bin = blockIdx.x * (long long)threads + threadIdx.x;
  if (bin < p.bins) p.sums[bin] = sum_of(p, bin);
}
#endif
