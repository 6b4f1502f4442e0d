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

/// What the rounds add to a key, once for many counters.
struct philox_keys {
  unsigned k0[10], k1[10];
};
static inline philox_keys philox_schedule(unsigned k0, unsigned k1) {
  philox_keys keys = {};
  for (int round = 0; round < 10; ++round) {
    keys.k0[round] = k0 + (unsigned)round * 0x9e3779b9u;
    keys.k1[round] = k1 + (unsigned)round * 0xbb67ae85u;
  }
  return keys;
}

/// The 128 bits that belong to a counter and a key.
static inline philox_words philox4x32(philox_words x, const philox_keys& k) {
  x = philox_round(x, k.k0[0], k.k1[0]);
  x = philox_round(x, k.k0[1], k.k1[1]);
  x = philox_round(x, k.k0[2], k.k1[2]);
  x = philox_round(x, k.k0[3], k.k1[3]);
  x = philox_round(x, k.k0[4], k.k1[4]);
  x = philox_round(x, k.k0[5], k.k1[5]);
  x = philox_round(x, k.k0[6], k.k1[6]);
  x = philox_round(x, k.k0[7], k.k1[7]);
  x = philox_round(x, k.k0[8], k.k1[8]);
  return philox_round(x, k.k0[9], k.k1[9]);
}

/// Where a draw begins: a generator's key, its stream below 2^48, its position.
struct philox_place {
  unsigned long long seed, stream, position;
};

/// The bits of a counter's 64 low bits; those of further attempts, up to 65535, are others.
static inline philox_words philox_bits(const philox_place& at, const philox_keys& keys,
                                       unsigned low, unsigned high, unsigned attempt) {
  return philox4x32({low, high, (unsigned)at.stream, (unsigned)(at.stream >> 32) + (attempt << 16)},
                    keys);
}

/// Those of a step of a draw.
static inline philox_words philox_step(const philox_place& at, unsigned long long step,
                                       unsigned attempt = 0) {
  const unsigned long long counter = at.position + step;
  const philox_keys keys = philox_schedule((unsigned)at.seed, (unsigned)(at.seed >> 32));
  return philox_bits(at, keys, (unsigned)counter, (unsigned)(counter >> 32), attempt);
}

}  // namespace gpuarr_prelude
