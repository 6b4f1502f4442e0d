// Philox 4x32-10, a generator that counts: each number of a stream is a function of its place.
//
// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.

namespace gpuarr_prelude {

struct philox_words {
  unsigned a, b, c, d;
};

static inline philox_words philox_round(const philox_words& x, unsigned k0, unsigned k1) {
  const unsigned long long p = 0xd2511f53ull * x.a, q = 0xcd9e8d57ull * x.c;
  return {(unsigned)(q >> 32) ^ x.b ^ k0, (unsigned)q, (unsigned)(p >> 32) ^ x.d ^ k1, (unsigned)p};
}

/// The 128 bits that belong to a counter and a key.
static inline philox_words philox4x32(philox_words x, unsigned k0, unsigned k1) {
  const unsigned w0 = 0x9e3779b9u, w1 = 0xbb67ae85u;
  x = philox_round(x, k0, k1);
  x = philox_round(x, k0 + w0, k1 + w1);
  x = philox_round(x, k0 + 2 * w0, k1 + 2 * w1);
  x = philox_round(x, k0 + 3 * w0, k1 + 3 * w1);
  x = philox_round(x, k0 + 4 * w0, k1 + 4 * w1);
  x = philox_round(x, k0 + 5 * w0, k1 + 5 * w1);
  x = philox_round(x, k0 + 6 * w0, k1 + 6 * w1);
  x = philox_round(x, k0 + 7 * w0, k1 + 7 * w1);
  x = philox_round(x, k0 + 8 * w0, k1 + 8 * w1);
  return philox_round(x, k0 + 9 * w0, k1 + 9 * w1);
}

/// Where a draw begins: a generator's key, its stream below 2^48, its position.
struct philox_place {
  unsigned long long seed, stream, position;
};

/// The bits of a draw's step; those of further attempts, up to 65535, are others.
static inline philox_words philox_bits(const philox_place& at, unsigned low, unsigned high,
                                       unsigned attempt) {
  return philox4x32({low, high, (unsigned)at.stream, (unsigned)(at.stream >> 32) + (attempt << 16)},
                    (unsigned)at.seed, (unsigned)(at.seed >> 32));
}
static inline philox_words philox_step(const philox_place& at, unsigned long long step,
                                       unsigned attempt = 0) {
  const unsigned long long counter = at.position + step;
  return philox_bits(at, (unsigned)counter, (unsigned)(counter >> 32), attempt);
}

}  // namespace gpuarr_prelude
