// Normal numbers, and others made of them: finished(), which stands before this text, takes an R
// and gives the number. Expects R (README.md) and random/real.cuh.
//
// What `one` is, compilers must not know: see random_direction_32().

struct consts {
  R mean, std;
  unsigned one;
};
static inline consts prepare(double mean, double std, double one = 1) {
  return {(R)mean, std < 0 ? (R)NAN : (R)std, random_as_bits((float)one)};
}
static inline bool draw(float (&v)[4], const philox_words& w, const consts& q) {
  random_normals(v, w, q.one);
  for (int k = 0; k < 4; ++k) v[k] = finished(fma(v[k], q.std, q.mean));
  return false;
}
static inline bool draw(double (&v)[2], const philox_words& w, const consts& q) {
  const random_pair<double> x = random_normals(w, q.mean, q.std);
  v[0] = finished(x.x);
  v[1] = finished(x.y);
  return false;
}
