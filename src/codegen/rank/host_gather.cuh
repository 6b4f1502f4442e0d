// The elements before them, gathered.

// Each of the three kinds goes to where its own are, in the order of their places.
// All: elements that come before the target, are as it is, and come after it.
static void part_all(const rank_args& p, rank_long row, const rank_row& s, const rank_part& before,
                     rank_long begin, rank_long end) {
  const sort_bits* const in = p.in + row * p.n;
  sort_bits* const out = p.out + row * p.n;
  const sort_bits key = (sort_bits)s.key[0];
  sort_bits* to[3] = {out + before.below, out + s.below + before.equal,
                      out + s.below + s.equal + begin - before.below - before.equal};
  sort_bits keys[rank_block], aside[3][2 * rank_block];
  for (rank_long at = begin; at < end; at += rank_block) {
    const int n = (int)lesser(end - at, rank_block);
    make_keys(keys, in + at, n);
    int counts[3] = {}, k = 0;
#if __AVX512F__ && SORT_KEY_BYTES >= 4
    for (; k + L <= n; k += L) {
      const V v = load((const W*)in + at + k), x = load((const W*)keys + k), t = (V){} + (W)key;
      const unsigned reached = not_below(x, t), passed = above(x, t);
      const unsigned chosen[3] = {~reached & all_lanes, reached & ~passed, passed};
      for (int c = 0; c < 3; ++c) {
        const V some = pressed(v, chosen[c]);
        __builtin_memcpy(aside[c] + counts[c], &some, sizeof some);
        counts[c] += __builtin_popcount(chosen[c]);
      }
    }
#endif
    for (; k < n; ++k) {
      const sort_bits x = in[at + k];
      for (int c = 0; c < 3; ++c) aside[c][counts[c]] = x;
      counts[0] += keys[k] < key;
      counts[1] += keys[k] == key;
      counts[2] += keys[k] > key;
    }
    for (int c = 0; c < 3; ++c) {
      __builtin_memcpy(to[c], aside[c], counts[c] * sizeof(sort_bits));
      to[c] += counts[c];
    }
  }
}
// A few: most blocks have none.
static void take_first(const rank_args& p, rank_long row, const rank_row& s, rank_part before,
                       rank_long begin, rank_long end) {
  const sort_bits* const in = p.in + row * p.n;
  const sort_bits key = (sort_bits)s.key[0];
  sort_bits keys[rank_block];
  for (rank_long at = begin; at < end; at += rank_block) {
    const rank_long below = (rank_long)s.below, first = below + before.equal;
    if (before.below == below && first >= p.keep) return;
    const int n = (int)lesser(end - at, rank_block);
    make_keys(keys, in + at, n);
    int some = 0;
    for (int k = 0; k < n; ++k) some |= keys[k] <= key;
    for (int k = 0; some && k < n; ++k) {
      if (keys[k] > key) continue;
      const rank_long to = keys[k] < key ? before.below++ : below + before.equal++;
      if (to >= p.keep) continue;
      if (p.out) p.out[row * p.keep + to] = in[at + k];
      if (p.index) p.index[row * p.keep + to] = at + k;
    }
  }
}
static void gather(const rank_args& p, rank_long row, const rank_row& s, const rank_part& before,
                   rank_long begin, rank_long end) {
  if (p.keep == p.n && !p.index)
    part_all(p, row, s, before, begin, end);
  else
    take_first(p, row, s, before, begin, end);
}
