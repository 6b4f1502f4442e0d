// The rest of CUDA's functions of real numbers on the host: rare ones, and names for one type.
// Float's are computed in double where that is short.

GPUARR_MATH1(, j0)
GPUARR_MATH1(, j1)
GPUARR_MATH1(, y0)
GPUARR_MATH1(, y1)
extern "C" double jn(int, double) noexcept;
extern "C" double yn(int, double) noexcept;
extern "C" float jnf(int, float) noexcept;
extern "C" float ynf(int, float) noexcept;
extern "C" double nan(const char*) noexcept;
extern "C" float nanf(const char*) noexcept;
extern "C" double remquo(double, double, int*) noexcept;
extern "C" float remquof(float, float, int*) noexcept;
extern "C" double scalbln(double, long) noexcept;
extern "C" float scalblnf(float, long) noexcept;
extern "C" long labs(long) noexcept __attribute__((const));
extern "C" long long llabs(long long) noexcept __attribute__((const));

namespace gpuarr_prelude {

template <class A, class R = gpuarr_detail::real<A>>
inline R jn(int n, A x) {
  if constexpr (sizeof(R) == 4)
    return ::jnf(n, x);
  else
    return ::jn(n, double(x));
}
template <class A, class R = gpuarr_detail::real<A>>
inline R yn(int n, A x) {
  if constexpr (sizeof(R) == 4)
    return ::ynf(n, x);
  else
    return ::yn(n, double(x));
}
template <int = 0>
inline float remquo(float x, float y, int* quotient) {
  return ::remquof(x, y, quotient);
}
template <int = 0>
inline float scalbln(float x, long e) {
  return ::scalblnf(x, e);
}
template <int = 0>
inline float scalbnf(float x, int e) {
  return ::ldexpf(x, e);
}
template <int = 0>
inline long lrintf(float x) {
  return lrint(x);
}
template <int = 0>
inline long long llrintf(float x) {
  return llrint(x);
}
template <int = 0>
inline long lroundf(float x) {
  return lround(x);
}
template <int = 0>
inline long long llroundf(float x) {
  return llround(x);
}
template <int = 0>
inline void sincospif(float x, float* s, float* c) {
  sincospi(x, s, c);
}
template <int = 0>
inline int finite(double x) {
  return isfinite(x);
}
inline unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
inline unsigned umax(unsigned x, unsigned y) { return x > y ? x : y; }
inline long long llmin(long long x, long long y) { return x < y ? x : y; }
inline long long llmax(long long x, long long y) { return x > y ? x : y; }
inline unsigned long long ullmin(unsigned long long x, unsigned long long y) {
  return x < y ? x : y;
}
inline unsigned long long ullmax(unsigned long long x, unsigned long long y) {
  return x > y ? x : y;
}

namespace gpuarr_detail {

// The length of a vector: scaled, so that no square overflows or vanishes.
template <class R>
inline R length(const R* x, int n) {
  R largest = 0;
  for (int i = 0; i < n; ++i) {
    const R part = abs(x[i]);
    if (isinf(part)) return part;
    largest = part > largest || part != part ? part : largest;
  }
  if (largest == 0 || largest != largest) return largest;
  int exponent;
  frexp(largest, &exponent);
  R sum = 0;
  for (int i = 0; i < n; ++i) {
    const R part = ldexp(x[i], -exponent);
    sum += part * part;
  }
  return ldexp(sqrt(sum), exponent);
}

inline double horner(double x, const double* c) {  // of degree 7
  double sum = c[7];
  for (int i = 6; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

// The quantile of the normal distribution at 1/2 + q, where tail = 1/2 - |q| is given apart since
// it may be small. Algorithm AS 241 of M. J. Wichura, Applied Statistics 37 (1988), 477-484.
inline double normal_quantile(double q, double tail) {
  constexpr double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                          1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                          3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr double b[] = {1,
                          4.2313330701600911252e1,
                          6.8718700749205790830e2,
                          5.3941960214247511077e3,
                          2.1213794301586595867e4,
                          3.9307895800092710610e4,
                          2.8729085735721942674e4,
                          5.2264952788528545610e3};
  constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                          5.76949722146069140550e0,  3.64784832476320460504e0,
                          1.27045825245236838258e0,  2.41780725177450611770e-1,
                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double d[] = {1,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9};
  constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                          1.78482653991729133580e0,  2.96560571828504891230e-1,
                          2.65321895265761230930e-2, 1.24266094738807843860e-3,
                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double f[] = {1,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};
  if (fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * horner(r, a) / horner(r, b);
  }
  if (!(tail > 0)) return tail == 0 ? copysign((double)INFINITY, q) : (double)NAN;
  const double r = sqrt(-log(tail));
  const double x =
      r <= 5 ? horner(r - 1.6, c) / horner(r - 1.6, d) : horner(r - 5, e) / horner(r - 5, f);
  return copysign(x, q);
}

// exp(x * x) with the square's own rounding error made good.
inline double exp_of_square(double x) {
  const double square = x * x, error = __builtin_fma(x, x, -square);
  return exp(square) * (1 + error);
}

// exp(x^2) erfc(x); where x is large, Abramowitz and Stegun, 7.1.23.
inline double scaled_erfc(double x) {
  if (x < -30) return INFINITY;
  if (!(x > 10)) return exp_of_square(x) * erfc(x);
  double sum = 1, term = 1;
  for (int k = 1; fabs(term) > 1e-17; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * 1.7724538509055160273);
}

// Modified Bessel functions of order 0 and 1, which have only positive terms in the power series:
// Abramowitz and Stegun, 9.6.10 and, where x is large, 9.7.1.
// The terms are of one sign, but many: as doubles their errors would add up to 10 ulp.
inline double bessel_i(int order, double x) {
  const double y = fabs(x);
  long double sum = 1, term = 1;
  if (y < 22) {
    const long double quarter = (long double)y * y / 4;
    for (int k = 1; term > 1e-17 * sum; ++k) sum += term *= quarter / ((double)k * (k + order));
    return (double)(order == 0 ? sum : sum * x / 2);
  }
  if (y > 800) return order == 0 ? (double)INFINITY : copysign((double)INFINITY, x);
  for (int k = 1; fabs((double)term) > 1e-17; ++k) {
    const double odd = 2 * k - 1;
    sum += term *= (odd * odd - 4 * order) / (8 * k * (long double)y);
  }
  const double root = exp(y / 2);
  const double value = root * (double)(sum / sqrt(2 * M_PI * y)) * root;
  return order == 0 ? value : copysign(value, x);
}

}  // namespace gpuarr_detail

template <class R>
inline R norm(int n, const R* x) {
  return gpuarr_detail::length(x, n);
}
template <class R>
inline R rnorm(int n, const R* x) {
  return 1 / gpuarr_detail::length(x, n);
}
template <class A, class B, class C, class R = gpuarr_detail::real<gpuarr_detail::common<A, B>, C>>
inline R norm3d(A x, B y, C z) {
  const R parts[] = {R(x), R(y), R(z)};
  return gpuarr_detail::length(parts, 3);
}
template <class A, class B, class C, class D,
          class R = gpuarr_detail::real<gpuarr_detail::common<A, B>, gpuarr_detail::common<C, D>>>
inline R norm4d(A x, B y, C z, D w) {
  const R parts[] = {R(x), R(y), R(z), R(w)};
  return gpuarr_detail::length(parts, 4);
}
template <class A, class B, class C>
inline auto rnorm3d(A x, B y, C z) -> decltype(norm3d(x, y, z)) {
  return 1 / norm3d(x, y, z);
}
template <class A, class B, class C, class D>
inline auto rnorm4d(A x, B y, C z, D w) -> decltype(norm4d(x, y, z, w)) {
  return 1 / norm4d(x, y, z, w);
}
template <int = 0>
inline float normf(int n, const float* x) {
  return norm(n, x);
}
template <int = 0>
inline float rnormf(int n, const float* x) {
  return rnorm(n, x);
}
template <int = 0>
inline float norm3df(float x, float y, float z) {
  return norm3d(x, y, z);
}
template <int = 0>
inline float norm4df(float x, float y, float z, float w) {
  return norm4d(x, y, z, w);
}
template <int = 0>
inline float rnorm3df(float x, float y, float z) {
  return rnorm3d(x, y, z);
}
template <int = 0>
inline float rnorm4df(float x, float y, float z, float w) {
  return rnorm4d(x, y, z, w);
}
template <int = 0>
inline float rhypotf(float x, float y) {
  return rhypot(x, y);
}

// Each for any number, and for a float under its own name.
#define GPUARR_COMPUTED(name, expression)                  \
  namespace gpuarr_detail {                                \
  inline double name##_of(double x) { return expression; } \
  }                                                        \
  template <class A, class R = gpuarr_detail::real<A>>     \
  inline R name(A x) {                                     \
    return (R)gpuarr_detail::name##_of(x);                 \
  }                                                        \
  template <int = 0>                                       \
  inline float name##f(float x) {                          \
    return (float)gpuarr_detail::name##_of(x);             \
  }
GPUARR_COMPUTED(normcdfinv, normal_quantile(x - 0.5, x < 0.5 ? x : 1 - x))
GPUARR_COMPUTED(erfinv, normal_quantile(x / 2, (1 - fabs(x)) / 2) * M_SQRT1_2)
GPUARR_COMPUTED(erfcinv, normal_quantile((1 - x) / 2, (x < 1 ? x : 2 - x) / 2) * M_SQRT1_2)
GPUARR_COMPUTED(erfcx, scaled_erfc(x))
GPUARR_COMPUTED(cyl_bessel_i0, bessel_i(0, x))
GPUARR_COMPUTED(cyl_bessel_i1, bessel_i(1, x))
#undef GPUARR_COMPUTED

}  // namespace gpuarr_prelude
