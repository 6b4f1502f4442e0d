// What all kernels of ranks have on a GPU.

// Of each target: the digits that are known, and its rank among those that have them too.
struct rank_row {
  rank_word key[2], left[2];
  rank_word below, equal;  // elements that come before the first target, and that are as it is
  rank_word same;          // elements that have known digits
  rank_word cursor, kept;  // keys that were set aside; one more than those, when all are
  rank_word nans, done, unused;
};
struct _params {
  const sort_bits* in;
  sort_bits* out;
  rank_long* index;
  sort_bits* pairs;
  rank_long* numbers;
  rank_row* state;
  rank_count* bins;
  sort_bits* kept;
  void* _states;
  rank_long rows, n, rank, keep, room, parts, pass, _chunks, _per_row, skip;
  double q;
};
// What comes before a thread's in its block, and all there is.
template <int threads, class C>
static inline C before_in_block(C own, C* sums, C& all) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  C upto = own;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const C other = __shfl_up_sync(~0u, upto, d);
    if (lane >= d) upto += other;
  }
  __syncthreads();
  if (lane == 31) sums[warp] = upto;
  __syncthreads();
  C before = upto - own;
  all = 0;
  for (int w = 0; w < threads / 32; ++w) {
    const C sum = sums[w];
    if (w < warp) before += sum;
    all += sum;
  }
  return before;
}

struct rank_found {
  rank_word digit, before, count;
};
struct rank_memory {
  rank_word sums[rank_threads / 32];
  rank_found found;
};
// The bin that has the element of a rank. All threads of the block find it together.
template <class C>
static inline rank_found found_bin(const C* bins, rank_word rank, rank_memory& memory) {
  enum { each = (rank_bins + rank_threads - 1) / rank_threads };
  rank_word count[each], own = 0, all;
#pragma unroll
  for (int j = 0; j < each; ++j) {
    const int at = threadIdx.x * each + j;
    count[j] = at < rank_bins ? ((volatile const C*)bins)[at] : 0;
    own += count[j];
  }
  rank_word before = before_in_block<rank_threads>(own, memory.sums, all);
#pragma unroll
  for (int j = 0; j < each; ++j) {
    if (rank >= before && rank - before < count[j])
      memory.found = {(rank_word)(threadIdx.x * each + j), before, count[j]};
    before += count[j];
  }
  __syncthreads();
  const rank_found found = memory.found;
  __syncthreads();
  return found;
}
// The next digit of each target, when all elements are counted.
template <class C>
static inline void next_digits(rank_row& next, const rank_row& s, const rank_digit& digit,
                               const rank_word* ranks, const C* bins, rank_memory& memory) {
  rank_found found[rank_targets];
#pragma unroll
  for (int t = 0; t < rank_targets; ++t)
    found[t] = found_bin(bins + (t > 0 && s.key[1] != s.key[0] ? rank_bins : 0), ranks[t], memory);
  next = s;
#pragma unroll
  for (int t = 0; t < rank_targets; ++t) {
    next.key[t] = digit.longer(s.key[t], found[t].digit);
    next.left[t] = ranks[t] - found[t].before;
  }
  next.below = s.below + found[0].before;
  next.equal = next.same = found[0].count;
  if (RANK_PAIR && next.key[1] != next.key[0]) next.same += found[rank_targets - 1].count;
}
static inline void give_pair(const _params& p, rank_long row, const rank_row& s, rank_long count) {
  p.pairs[2 * row] = original((sort_bits)s.key[0]);
  p.pairs[2 * row + 1] = original((sort_bits)s.key[1]);
  p.numbers[row] = count;
}

// Elements that come before the target, those that are as it is, and those after it, each in the
// order of their places.
struct rank_sums {
  rank_count below, equal;
};
static inline rank_sums _reduce(const _params&, const rank_sums& a, const rank_sums& b) {
  return {a.below + b.below, a.equal + b.equal};
}
// The warp's part of a tile, side by side.
template <int items>
struct rank_warp {
  sort_bits x[items];
  rank_long begin;
  int left;  // elements that the row has from there on
  sort_bits key;
  inline rank_warp(const sort_bits* row, rank_long n, rank_long first, sort_bits of)
      : begin(first), key(of) {
    left = n - first < items * 32 ? (int)(n - first) : items * 32;
    const sort_bits* const from = row + begin + threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < items; ++k) x[k] = has(k) ? from[k * 32] : (sort_bits)0;
  }
  inline bool has(int k) const { return (int)(threadIdx.x % 32) + k * 32 < left; }
  // What is below and what equal, of all its lanes.
  inline rank_sums sums() const {
    unsigned both = 0;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const sort_bits found = key_of(x[k]);
      if (has(k)) both += found < key ? 1u : found == key ? 1u << 16 : 0u;
    }
#pragma unroll
    for (int d = 16; d > 0; d /= 2) both += __shfl_xor_sync(~0u, both, d);
    return {both & 0xffff, both >> 16};
  }
  // `own` are the sums of this part, `before` those of what the row has before it.
  inline void write(const _params& p, rank_long row, const rank_row& s, const rank_sums& own,
                    rank_sums before) const {
    const rank_count all_below = (rank_count)s.below, reached = all_below + (rank_count)s.equal;
    const rank_count keep = (rank_count)p.keep;
    const bool wants_equal = own.equal > 0 && all_below + before.equal < keep;
    if (own.below == 0 && !wants_equal && reached >= keep) return;
    const unsigned lower = (1u << threadIdx.x % 32) - 1;
    sort_bits* const out = p.out ? p.out + row * p.keep : nullptr;
    rank_long* const index = p.index ? p.index + row * p.keep : nullptr;
    rank_count at = (rank_count)begin + threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const sort_bits found = key_of(x[k]);
      const bool is_below = has(k) && found < key, is_equal = has(k) && found == key;
      const unsigned less = __ballot_sync(~0u, is_below), same = __ballot_sync(~0u, is_equal);
      const rank_count lesser = before.below + (rank_count)__popc(less & lower);
      const rank_count equals = before.equal + (rank_count)__popc(same & lower);
      const rank_count to = is_below   ? lesser
                            : is_equal ? all_below + equals
                                       : reached + at - lesser - equals;
      if (has(k) && to < keep) {
        if (out) out[to] = x[k];
        if (index) index[to] = (rank_long)at;
      }
      before.below += __popc(less);
      before.equal += __popc(same);
      at += 32;
    }
  }
};
