// The body of an elementwise kernel: a number of a random order of `count`.
//
// A network of Feistel's with Philox's product as its rounds, on as many bits as n - 1 has, walked
// until it comes to a number below n. A network of rounds like these makes even permutations alone:
// one more bit swaps the first two numbers.

uint64 x = i;
do {
  unsigned a = (unsigned)(x >> right), b = (unsigned)x & mask;
  for (int k = 0; k < 24; ++k) {
    const uint64 p = 0xd256d193ull * a;
    const unsigned low = (unsigned)p << (right - left) | b >> left;
    a = ((unsigned)(p >> 32) ^ keys[k] ^ b) & (unsigned)((1ull << left) - 1);
    b = low & mask;
  }
  x = (uint64)a << right | b;
  if (x < 2) x ^= keys[24] & 1;
} while (x >= count);
out = x;
