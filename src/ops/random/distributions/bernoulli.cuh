// Truths of a probability. Expects random/philox.cuh.
//
// 64 bits are compared with the probability: the second half where the first one ties.

struct consts {
  unsigned first, second, always;
};
static inline consts prepare(double p, double = 0, double = 0) {
  const unsigned long long bits = p > 0 && p < 1 ? (unsigned long long)(p * 0x1p64) : 0;
  return {(unsigned)(bits >> 32), (unsigned)bits, p >= 1};
}
static inline bool draw(bool (&v)[4], const philox_words& w, const consts& q) {
  v[0] = (w.a < q.first) | (q.always != 0);
  v[1] = (w.b < q.first) | (q.always != 0);
  v[2] = (w.c < q.first) | (q.always != 0);
  v[3] = (w.d < q.first) | (q.always != 0);
  return (w.a == q.first) | (w.b == q.first) | (w.c == q.first) | (w.d == q.first);
}
static inline void settle(bool (&v)[4], const philox_place& at, unsigned long long step,
                          const philox_words& w, const consts& q) {
  const philox_words more = philox_step(at, step, 1);
  if (w.a == q.first) v[0] = (more.a < q.second) | (q.always != 0);
  if (w.b == q.first) v[1] = (more.b < q.second) | (q.always != 0);
  if (w.c == q.first) v[2] = (more.c < q.second) | (q.always != 0);
  if (w.d == q.first) v[3] = (more.d < q.second) | (q.always != 0);
}
