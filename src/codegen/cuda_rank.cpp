#include "codegen/cuda_rank.hpp"

#include "codegen/cuda_chain.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* types_text = R"(
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
// Which target's known digits a key has; -1 if none's.
static inline int target_of(sort_bits key, const rank_digit& digit, const rank_word* known,
                            bool all) {
  if (all) return 0;
  const rank_word digits = (rank_word)(key >> digit.top);
  if (digits == known[0]) return 0;
  return RANK_PAIR && digits == known[1] ? 1 : -1;
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
extern "C" __global__ void __launch_bounds__(rank_threads)
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
  const rank_digit digit(pass);
  const bool near = s.kept > 0;
  const bool keeps = !near && pass > 0 && pass + 1 < rank_passes && s.same <= p.room;
  const sort_bits* const from = near ? p.kept + row * p.room : p.in + row * p.n;
  const rank_long n = near ? (rank_long)s.kept - 1 : p.n;
  for (int k = threadIdx.x; k < rank_targets * rank_bins; k += rank_threads) bins[k] = 0;
  if (threadIdx.x == 0) nans = 0;
  __syncthreads();
  for (rank_long tile = part * rank_tile; tile < n; tile += p.parts * rank_tile) {
    sort_bits keys[items];
    const rank_long left = n - tile;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const int at = threadIdx.x + k * rank_threads;
      keys[k] = at < left ? from[tile + at] : (sort_bits)0;
    }
    unsigned chosen = 0;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (!near) keys[k] = key_of(keys[k]);
      if (threadIdx.x + k * rank_threads >= left) continue;
      const int target = target_of(keys[k], digit, s.key, pass == 0);
      if (target < 0) continue;
      atomicAdd(&bins[target * rank_bins + digit.of(keys[k])], 1u);
      chosen |= 1u << k;
      if (RANK_PAIR && pass == 0 && is_nan(keys[k])) atomicAdd(&nans, 1u);
    }
    if (keeps) set_aside(keys, chosen, p.kept + row * p.room, &state.cursor, sums, &base);
  }
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
constexpr const char* warp_text = R"(
struct rank_sums { rank_count below, equal; };
static inline rank_sums _reduce(const _params&, const rank_sums& a, const rank_sums& b) {
  return {a.below + b.below, a.equal + b.equal};
}
// The warp's part of a tile, side by side.
template <int items>
struct rank_warp {
  sort_bits x[items];
  rank_long begin, n;
  sort_bits key;
  inline void read(const sort_bits* from) {
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const rank_long at = begin + k * 32 + threadIdx.x % 32;
      x[k] = at < n ? from[at] : (sort_bits)0;
    }
  }
  inline bool has(int k) const { return begin + k * 32 + threadIdx.x % 32 < n; }
  inline unsigned below(int k) const {
    return __ballot_sync(~0u, has(k) && key_of(x[k]) < key);
  }
  inline unsigned equal(int k) const {
    return __ballot_sync(~0u, has(k) && key_of(x[k]) == key);
  }
  inline rank_sums sums() const {
    rank_sums all = {0, 0};
#pragma unroll
    for (int k = 0; k < items; ++k) {
      all.below += __popc(below(k));
      all.equal += __popc(equal(k));
    }
    return all;
  }
  // `before`: elements of the row before this part.
  inline void write(const _params& p, rank_long row, const rank_row& s, rank_sums before) const {
    const unsigned lower = (1u << threadIdx.x % 32) - 1;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const unsigned less = below(k), same = equal(k);
      const rank_long at = begin + k * 32 + threadIdx.x % 32;
      const rank_word lesser = before.below + (rank_word)__popc(less & lower);
      const rank_word equals = before.equal + (rank_word)__popc(same & lower);
      rank_word to = s.below + s.equal + at - lesser - equals;
      if (same & (lower + 1)) to = s.below + equals;
      if (less & (lower + 1)) to = lesser;
      if (has(k) && to < (rank_word)p.keep) {
        if (p.out) p.out[row * p.keep + to] = x[k];
        if (p.index) p.index[row * p.keep + to] = at;
      }
      before.below += __popc(less);
      before.equal += __popc(same);
    }
  }
};
)";

constexpr const char* gather_text = R"(
extern "C" __global__ void __launch_bounds__(256)
rank_gather(const __grid_constant__ _params p) {
  enum { warps = 8, items = rank_gather_tile / 256 };
  __shared__ rank_sums sums[warps];
  const int warp = threadIdx.x / 32;
  const unsigned row = blockIdx.x / (unsigned)p._chunks, tile = blockIdx.x % (unsigned)p._chunks;
  const rank_row& s = p.state[row];
  rank_warp<items> own;
  own.n = p.n;
  own.key = (sort_bits)s.key[0];
  own.begin = tile * (rank_long)rank_gather_tile + warp * (items * 32);
  own.read(p.in + row * p.n);
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
  own.write(p, row, s, before);
}
)";

// A block takes a row, reads it for two digits, again for what is not in its memory by then, and
// once more for what is wanted of it.
constexpr const char* rows_text = R"(
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
  const rank_digit digit(pass);
  const bool near = s.kept > 0;
  const rank_long n = near ? (rank_long)s.kept - 1 : p.n;
  for (rank_long tile = 0; tile < n; tile += items * rank_threads) {
    sort_bits keys[items];
    const rank_long left = n - tile;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const int at = threadIdx.x + k * rank_threads;
      keys[k] = at >= left ? (sort_bits)0 : near ? block.near[tile + at] : from[tile + at];
    }
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (threadIdx.x + k * rank_threads >= left) continue;
      const sort_bits key = near ? keys[k] : key_of(keys[k]);
      const int target = target_of(key, digit, s.key, pass == 0);
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
  rank_warp<items> own;
  own.n = p.n;
  own.key = (sort_bits)s.key[0];
  for (rank_long tile = 0; tile < p.n; tile += items * rank_threads) {
    // What is behind the last that is wanted need not be read.
    if (done.below == s.below && s.below + done.equal >= wanted) break;
    own.begin = tile + warp * (items * 32);
    own.read(from);
    const rank_sums mine = own.sums();
    __syncthreads();
    if (threadIdx.x % 32 == 0) block.sums[warp] = mine;
    __syncthreads();
    rank_sums before = done;
    for (int w = 0; w < warps; ++w) {
      if (w < warp) before = _reduce(p, before, block.sums[w]);
      done = _reduce(p, done, block.sums[w]);
    }
    own.write(p, row, s, before);
  }
}
extern "C" __global__ void __launch_bounds__(rank_threads)
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
      next_digits(next, s, rank_digit(pass), ranks, block.bins, block.memory);
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
)";

std::string begin_of_text(const RankForm& form) {
  std::string out = rank_text(form);
  out += text("enum {{ rank_threads = {}, rank_tile = {}, rank_gather_tile = {} }};\n",
              rank_threads, rank_tile, rank_gather_tile);
  out += types_text;
  out += find_text;
  return out + warp_text;
}

}  // namespace

std::string cuda_rank_text(const RankForm& form) {
  std::string out = begin_of_text(form) + digits_text;
  if (form.pair) return out;
  return out + "typedef rank_sums _type_scan;\nenum { _lanes = 256 };\n" + cuda_lanes_text +
         cuda_chain_text + gather_text;
}

std::string cuda_rank_rows_text(const RankForm& form) { return begin_of_text(form) + rows_text; }

}  // namespace gpuarr
