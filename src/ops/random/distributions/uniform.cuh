// Uniform numbers from `low` to before `high`. Expects T, R, Bits (README.md) and random/real.cuh.
//
// The rounded product may be `high`, which does not belong to them: then it is the last before it.

struct consts {
  R low, step, last;
};
static inline consts prepare(double low, double high, double = 0) {
  const T from = (T)low, to = (T)high;
  const R a = (R)from, b = (R)to, last = (R)random_before<T, Bits>(to);
  const R step = (b - a) * (R)(sizeof(R) == 4 ? 0x1p-32 : 0x1p-53);
  return {a, step, a < b ? last : a == b ? a : (R)NAN};
}
static inline R inside(R whole, const consts& q) { return fmin(fma(whole, q.step, q.low), q.last); }
static inline bool draw(float (&v)[4], const philox_words& w, const consts& q) {
  v[0] = inside(random_whole(w.a), q);
  v[1] = inside(random_whole(w.b), q);
  v[2] = inside(random_whole(w.c), q);
  v[3] = inside(random_whole(w.d), q);
  return false;
}
static inline bool draw(double (&v)[2], const philox_words& w, const consts& q) {
  v[0] = inside(random_whole(w.a, w.b), q);
  v[1] = inside(random_whole(w.c, w.d), q);
  return false;
}
