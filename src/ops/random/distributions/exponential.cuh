// Exponential numbers. Expects R (README.md) and random/real.cuh.

struct consts {
  R half;
};
static inline consts prepare(double scale, double = 0, double = 0) {
  return {scale < 0 ? (R)NAN : (R)scale * (R)0.5};
}
static inline bool draw(float (&v)[4], const philox_words& w, const consts& q) {
  v[0] = random_minus_2_log(random_positive(w.a)) * q.half;
  v[1] = random_minus_2_log(random_positive(w.b)) * q.half;
  v[2] = random_minus_2_log(random_positive(w.c)) * q.half;
  v[3] = random_minus_2_log(random_positive(w.d)) * q.half;
  return false;
}
static inline bool draw(double (&v)[2], const philox_words& w, const consts& q) {
  v[0] = random_minus_2_log(random_positive(w.a, w.b)) * q.half;
  v[1] = random_minus_2_log(random_positive(w.c, w.d)) * q.half;
  return false;
}
