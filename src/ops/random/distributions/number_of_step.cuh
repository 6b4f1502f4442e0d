// The body of an elementwise kernel: one of the N numbers of its step. Expects at, q, V, T, and
// element, the index.

const philox_words w = philox_step(at, element / N);
V v[N];
if (draw(v, w, q)) settle(v, at, element / N, w, q);
T chosen = (T)v[0];
for (int k = 1; k < N; ++k)
  if (element % N == k) chosen = (T)v[k];
out = chosen;
