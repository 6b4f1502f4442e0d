// Uniform, exponential and normal numbers out of Philox's bits: the same on both devices, bit for
// bit.
//
// So there is nothing but additions, products, quotients, roots and fma(), each of which rounds
// once and in one way; kernels with this text are compiled without contraction. The polynomials are
// minimax fits.

namespace gpuarr_prelude {

static inline unsigned random_as_bits(float x) { return __builtin_bit_cast(unsigned, x); }
static inline unsigned long long random_as_bits(double x) {
  return __builtin_bit_cast(unsigned long long, x);
}
static inline float random_from_bits(unsigned x) { return __builtin_bit_cast(float, x); }
static inline double random_from_bits(unsigned long long x) {
  return __builtin_bit_cast(double, x);
}

// The root of a number from 2^-100 to 2^100, correctly rounded: what compilers write themselves,
// without the branch for other numbers.
static inline float random_root(float x) {
#ifdef __CUDACC_RTC__
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  const float g = x * y, h = 0.5f * y;
  return fma(fma(-g, g, x), h, g);
#else
  return sqrt(x);
#endif
}
static inline double random_root(double x) { return sqrt(x); }

// Minus twice the logarithm of f + 1, from 2/3 to 4/3, times 2^(e / 2^23), and 2^-60.
static inline float random_minus_2_log(float f, int e) {
  float q = fma(0x1.3aafb6p-2f, f, -0x1.5e6fe0p-2f);
  q = fma(q, f, 0x1.5048b2p-2f);
  q = fma(q, f, -0x1.956702p-2f);
  q = fma(q, f, 0x1.0013fap-1f);
  q = fma(q, f, -0x1.55618ap-1f);
  q = fma(q, f, 0x1.ffffd6p-1f);
  q = fma(q, f, -0x1.fffffap+0f);
  return fma(f, q, fma((float)e, -0x1.62e430p-23f, 0x1p-60f));
}

/// -2 log(u) for 0 < u <= 1, and never 0: 2^-60 is added. Relative error 2e-7: its root's is
/// 1e-7.
static inline float random_minus_2_log(float u) {
  const int bits = (int)random_as_bits(u), e = (bits - 0x3f2aaaab) & (int)0xff800000u;
  return random_minus_2_log(random_from_bits((unsigned)(bits - e)) - 1.0f, e);
}
/// The same of u * 2^-64, which is from 2^-66 to 1.
static inline float random_minus_2_log_64(float u) {
  const int bits = (int)random_as_bits(u), e = (bits - 0x5f2aaaab) & (int)0xff800000u;
  return random_minus_2_log(fma(random_from_bits((unsigned)(bits - e)), 0x1p-64f, -1.0f), e);
}

/// log(x) of a positive normal number, to about 1 ulp.
static inline double random_log(double x) {
  const unsigned long long bits = random_as_bits(x);
  const int e = (int)((long long)(bits - 0x3fe6a09e667f3bcdull) >> 52);
  const double m = random_from_bits(bits - ((unsigned long long)(long long)e << 52));
  const double s = (m - 1.0) / (m + 1.0), z = s * s;  // m from sqrt(1/2) to sqrt(2)
  double p = fma(0x1.131d754ef2920p-3, z, 0x1.0edce0e23076fp-3);
  p = fma(p, z, 0x1.3b27cbb847fa3p-3);
  p = fma(p, z, 0x1.745ca7fb9ee1dp-3);
  p = fma(p, z, 0x1.c71c7342e0ed4p-3);
  p = fma(p, z, 0x1.249249231596ap-2);
  p = fma(p, z, 0x1.999999999b1e5p-2);
  p = fma(p, z, 0x1.5555555555551p-1);
  return fma((double)e, 0x1.62e42fefa39efp-1, fma(s * z, p, 2.0 * s));
}
static inline double random_minus_2_log(double u) { return -2.0 * random_log(u); }

/// log(1 + x) for x from -1/2 to 0.
static inline double random_log1p(double x) {
  const double u = 1.0 + x;
  return random_log(u) + (x - (u - 1.0)) / u;
}

/// exp(x) to 1e-7 or 2e-16, with infinity and 0 at the ends. A whole number that is added to 1.5
/// times 2^23 or 2^52 stands in the low bits of the sum.
static inline float random_exp(float x) {
  const float c = x > 90.0f ? 90.0f : x < -110.0f ? -110.0f : x;
  const float shifted = fma(c, 0x1.715476p+0f, 0x1.8p23f), k = shifted - 0x1.8p23f;
  const float r = fma(k, 0x1.05c610p-29f, fma(k, -0x1.62e430p-1f, c));
  float p = fma(0x1.6ab96ap-10f, r, 0x1.126d1ep-7f);
  p = fma(p, r, 0x1.55589ap-5f);
  p = fma(p, r, 0x1.55540ap-3f);
  p = fma(p, r, 0x1.fffffap-2f);
  p = fma(p, r, 1.0f);
  p = fma(p, r, 1.0f);
  const int n = (int)(random_as_bits(shifted) - random_as_bits(0x1.8p23f)), half = n >> 1;
  return p * random_from_bits((unsigned)(half + 127) << 23) *
         random_from_bits((unsigned)(n - half + 127) << 23);
}
static inline double random_exp(double x) {
  const double c = x > 720.0 ? 720.0 : x < -760.0 ? -760.0 : x;
  const double shifted = fma(c, 0x1.71547652b82fep+0, 0x1.8p52), k = shifted - 0x1.8p52;
  const double r = fma(k, -0x1.abc9e3b39803fp-56, fma(k, -0x1.62e42fefa39efp-1, c));
  double p = fma(0x1.1caf732c2c40bp-29, r, 0x1.af69604b6b6afp-26);
  p = fma(p, r, 0x1.27e6b21586cdfp-22);
  p = fma(p, r, 0x1.71ddf14303fdbp-19);
  p = fma(p, r, 0x1.a01a00c4a0279p-16);
  p = fma(p, r, 0x1.a01a01b353a11p-13);
  p = fma(p, r, 0x1.6c16c16c44d07p-10);
  p = fma(p, r, 0x1.111111110eac4p-7);
  p = fma(p, r, 0x1.55555555554e0p-5);
  p = fma(p, r, 0x1.555555555555dp-3);
  p = fma(p, r, 0.5);
  p = fma(p, r, 1.0);
  p = fma(p, r, 1.0);
  const int n = (int)(unsigned)random_as_bits(shifted), half = n >> 1;
  return p * random_from_bits((unsigned long long)(half + 1023) << 52) *
         random_from_bits((unsigned long long)(n - half + 1023) << 52);
}

/// A whole number of 32 bits as far as a float holds them, or of 53.
static inline float random_whole(unsigned a) { return (float)a; }
static inline double random_whole(unsigned a, unsigned b) {
  return fma((double)(int)(a >> 5), 0x1p26, (double)(int)(b >> 6));
}

/// A number from (0, 1], of 32 bits as far as a float holds them, or 53.
static inline float random_positive(unsigned a) { return fma((float)a, 0x1p-32f, 0x1p-33f); }
static inline double random_positive(unsigned a, unsigned b) {
  return fma(random_whole(a, b), 0x1p-53, 0x1p-53);
}

template <class R>
struct random_pair {
  R x, y;
};

// A point of the unit circle: one of its right half, from 23 bits, mirrored by the highest bit. The
// bits of 1.0f come from outside: of two constants an instruction takes one, if it knows both.
static inline random_pair<float> random_direction_32(unsigned a, unsigned one) {
  const float t = random_from_bits((a & 0x007fffffu) | one) - 1.5f;  // of half a turn
  const float z = t * t;
  float s = fma(0x1.4701e0p-4f, z, -0x1.32e974p-1f);
  s = fma(s, z, 0x1.466f3ep+1f);
  s = fma(s, z, -0x1.4abbf0p+2f);
  s = fma(s, z, 0x1.921fb6p+1f) * t;
  float c = fma(0x1.c02a34p-3f, z, -0x1.54dca0p+0f);
  c = fma(c, z, 0x1.03bc26p+2f);
  c = fma(c, z, -0x1.3bd39cp+2f);
  c = fma(c, z, 0x1.fffffep-1f);
  return {random_from_bits(random_as_bits(c) ^ (a & 0x80000000u)), s};
}
// An angle of at most 45 degrees, mirrored at the axis and at the diagonal, each by one bit.
static inline random_pair<double> random_direction(unsigned a, unsigned b) {
  const double t = fma((double)(int)(b >> 1), 0x1p-61, (double)(int)(a << 2) * 0x1p-32);
  const double z = t * t;
  double s = fma(0x1.e3edf3d6b39b0p-25, z, -0x1.e30060f5251ffp-19);
  s = fma(s, z, 0x1.50782fc72f854p-13);
  s = fma(s, z, -0x1.32d2cce2d2031p-8);
  s = fma(s, z, 0x1.466bc677586cep-4);
  s = fma(s, z, -0x1.4abbce625be40p-1);
  s = fma(s, z, 0x1.921fb54442d18p+0) * t;
  double c = fma(-0x1.b24f83ea60447p-28, z, 0x1.f9cbfa3a23999p-22);
  c = fma(c, z, -0x1.a6d1ec1b2a233p-16);
  c = fma(c, z, 0x1.e1f50682d77c1p-11);
  c = fma(c, z, -0x1.55d3c7e3c8b41p-6);
  c = fma(c, z, 0x1.03c1f081b5aa8p-2);
  c = fma(c, z, -0x1.3bd3cc9be45dep+0);
  c = fma(c, z, 1.0);
  c = random_from_bits(random_as_bits(c) ^ ((unsigned long long)(a & 0x80000000u) << 32));
  const bool swap = (a & 0x40000000u) != 0;
  return {swap ? s : c, swap ? c : s};
}

// Box, Muller, "A note on the generation of random normal deviates", 1958, but two pairs take one
// logarithm: the square of all four numbers' length is -2 log(u v), and a uniform number tells how
// much of it is the first pair's. u has all bits of a word, the part 23, a direction 24, and v the
// 25 that are left: the others of its word only matter once in 2^25 times.
//
// None of them is -0. That two are sums, with nothing, keeps g++ from taking four products for one.
static inline void random_normals(float (&z)[4], const philox_words& w, unsigned one) {
  const float u = (float)w.a + 0.5f, v = (float)(w.b + (w.c >> 8) + (w.d >> 16)) + 0.5f;
  const float square = random_minus_2_log_64(u * v);
  const float part = random_from_bits((w.b & 0x007fffffu) | one) - 0x1.fffffep-1f;
  const float r = random_root(square * part), s = random_root(square * (1.0f - part));
  const random_pair<float> p = random_direction_32(w.c, one), q = random_direction_32(w.d, one);
  z[0] = fma(r, p.x, 0.0f);
  z[1] = r * p.y;
  z[2] = fma(s, q.x, 0.0f);
  z[3] = s * q.y;
}
static inline random_pair<double> random_normals(const philox_words& w, double mean, double std) {
  const double r = random_root(random_minus_2_log(random_positive(w.a, w.b))) * std;
  const random_pair<double> p = random_direction(w.c, w.d);
  return {fma(r, p.x, mean), fma(r, p.y, mean)};
}

/// The last number of the type before a number.
template <class T, class Bits>
static inline T random_before(const T& x) {
  const Bits bits = __builtin_bit_cast(Bits, x), sign = (Bits)((Bits)1 << (8 * sizeof(Bits) - 1));
  const Bits before = (Bits)(bits << 1) == 0 ? (Bits)(sign | 1)
                      : (bits & sign) != 0   ? (Bits)(bits + 1)
                                             : (Bits)(bits - 1);
  return __builtin_bit_cast(T, before);
}

}  // namespace gpuarr_prelude
