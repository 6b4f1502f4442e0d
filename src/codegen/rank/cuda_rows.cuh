// Rows that a block takes each.

// A block takes a row, reads it for two digits, again for what is not in its memory by then, and
// once more for what is wanted of it.
enum { rank_near = 16384 / sizeof(sort_bits) };
struct rank_block {
  unsigned bins[rank_targets * rank_bins];
  sort_bits near[rank_near];
  rank_memory memory;
  rank_sums sums[rank_threads / 32];
  unsigned cursor, nans;
};
static inline void count_row(const _params& p, const sort_bits* from, const rank_row& s, int pass,
                             bool keeps, rank_block& block) {
  enum { items = 8 };
  const rank_digit digit(sort_width - pass * rank_bits);
  const rank_range range(s.key, digit);
  const bool near = s.kept > 0;
  const rank_long n = near ? (rank_long)s.kept - 1 : p.n;
  for (rank_long tile = 0; tile < n; tile += items * rank_threads) {
    sort_bits keys[items];
    const int left = n - tile < items * rank_threads ? (int)(n - tile) : items * rank_threads;
    const sort_bits* const at = (near ? block.near : from) + tile + threadIdx.x;
#pragma unroll
    for (int k = 0; k < items; ++k)
      keys[k] = (int)threadIdx.x + k * rank_threads < left ? at[k * rank_threads] : (sort_bits)0;
    if (!near)
#pragma unroll
      for (int k = 0; k < items; ++k) keys[k] = key_of(keys[k]);
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if ((int)threadIdx.x + k * rank_threads >= left) continue;
      const sort_bits key = keys[k];
      const int target = range.target_of(key);
      if (target < 0) continue;
      atomicAdd(&block.bins[target * rank_bins + digit.of(key)], 1u);
      if (keeps) block.near[atomicAdd(&block.cursor, 1u)] = key;
      if (RANK_PAIR && pass == 0 && is_nan(key)) atomicAdd(&block.nans, 1u);
    }
  }
}
static inline void gather_row(const _params& p, const sort_bits* from, rank_long row,
                              const rank_row& s, rank_block& block) {
  enum { warps = rank_threads / 32, items = 8 };
  const int warp = threadIdx.x / 32;
  const rank_word wanted = p.keep;
  rank_sums done = {0, 0};
  for (rank_long tile = 0; tile < p.n; tile += items * rank_threads) {
    // What is behind the last that is wanted need not be read.
    if (done.below == s.below && s.below + done.equal >= wanted) break;
    const rank_warp<items> own(from, p.n, tile + warp * (items * 32), (sort_bits)s.key[0]);
    const rank_sums mine = own.sums();
    __syncthreads();
    if (threadIdx.x % 32 == 0) block.sums[warp] = mine;
    __syncthreads();
    rank_sums before = done;
    for (int w = 0; w < warps; ++w) {
      if (w < warp) before = _reduce(p, before, block.sums[w]);
      done = _reduce(p, done, block.sums[w]);
    }
    own.write(p, row, s, mine, before);
  }
}
extern "C" __global__ void __launch_bounds__(rank_threads, 2)
    rank_rows(const __grid_constant__ _params p) {
  __shared__ rank_block block;
  for (rank_long row = blockIdx.x; row < p.rows; row += gridDim.x) {
    const sort_bits* const from = p.in + row * p.n;
    rank_row s = {}, next;
    rank_word ranks[2];
    rank_long count = 0;
    for (int pass = 0; pass < rank_passes; ++pass) {
      for (int k = threadIdx.x; k < rank_targets * rank_bins; k += rank_threads) block.bins[k] = 0;
      if (threadIdx.x == 0) block.cursor = block.nans = 0;
      __syncthreads();
      const bool keeps = pass > 0 && s.kept == 0 && s.same <= rank_near;
      count_row(p, from, s, pass, keeps, block);
      __syncthreads();
      if (pass == 0) count = ranks_of(p, block.nans, ranks);
      next_digits(next, s, rank_digit(sort_width - pass * rank_bits), ranks, block.bins,
                  block.memory);
      s = next;
      if (keeps) s.kept = block.cursor + 1;
      ranks[0] = s.left[0];
      ranks[1] = s.left[1];
      __syncthreads();
    }
#if RANK_PAIR
    if (threadIdx.x == 0) give_pair(p, row, s, count);
#else
    gather_row(p, from, row, s, block);
#endif
  }
}
