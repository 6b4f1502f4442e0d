#include "codegen/sort/cuda_rank.hpp"

#include "codegen/scan/cuda_chain.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* rank_types_text = R"(
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
)";

constexpr const char* find_text = R"(
struct rank_found { rank_word digit, before, count; };
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
)";

// The targets' bins of a row are those of all its blocks together; the last block to be done finds
// the digits in them.
constexpr const char* digits_text = R"(
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
)";

// Elements that come before the target, those that are as it is, and those after it, each in the
// order of their places.
constexpr const char* rank_warp_text = R"(
struct rank_sums { rank_count below, equal; };
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
      const rank_count to =
          is_below ? lesser : is_equal ? all_below + equals : reached + at - lesser - equals;
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
)";

constexpr const char* rank_gather_text = R"(
extern "C" __global__ void __launch_bounds__(256, 4)
rank_gather(const __grid_constant__ _params p) {
  enum { warps = 8, items = rank_gather_tile / 256 };
  __shared__ rank_sums sums[warps];
  const int warp = threadIdx.x / 32;
  const unsigned row = blockIdx.x / (unsigned)p._chunks, tile = blockIdx.x % (unsigned)p._chunks;
  const rank_row& s = p.state[row];
  const rank_long begin = tile * (rank_long)rank_gather_tile + warp * (items * 32);
  const rank_warp<items> own(p.in + row * p.n, p.n, begin, (sort_bits)s.key[0]);
  const rank_sums mine = own.sums();
  if (threadIdx.x % 32 == 0) sums[warp] = mine;
  __syncthreads();
  rank_sums total = {0, 0}, before = {0, 0};
#pragma unroll
  for (int w = 0; w < warps; ++w) {
    if (w == warp) before = total;
    total = _reduce(p, total, sums[w]);
  }
  const rank_sums tiles = _before_tile(p, row, tile, total);
  if (tile > 0) before = _reduce(p, before, tiles);
  own.write(p, row, s, mine, before);
}
)";

std::string begin_of_text(const RankForm& form) {
  std::string out = rank_text(form);
  out += text("enum {{ rank_threads = {}, rank_tile = {}, rank_gather_tile = {} }};\n",
              rank_threads, rank_tile, rank_gather_tile);
  out += rank_types_text;
  out += find_text;
  return out + rank_warp_text;
}

}  // namespace

std::string cuda_rank_text(const RankForm& form) {
  std::string out = begin_of_text(form) + digits_text;
  if (form.pair) return out;
  return out + "typedef rank_sums _type_scan;\nenum { _lanes = 256 };\n" + cuda_lanes_text +
         cuda_chain_text + rank_gather_text;
}

std::string cuda_rank_rows_text(const RankForm& form) {
  return begin_of_text(form) + cuda_rank_rows_kernel;
}

}  // namespace gpuarr
