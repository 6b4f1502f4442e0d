// The logarithm of the gamma function's absolute value. C's lgamma writes the sign into a variable
// that all threads share. Expects C.

#ifdef __CUDACC_RTC__
static inline C log_gamma(C x) { return lgamma(x); }
#else
extern "C" float lgammaf_r(float, int*) noexcept;
extern "C" double lgamma_r(double, int*) noexcept;
static inline C log_gamma(C x) {
  int sign;
  return sizeof(C) == 4 ? lgammaf_r(x, &sign) : lgamma_r(x, &sign);
}
#endif
