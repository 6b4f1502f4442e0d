// The digits of the elements that are looked for, one pass for each.

// The targets' bins of a row are those of all its blocks together; the last block to be done finds
// the digits in them.
// Keys that have known digits are set aside, so that those of the next digits are few to read.
template <int items>
static inline void set_aside(const sort_bits (&keys)[items], unsigned chosen, sort_bits* to,
                             rank_word* cursor, unsigned* sums, rank_word* base) {
  const unsigned mine = __popc(chosen);
  if (!__syncthreads_or(mine != 0)) return;
  unsigned all;
  const unsigned before = before_in_block<rank_threads>(mine, sums, all);
  if (threadIdx.x == 0) *base = atomicAdd(cursor, (rank_word)all);
  __syncthreads();
  rank_word at = *base + before;
#pragma unroll
  for (int k = 0; k < items; ++k)
    if (chosen >> k & 1) to[at++] = keys[k];
}
// Counts a tile, of which `left` elements are left. Returns which are in a target's range.
template <bool whole, int items>
static inline unsigned count_tile(sort_bits (&keys)[items], int left, const rank_range& range,
                                  const rank_digit& digit, unsigned* bins, unsigned* nans) {
  unsigned chosen = 0;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    if (!whole && (int)threadIdx.x + k * rank_threads >= left) continue;
    if (RANK_PAIR && RANK_FLOATING) *nans += is_nan(keys[k]);
    const int target = range.target_of(keys[k]);
    if (target < 0) continue;
    atomicAdd(&bins[target * rank_bins + digit.of(keys[k])], 1u);
    chosen |= 1u << k;
  }
  return chosen;
}
extern "C" __global__ void __launch_bounds__(rank_threads, 2)
    rank_digits(const __grid_constant__ _params p) {
  __shared__ unsigned bins[rank_targets * rank_bins];
  __shared__ unsigned sums[rank_threads / 32];
  __shared__ rank_word base;
  __shared__ unsigned nans;
  __shared__ bool is_last;
  __shared__ rank_memory memory;
  enum { items = rank_tile / rank_threads };
  const rank_long row = blockIdx.x / p.parts, part = blockIdx.x % p.parts;
  rank_row& state = p.state[row];
  const rank_row s = state;
  const int pass = (int)p.pass;
  const rank_digit digit(sort_width - pass * rank_bits);
  const rank_range range(s.key, digit);
  const bool near = s.kept > 0;
  const bool keeps = !near && pass > 0 && pass + 1 < rank_passes && s.same <= p.room;
  const sort_bits* const from = near ? p.kept + row * p.room : p.in + row * p.n;
  const rank_long n = near ? (rank_long)s.kept - 1 : p.n;
  for (int k = threadIdx.x; k < rank_targets * rank_bins; k += rank_threads) bins[k] = 0;
  if (threadIdx.x == 0) nans = 0;
  __syncthreads();
  unsigned own_nans = 0;
  for (rank_long tile = part * rank_tile; tile < n; tile += p.parts * rank_tile) {
    sort_bits keys[items];
    const int left = n - tile < rank_tile ? (int)(n - tile) : rank_tile;
    const sort_bits* const at = from + tile + threadIdx.x;
    unsigned chosen;
#pragma unroll
    for (int k = 0; k < items; ++k)
      keys[k] = (int)threadIdx.x + k * rank_threads < left ? at[k * rank_threads] : (sort_bits)0;
    if (!near)
#pragma unroll
      for (int k = 0; k < items; ++k) keys[k] = key_of(keys[k]);
    if (left == rank_tile)
      chosen = count_tile<true>(keys, left, range, digit, bins, &own_nans);
    else
      chosen = count_tile<false>(keys, left, range, digit, bins, &own_nans);
    if (keeps) set_aside(keys, chosen, p.kept + row * p.room, &state.cursor, sums, &base);
  }
  if (RANK_PAIR && pass == 0 && own_nans != 0) atomicAdd(&nans, own_nans);
  __syncthreads();
  rank_count* const all = p.bins + row * rank_targets * rank_bins;
  for (int k = threadIdx.x; k < rank_targets * rank_bins; k += rank_threads)
    if (bins[k] != 0) atomicAdd(all + k, (rank_count)bins[k]);
  if (threadIdx.x == 0 && nans != 0) atomicAdd(&state.nans, (rank_word)nans);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&state.done, 1ull) + 1 == (rank_word)p.parts;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  const rank_long nans_of_row = (rank_long)((volatile rank_row&)state).nans;
  rank_word ranks[2];
  const rank_long count = ranks_of(p, nans_of_row, ranks);
  if (pass > 0) ranks[0] = s.left[0], ranks[1] = s.left[1];
  rank_row next;
  next_digits(next, s, digit, ranks, all, memory);
  for (int k = threadIdx.x; k < rank_targets * rank_bins; k += rank_threads) all[k] = 0;
  if (threadIdx.x != 0) return;
  next.nans = nans_of_row;
  if (keeps) next.kept = ((volatile rank_row&)state).cursor + 1;
  next.done = 0;
  state = next;
  if (RANK_PAIR && pass + 1 == rank_passes) give_pair(p, row, next, count);
}
