// Rows that a warp sorts in its registers.

// What a warp sorts by: keys, or keys with the places that tell equal ones apart.
#if SORT_PLACED && SORT_KEY_BYTES == 8
struct warp_key {
  unsigned long long key;
  unsigned place;
};
static inline bool before(const warp_key& a, const warp_key& b) {
  return a.key < b.key || (a.key == b.key && a.place < b.place);
}
static inline warp_key other_of(const warp_key& a, int lanes) {
  return {__shfl_xor_sync(~0u, a.key, lanes), __shfl_xor_sync(~0u, a.place, lanes)};
}
static inline warp_key key_of(sort_bits x, int place) {
  return {compared(ordered(x)), (unsigned)place};
}
static inline warp_key last_key() { return {~0ull, ~0u}; }
static inline unsigned staged(const warp_key& a) { return a.place; }
typedef unsigned warp_staged;
#else
#if SORT_PLACED && SORT_KEY_BYTES == 4
typedef unsigned long long warp_key;
#else
typedef sort_word warp_key;
#endif
static inline bool before(warp_key a, warp_key b) { return a < b; }
static inline warp_key other_of(warp_key a, int lanes) { return __shfl_xor_sync(~0u, a, lanes); }
static inline warp_key last_key() { return ~(warp_key)0; }
#if SORT_PLACED
enum { place_bits = SORT_KEY_BYTES == 4 ? 32 : 16 };
static inline warp_key key_of(sort_bits x, int place) {
  return (warp_key)compared(ordered(x)) << place_bits | (warp_key)place;
}
static inline unsigned staged(warp_key a) {
  return (unsigned)(a & (((warp_key)1 << place_bits) - 1));
}
typedef unsigned warp_staged;
#else
static inline warp_key key_of(sort_bits x, int) { return ordered(x); }
static inline sort_bits staged(warp_key a) { return (sort_bits)a; }
typedef sort_bits warp_staged;
#endif
#endif

// Bitonic sorting (Batcher, 1968), each merge begun by comparing from both ends, so that all go one
// way. A lane's elements lie side by side.
static inline void exchange(warp_key& a, warp_key& b) {
  const warp_key x = a, y = b;
  const bool turn = before(y, x);
  a = turn ? y : x;
  b = turn ? x : y;
}
// Which of two it keeps.
static inline warp_key kept(const warp_key& own, const warp_key& other, bool lesser) {
  return before(other, own) == lesser ? other : own;
}
template <int first>
static inline void settle(warp_key (&v)[warp_items]) {
#pragma unroll
  for (int d = first; d > 0; d /= 2)
#pragma unroll
    for (int j = 0; j < warp_items; ++j)
      if ((j & d) == 0 && j + d < warp_items) exchange(v[j], v[j + d]);
}
template <int size>
static inline void order_lane(warp_key (&v)[warp_items]) {
  if constexpr (size > 1) {
    order_lane<size / 2>(v);
#pragma unroll
    for (int j = 0; j < warp_items; ++j)
      if ((j ^ (size - 1)) > j) exchange(v[j], v[j ^ (size - 1)]);
    settle<size / 4>(v);
  }
}
static inline void order_warp(warp_key (&v)[warp_items]) {
  const int lane = threadIdx.x % 32;
  order_lane<warp_items>(v);
#pragma unroll 1
  for (int lanes = 2; lanes <= 32; lanes *= 2) {
    bool lesser = (lane & (lanes / 2)) == 0;
#pragma unroll
    for (int j = 0; j < warp_items / 2; ++j) {
      warp_key& a = v[j];
      warp_key& b = v[warp_items - 1 - j];
      const warp_key from_b = other_of(b, lanes - 1), from_a = other_of(a, lanes - 1);
      a = kept(a, from_b, lesser);
      b = kept(b, from_a, lesser);
    }
#pragma unroll 1
    for (int d = lanes / 4; d > 0; d /= 2) {
      lesser = (lane & d) == 0;
#pragma unroll
      for (int j = 0; j < warp_items; ++j) v[j] = kept(v[j], other_of(v[j], d), lesser);
    }
    settle<warp_items / 2>(v);
  }
}

enum { warps = 4, warp_room = warp_items * 33 };
static inline int room_of(int at) { return at + at / 32; }
// Of equals whose bits differ the bits are in order: they get the order that they came in.
static inline void repair(const sort_bits* in, int n, const warp_key (&v)[warp_items],
                          warp_staged* stage) {
#if SORT_FLOATING && !SORT_PLACED
  const unsigned lower = (1u << threadIdx.x % 32) - 1;
  constexpr sort_bits least = sort_minus_zero < sort_zero ? sort_minus_zero : sort_zero;
  int zeros = 0, nans = 0;
#pragma unroll
  for (int j = 0; j < warp_items; ++j) {
    zeros += __popc(__ballot_sync(~0u, v[j] < least));
    nans += __popc(__ballot_sync(~0u, v[j] <= sort_infinity));
  }
  for (int begin = 0; begin < n; begin += 32) {
    const int at = begin + threadIdx.x % 32;
    const sort_bits key = at < n ? ordered(in[at]) : (sort_bits)0;
    const bool is_zero = at < n && (key == sort_zero || key == sort_minus_zero);
    const bool is_nan = at < n && key > sort_infinity;
    const unsigned zero_lanes = __ballot_sync(~0u, is_zero), nan_lanes = __ballot_sync(~0u, is_nan);
    if (is_zero) stage[room_of(zeros + __popc(zero_lanes & lower))] = key;
    if (is_nan) stage[room_of(nans + __popc(nan_lanes & lower))] = key;
    zeros += __popc(zero_lanes);
    nans += __popc(nan_lanes);
  }
#endif
}
static inline bool is_special(const warp_key& key) {
#if SORT_FLOATING && !SORT_PLACED
  return key == sort_minus_zero || key > sort_infinity;
#else
  return false;
#endif
}
extern "C" __global__ void __launch_bounds__(32 * warps)
    sort_warps(const __grid_constant__ sort_args p) {
  __shared__ warp_staged stages[warps * warp_room];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, n = (int)p.n;
  warp_staged* const stage = stages + warp * warp_room;
  for (sort_long row = (sort_long)blockIdx.x * warps + warp; row < p.rows;
       row += (sort_long)gridDim.x * warps) {
    const sort_bits* const in = p.in + row * n;
    warp_key v[warp_items];
    bool special = false;
#pragma unroll
    for (int j = 0; j < warp_items; ++j) {
      const int at = j * 32 + lane;
      v[j] = at < n ? key_of(in[at], at) : last_key();
      special |= at < n && is_special(v[j]);
    }
    order_warp(v);
#pragma unroll
    for (int j = 0; j < warp_items; ++j) stage[room_of(lane * warp_items + j)] = staged(v[j]);
    __syncwarp();
    if (__any_sync(~0u, special)) {
      repair(in, n, v, stage);
      __syncwarp();
    }
#if SORT_PLACED
    sort_bits x[warp_items];  // all, before one is written: the result may be there too
#pragma unroll
    for (int j = 0; j < warp_items; ++j) {
      const int at = j * 32 + lane;
      x[j] = p.out && at < n ? in[stage[room_of(at)]] : (sort_bits)0;
    }
    __syncwarp();
#endif
#pragma unroll
    for (int j = 0; j < warp_items; ++j) {
      const int at = j * 32 + lane;
      if (at >= n) continue;
#if SORT_PLACED
      if (p.out) p.out[row * n + at] = x[j];
      if (p.index) p.index[row * n + at] = stage[room_of(at)];
#else
      p.out[row * n + at] = original(stage[room_of(at)]);
#endif
    }
    __syncwarp();
  }
}
