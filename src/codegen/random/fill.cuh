// A fill of elements that lie one after the other: its parameters, and a step by itself. Expects
// T, V, A, N and the text of a distribution (ops/random/distributions/README.md).

struct _params {
  philox_place at;
  philox_keys keys;
  A arguments[3];
  long long count, packed, rounds;
  T* out;
};
// A step by itself, of which the last one may be used in part.
static inline void single(const _params& p, const consts& q, long long step) {
  const philox_words w = philox_step(p.at, step);
  V v[N];
  if (draw(v, w, q)) settle(v, p.at, step, w, q);
  for (int k = 0; k < N; ++k)
    if (step * N + k < p.count) p.out[step * N + k] = (T)v[k];
}
