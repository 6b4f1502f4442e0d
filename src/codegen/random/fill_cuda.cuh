// The fill on a GPU. Expects fill.cuh, THREADS of a block, STEPS of a thread in a round, and
// FILL_KERNEL for a name.
//
// A block's whole rounds, before the array's end and a change of the counter's high half, have
// nothing to ask for each number, and the constant half spares them two products of twenty.

struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) _pack {
  T v[N];
};
static inline void by_steps(const _params& p, const consts& q, long long first) {
#pragma unroll 1
  for (int k = 0; k < STEPS; ++k) {
    const long long step = first + (threadIdx.x + k * THREADS);
    if (step * N < p.count) single(p, q, step);
  }
}
extern "C" __global__ void __launch_bounds__(THREADS, 1)
    FILL_KERNEL(const __grid_constant__ _params p) {
  const consts q = prepare(p.arguments[0], p.arguments[1], p.arguments[2]);
  const long long first = (long long)blockIdx.x * p.rounds * (THREADS * STEPS);
  const unsigned long long counter = p.at.position + first;
  const unsigned low = (unsigned)counter, high = (unsigned)(counter >> 32);
  const long long left = p.packed ? (p.count / N - first) / (THREADS * STEPS) : 0;
  const int whole = (int)min(min(left, p.rounds), (0xffffffffll - low) / (THREADS * STEPS));
  unsigned own = low + threadIdx.x;
  _pack* out = (_pack*)p.out + first + threadIdx.x;
  int round = 0;
#pragma unroll 1
  for (; round < whole; ++round) {
    bool again = false;
#pragma unroll
    for (int k = 0; k < STEPS; ++k) {
      V v[N];
      again |= draw(v, philox_bits(p.at, p.keys, own + k * THREADS, high, 0), q);
      _pack pack;
      for (int j = 0; j < N; ++j) pack.v[j] = (T)v[j];
      out[k * THREADS] = pack;
    }
    if (again) by_steps(p, q, first + round * (long long)(THREADS * STEPS));
    own += THREADS * STEPS;
    out += THREADS * STEPS;
  }
  for (; round < p.rounds; ++round) by_steps(p, q, first + round * (long long)(THREADS * STEPS));
}
