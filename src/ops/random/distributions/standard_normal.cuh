// Normal numbers of mean 0 and deviation 1, in float32. Expects R (README.md) and random/real.cuh.

struct consts {
  unsigned one;
};
static inline consts prepare(double, double, double one = 1) {
  return {random_as_bits((float)one)};
}
static inline bool draw(float (&v)[4], const philox_words& w, const consts& q) {
  random_normals(v, w, q.one);
  return false;
}
