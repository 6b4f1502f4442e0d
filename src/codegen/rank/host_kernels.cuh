// The kernels on the CPU.

extern "C" void rank_rows(const rank_args* q, long long first, long long last) {
  const rank_args& p = *q;
  unsigned bins[rank_targets * rank_bins];
  sort_bits near[RANK_NEAR / sizeof(sort_bits)];
  last = lesser(last * p.group, p.rows);
  for (rank_long row = first * p.group; row < last; ++row) {
    const sort_bits* const in = p.in + row * p.n;
    sort_bits* const kept = p.kept ? p.kept + row * p.n : near;
    rank_row s = {};
    rank_part part = {};
    for (int pass = 0; s.known < sort_width; ++pass) {
      if (pass == 0)
        count_all(in, p.n, bins, part);
      else
        count_some(in, kept, s, pass, bins, part);
      choose(p, row, s, &part, bins);
    }
#if !RANK_PAIR
    gather(p, row, s, {}, 0, p.n);
#endif
  }
}
extern "C" void rank_digits(const rank_args* q, long long first, long long last) {
  const rank_args& p = *q;
  for (rank_long block = first; block < last; ++block) {
    const rank_long row = block / p.parts, begin = lesser(block % p.parts * p.part, p.n);
    const rank_long n = lesser(p.part, p.n - begin), at = row * p.n + begin;
    unsigned* const bins = p.bins + block * rank_targets * rank_bins;
    if (p.states[row].known == sort_width) continue;
    if (p.pass == 0)
      count_all(p.in + at, n, bins, p.cut[block]);
    else
      count_some(p.in + at, p.kept + at, p.states[row], (int)p.pass, bins, p.cut[block]);
  }
}
extern "C" void rank_choose(const rank_args* q, long long first, long long last) {
  const rank_args& p = *q;
  for (rank_long row = first; row < last; ++row)
    if (p.states[row].known < sort_width)
      choose(p, row, p.states[row], p.cut + row * p.parts,
             p.bins + row * p.parts * rank_targets * rank_bins);
}
#if !RANK_PAIR
extern "C" void rank_gather(const rank_args* q, long long first, long long last) {
  const rank_args& p = *q;
  for (rank_long block = first; block < last; ++block) {
    const rank_long row = block / p.parts, begin = lesser(block % p.parts * p.part, p.n);
    gather(p, row, p.states[row], p.cut[block], begin, lesser(begin + p.part, p.n));
  }
}
#endif
