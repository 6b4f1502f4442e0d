// The quotient of two float16 as a float that rounds to the same float16 as x / y does. A quotient
// of numbers of 11 bits is at least 2^-23 of it away from the middle between two of them, unless it
// is one; after one step of Newton's the error is less. GPUs divide so in half the time, and of
// what divides a whole row take the reciprocal once.

static inline float half_quotient(const float x, const float y) {
#ifdef __CUDACC_RTC__
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(y));
  const float quotient = x * reciprocal;
  const float rest = fma(-quotient, y, x), better = fma(rest, reciprocal, quotient);
  return abs(rest) > 0 ? better : quotient;
#else
  return x / y;
#endif
}
