// Digits counted, kept and found on the CPU.

struct rank_row {
  // Of each target: the digits that are known, and its rank among those that have them too.
  rank_word key[2], left[2];
  rank_word below, equal;        // elements that come before the first, and that are as it is
  rank_long count, nans, known;  // bits of a key
};
// `differ` are the bits in which kept keys are not as `first`.
struct rank_part {
  rank_long kept, below, equal, nans;
  rank_word first, differ;
};
struct rank_args {
  const sort_bits* in;
  sort_bits* out;
  rank_long* index;
  sort_bits* pairs;
  rank_long* numbers;
  sort_bits* kept;
  rank_row* states;
  rank_part* cut;
  unsigned* bins;
  rank_long rows, n, rank, keep, parts, part, pass, group, skip;
  double q;
};
enum { rank_block = 256 };
static inline rank_long lesser(rank_long a, rank_long b) { return a < b ? a : b; }
static inline rank_digit next_digit(const rank_row& s) {
  return rank_digit(sort_width - (int)s.known);
}
static inline void compare_keys(const sort_bits* keys, int n, bool begin, rank_part& part) {
  if (n == 0) return;
  if (begin) part.first = keys[0], part.differ = 0;
  const sort_bits first = (sort_bits)part.first;
  sort_bits differ = 0;
  for (int k = 0; k < n; ++k) differ |= keys[k] ^ first;
  part.differ |= differ;
}
static inline void make_keys(sort_bits* keys, const sort_bits* in, int n) {
  for (int k = 0; k < n; ++k) keys[k] = key_of(in[k]);
}

// Digits are counted in tables that take turns, since neighbours that are equal would wait for each
// other; of a few keys in one, which is sooner cleared.
struct rank_tables {
  // Tables a whole page apart would wait for each other all the same.
  enum { most = 4, size = rank_targets * rank_bins, room = size + 16 };
  unsigned counts[most][room];
  int used;
  explicit inline rank_tables(rank_long n) : used(n < 8192 ? 1 : (int)most) {
    __builtin_memset(counts, 0, used * sizeof *counts);
  }
  template <class F>
  inline void count(int n, F bin) {
    const int last = used - 1;
    int k = 0;
    for (; k + most <= n; k += most)
      for (int t = 0; t < most; ++t) ++counts[t & last][bin(k + t)];
    for (; k < n; ++k) ++counts[0][bin(k)];
  }
  inline void give(unsigned* bins) const {
    for (int k = 0; k < size; ++k) bins[k] = counts[0][k];
    for (int t = 1; t < used; ++t)
      for (int k = 0; k < size; ++k) bins[k] += counts[t][k];
  }
};
// The first digit of all.
static void count_all(const sort_bits* in, rank_long n, unsigned* bins, rank_part& part) {
  const rank_digit digit(sort_width);
  rank_tables tables(n);
  sort_bits keys[rank_block];
  part.nans = 0;
  for (rank_long at = 0; at < n; at += rank_block) {
    const int m = (int)lesser(n - at, rank_block);
    make_keys(keys, in + at, m);
    int nans = 0;
    for (int k = 0; RANK_PAIR && k < m; ++k) nans += is_nan(keys[k]);
    part.nans += nans;
    compare_keys(keys, m, at == 0, part);
    tables.count(m, [&](int k) { return digit.of(keys[k]); });
  }
  tables.give(bins);
  part.kept = n;
}
// Keys in the range to the front, without a branch; up to rank_block more are written.
static inline int keep_between(sort_bits* to, const sort_bits* keys, int n,
                               const rank_range& range) {
  int count = 0, k = 0;
#if __AVX512F__ && SORT_KEY_BYTES >= 4
  for (; k + L <= n; k += L) {
    const V v = load((const W*)keys + k), s = (V){} + (W)range.span;
    unsigned chosen = ~above(v - (W)range.low[0], s);
    if (RANK_PAIR) chosen |= ~above(v - (W)range.low[1], s);
    chosen &= all_lanes;
    const V kept = pressed(v, chosen);
    __builtin_memcpy(to + count, &kept, sizeof kept);
    count += __builtin_popcount(chosen);
  }
#endif
  for (; k < n; ++k) {
    const sort_bits key = keys[k];
    to[count] = key;
    count += range.target_of(key) >= 0;
  }
  return count;
}
// The next digit of those that have the known ones, which are kept.
static void count_some(const sort_bits* in, sort_bits* kept, const rank_row& s, int pass,
                       unsigned* bins, rank_part& part) {
  const rank_digit digit = next_digit(s);
  const rank_range range(s.key, digit);
  const bool apart = RANK_PAIR && s.key[0] != s.key[1];
  sort_bits keys[rank_block], chosen[2 * rank_block];
  rank_long count = 0;
  rank_tables tables(part.kept);
  for (rank_long at = 0; at < part.kept; at += rank_block) {
    const int m = (int)lesser(part.kept - at, rank_block);
    if (pass == 1)
      make_keys(keys, in + at, m);
    else
      __builtin_memcpy(keys, kept + at, m * sizeof(sort_bits));
    const int some = keep_between(chosen, keys, m, range);
    compare_keys(chosen, some, count == 0, part);
    tables.count(some, [&](int k) {
      const bool second = apart && range.target_of(chosen[k]) > 0;
      return (second ? (unsigned)rank_bins : 0u) + digit.of(chosen[k]);
    });
    __builtin_memcpy(kept + count, chosen, some * sizeof(sort_bits));
    count += some;
  }
  tables.give(bins);
  part.kept = count;
}

struct rank_found {
  rank_word digit, before, count;
};
static rank_found found_bin(const unsigned* bins, rank_long parts, rank_word rank) {
  rank_word sums[rank_bins] = {}, before = 0;
  for (rank_long part = 0; part < parts; ++part)
    for (int k = 0; k < rank_bins; ++k) sums[k] += bins[part * rank_targets * rank_bins + k];
  int k = 0;
  while (k + 1 < rank_bins && rank - before >= sums[k]) before += sums[k++];
  return {(rank_word)k, before, sums[k]};
}
// What parts have before them of those below and of those that are equal.
static void sum_parts(rank_part* parts, rank_long count) {
  rank_long below = 0, equal = 0;
  for (rank_long k = 0; k < count; ++k) {
    const rank_part own = parts[k];
    parts[k].below = below;
    parts[k].equal = equal;
    below += own.below;
    equal += own.equal;
  }
}
// Bits below the digit that all keys have alike are known with it.
static void find_next(const rank_part* parts, rank_long count, const rank_digit& digit,
                      rank_row& s) {
  rank_word first = 0, differ = 0;
  bool any = false;
  for (rank_long k = 0; k < count; ++k) {
    if (parts[k].kept == 0) continue;
    if (!any) first = parts[k].first;
    any = true;
    differ |= parts[k].differ | (parts[k].first ^ first);
  }
  differ &= ((rank_word)1 << digit.shift) - 1;
  const int top = differ == 0 ? 0 : 64 - __builtin_clzll(differ), more = digit.shift - top;
  for (int t = 0; t < rank_targets; ++t)
    s.key[t] = s.key[t] << more | (first >> top & (((rank_word)1 << more) - 1));
  s.known = sort_width - top;
}
static void choose(const rank_args& p, [[maybe_unused]] rank_long row, rank_row& s,
                   rank_part* parts, const unsigned* bins) {
  const rank_digit digit = next_digit(s);
  if (s.known == 0) {
    for (rank_long k = 0; k < p.parts; ++k) s.nans += parts[k].nans;
    s.count = ranks_of(p, s.nans, s.left);
  }
  const bool apart = RANK_PAIR && s.key[0] != s.key[1];
  rank_found found[rank_targets];
  for (int t = 0; t < rank_targets; ++t)
    found[t] = found_bin(bins + (apart && t > 0 ? rank_bins : 0), p.parts, s.left[t]);
  for (int t = 0; t < rank_targets; ++t) {
    s.key[t] = digit.longer(s.key[t], found[t].digit);
    s.left[t] -= found[t].before;
  }
  s.below += found[0].before;
  s.equal = found[0].count;
  find_next(parts, p.parts, digit, s);
  const bool last = s.known == sort_width;
#if RANK_PAIR
  if (!last) return;
  for (int t = 0; t < 2; ++t) p.pairs[2 * row + t] = original((sort_bits)s.key[t]);
  p.numbers[row] = s.count;
#else
  for (rank_long part = 0; part < p.parts; ++part) {
    const unsigned* const own = bins + part * rank_bins;
    rank_long below = 0;
    for (rank_word k = 0; k < found[0].digit; ++k) below += own[k];
    parts[part].below += below;
    parts[part].equal = own[found[0].digit];
  }
  if (last) sum_parts(parts, p.parts);
#endif
}
