// The body of an elementwise kernel: one of the N numbers of its step. Expects at, q, V and T.

const philox_words w = philox_step(at, i / N);
V v[N];
if (draw(v, w, q)) settle(v, at, i / N, w, q);
T chosen = (T)v[0];
for (int k = 1; k < N; ++k)
  if (i % N == k) chosen = (T)v[k];
out = chosen;
