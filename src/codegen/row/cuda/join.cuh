// What the threads that share a row have of a pass, joined, so that all of them get it. Stands
// behind reduction/cuda/join.cuh.
namespace gpuarr_kernel {

// What the first of so many neighbouring lanes has.
template <int lanes, class T>
static __device__ __forceinline__ T of_first_lane(const T& own) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &own, sizeof(T));
#pragma unroll
  for (int k = 0; k < (sizeof(T) + 3) / 4; ++k) words[k] = __shfl_sync(~0u, words[k], 0, lanes);
  T first;
  memcpy((void*)&first, words, sizeof(T));
  return first;
}

// The first of so many neighbouring lanes gets it. Which is the left one counts for bits: of -0 and
// +0 an operator may take the first.
template <class Pass, int lanes, class P>
static __device__ __forceinline__ void join_neighbours(const P& p, typename Pass::_partial& sum) {
#pragma unroll
  for (int distance = 1; distance < lanes; distance *= 2)
    sum = Pass::_reduce(p, sum, gpuarr_kernel::of_lane_above(sum, distance));
}

// Warps meet in one of two places by turns: when a block comes back to one, a barrier has been
// between.
template <class Pass, class P>
static __device__ __forceinline__ typename Pass::_partial join_row(const P& p,
                                                                   typename Pass::_partial sum,
                                                                   unsigned turn) {
  typedef typename Pass::_partial Partial;
  if constexpr (P::_lanes <= 32) {
    gpuarr_kernel::join_neighbours<Pass, P::_lanes>(p, sum);
    return P::_lanes == 1 ? sum : gpuarr_kernel::of_first_lane<P::_lanes>(sum);
  } else {
    enum { warps = P::_lanes / 32, bytes = warps * sizeof(Partial) };
    __shared__ alignas(Partial) alignas(16) unsigned char memory[P::_turns][bytes];
    Partial* const of_warp = (Partial*)memory[turn];
    gpuarr_kernel::join_neighbours<Pass, 32>(p, sum);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = of_warp[threadIdx.x % warps];
    gpuarr_kernel::join_neighbours<Pass, warps>(p, sum);
    return gpuarr_kernel::of_first_lane<32>(sum);
  }
}

}  // namespace gpuarr_kernel
