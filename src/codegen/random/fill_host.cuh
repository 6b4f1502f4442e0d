// The fill on the CPU. Expects fill.cuh, STEPS of a block, and FILL_KERNEL for a name.
//
// The low half of the counter is the loop's own, so that all of a vector is 32 bits wide.

static inline void fill(const _params& p, const consts& q, long long first, int steps) {
  const unsigned long long counter = p.at.position + (unsigned long long)first;
  const unsigned low = (unsigned)counter, high = (unsigned)(counter >> 32);
  T* const out = p.out + first * N;
  bool again = low > 0xffffffffu - 256;
  for (int k = 0; k < steps; ++k) {
    V v[N];
    again |= draw(v, philox_bits(p.at, p.keys, low + (unsigned)k, high, 0), q);
    for (int j = 0; j < N; ++j) out[k * N + j] = (T)v[j];
  }
  for (int k = 0; again && k < steps; ++k) single(p, q, first + k);
}
extern "C" void FILL_KERNEL(const _params* _p, long long block, long long end) {
  const _params p = *_p;
  const consts q = prepare(p.arguments[0], p.arguments[1], p.arguments[2]);
  const long long whole = p.count / N;
  for (; block < end; ++block) {
    const long long first = block * STEPS, rest = whole - first;
    for (int k = 0; k < STEPS && k < rest; k += 256)
      fill(p, q, first + k, rest - k < 256 ? (int)(rest - k) : 256);
    if (rest < STEPS && whole * N < p.count) single(p, q, whole);
  }
}
