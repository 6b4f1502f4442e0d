// Keys, ranks and digits.

// Of a quantile's neighbours the bits are kept, so that they are an element's.
typedef long long rank_long;
typedef unsigned long long rank_word;
#if RANK_PAIR
static inline sort_bits key_of(sort_bits x) { return ordered(x); }
#else
static inline sort_bits key_of(sort_bits x) { return compared(ordered(x)); }
#endif
#if RANK_FLOATING
static inline bool is_nan(sort_bits key) { return key > sort_infinity; }
#else
static inline bool is_nan(sort_bits) { return false; }
#endif
enum { rank_passes = (sort_width + rank_bits - 1) / rank_bits };
enum { rank_bins = 1 << rank_bits, rank_targets = RANK_PAIR ? 2 : 1 };

// Bits `shift` to `top` of a key; those above are known already.
struct rank_digit {
  int top, shift;
  unsigned mask;
  explicit inline rank_digit(int first)
      : top(first), shift(top > rank_bits ? top - rank_bits : 0), mask((1u << (top - shift)) - 1) {}
  inline unsigned of(sort_bits key) const { return (unsigned)(key >> shift) & mask; }
  inline rank_word longer(rank_word known, rank_word digit) const {
    return known << (top - shift) | digit;
  }
};
// Keys that begin with known digits: for each target those from `low` on, `span` more.
struct rank_range {
  sort_bits low[2], span;
  inline rank_range(const rank_word* known, const rank_digit& digit)
      : low{}, span((sort_bits) ~(sort_bits)0) {
    if (digit.top == sort_width) return;
    for (int t = 0; t < 2; ++t) low[t] = (sort_bits)(known[t] << digit.top);
    span = (sort_bits)(((rank_word)1 << digit.top) - 1);
  }
  // Which target's digits a key has; -1 if none's.
  inline int target_of(sort_bits key) const {
    if ((sort_bits)(key - low[0]) <= span) return 0;
    return RANK_PAIR && (sort_bits)(key - low[1]) <= span ? 1 : -1;
  }
};
// The ranks that are looked for, in a row with so many NaNs; how many elements they are counted of.
template <class P>
static inline rank_long ranks_of(const P& p, [[maybe_unused]] rank_long nans, rank_word* ranks) {
#if RANK_PAIR
  const rank_long count = p.skip ? p.n - nans : nans > 0 ? 0 : p.n;
  const double at = p.q * (double)(count - 1);
  const rank_long whole = count > 0 ? (rank_long)at : 0;
  ranks[0] = whole;
  ranks[1] = whole + 1 < count ? whole + 1 : whole;
  return count;
#else
  ranks[0] = p.rank;
  return p.n;
#endif
}
