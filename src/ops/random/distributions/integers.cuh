// Integers of a range, none more likely than another. Expects V and N (README.md), and of
// words_32.cuh or words_64.cuh: W, take(), product().
//
// Lemire, "Fast random integer generation in an interval", 2019. `last` is the length of the range
// less 1, `least` what the low half of a product must not be below: 2^32 or 2^64 modulo the length.

struct consts {
  unsigned long long low;
  W last, least;
};
static inline consts prepare(unsigned long long low, unsigned long long last,
                             unsigned long long least) {
  return {low, (W)last, (W)least};
}
static inline bool draw_all(V (&v)[N], const W (&words)[N], const consts& q, bool (&bad)[N]) {
  bool any = false;
  for (int k = 0; k < N; ++k) {
    W high, low;
    product(words[k], q.last, high, low);
    bad[k] = low < q.least;
    any |= bad[k];
    v[k] = (V)(q.low + high);
  }
  return any;
}
static inline bool draw(V (&v)[N], const philox_words& w, const consts& q) {
  W x[N];
  bool bad[N];
  take(x, w);
  return draw_all(v, x, q, bad);
}
static inline void settle(V (&v)[N], const philox_place& at, unsigned long long step,
                          const philox_words& w, const consts& q) {
  W x[N];
  bool left[N];
  take(x, w);
  bool any = draw_all(v, x, q, left);
  for (unsigned attempt = 1; any && attempt < 65536; ++attempt) {
    take(x, philox_step(at, step, attempt));
    V found[N];
    bool bad[N];
    draw_all(found, x, q, bad);
    any = false;
    for (int k = 0; k < N; ++k) {
      if (left[k]) v[k] = found[k];
      left[k] = left[k] && bad[k];
      any |= left[k];
    }
  }
}
