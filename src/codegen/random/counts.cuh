// Gamma, Poisson and binomial numbers: methods of rejection, in double, whose attempts each have
// bits of their own. Numbers that are no parameters give NaN, or -1 as a count.

namespace gpuarr_prelude {

constexpr unsigned random_attempts = 1u << 15;  // never so many: most are accepted at once

/// log(k!) - ((k + 1/2) log(k) - k + log(2 pi) / 2), by Stirling's series.
static inline double random_stirling(double k) {
  if (k > 15.0) {
    const double z = 1.0 / (k * k);
    double s = fma(-0x1.3813813813814p-11, z, 0x1.a01a01a01a01ap-11);
    s = fma(s, z, -0x1.6c16c16c16c17p-9);
    s = fma(s, z, 0x1.5555555555555p-4);
    return s / k;
  }
  double factorial = 1.0;
  for (double i = 2.0; i <= k; i += 1.0) factorial *= i;
  return random_log(factorial) - ((k + 0.5) * random_log(k) - k + 0x1.d67f1c864beb5p-1);
}

/// x log(x / m) + m - x, also where its terms cancel.
static inline double random_deviance(double x, double m) {
  const double d = x - m;
  if (fabs(d) >= 0.1 * (x + m)) return x * random_log(x / m) - d;
  const double v = d / (x + m), z = v * v;
  double sum = d * v, term = 2.0 * x * v;
  for (double j = 3.0; j < 60.0; j += 2.0) {
    term *= z;
    const double more = sum + term / j;
    if (more == sum) break;
    sum = more;
  }
  return sum;
}

// Marsaglia, Tsang, "A simple method for generating gamma variables", 2000.
struct random_gamma_setup {
  double shape, d, c;
};
static inline random_gamma_setup random_gamma_of(double shape) {
  const double d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0;
  return {shape, d, 1.0 / sqrt(9.0 * d)};
}
static inline double random_gamma(const philox_place& at, unsigned long long step,
                                  const random_gamma_setup& q) {
  if (!(q.shape > 0.0)) return NAN;
  if (!(q.shape < INFINITY)) return q.shape;
  double made = q.d;
  for (unsigned attempt = 0; attempt < random_attempts; ++attempt) {
    const double x = random_normals(philox_step(at, step, 2 * attempt), 0.0, 1.0).x;
    const double t = fma(q.c, x, 1.0), v = t * t * t;
    if (!(t > 0.0)) continue;
    const philox_words w = philox_step(at, step, 2 * attempt + 1);
    const double u = random_positive(w.a, w.b), z = x * x;
    if (u >= 1.0 - 0.0331 * (z * z) && random_log(u) >= 0.5 * z + q.d * (1.0 - v + random_log(v)))
      continue;
    made = q.d * v;
    if (q.shape < 1.0) made *= random_exp(random_log(random_positive(w.c, w.d)) / q.shape);
    break;
  }
  return made;
}

// Hörmann, "The transformed rejection method for generating Poisson random variables" (PTRS), 1993,
// from a mean of 10 on. Probabilities are computed as by Loader, "Fast and accurate computation of
// binomial probabilities", 2000, so that large means lose no digits.
static inline double random_poisson_log(double k, double mean) {
  if (k == 0.0) return -mean;
  return -0.5 * random_log(0x1.921fb54442d18p+2 * k) - random_stirling(k) -
         random_deviance(k, mean);
}
struct random_poisson_setup {
  double mean, none, a, b, r, top;  // `none` is the probability of 0
};
static inline random_poisson_setup random_poisson_of(double mean) {
  if (mean < 10.0) return {mean, random_exp(-mean), 0.0, 0.0, 0.0, 0.0};
  const double b = 0.931 + 2.53 * sqrt(mean);
  return {
      mean, 0.0, -0.059 + 0.02483 * b, b, 0.9277 - 3.6224 / (b - 2.0), 1.1239 + 1.1328 / (b - 3.4)};
}
static inline long long random_poisson(const philox_place& at, unsigned long long step,
                                       const random_poisson_setup& q) {
  const double mean = q.mean;
  if (!(mean >= 0.0 && mean <= 0x1.fffffep62)) return -1;
  if (mean < 10.0) {
    const philox_words w = philox_step(at, step);
    const double u = random_whole(w.a, w.b) * 0x1p-53;
    double p = q.none, sum = p;
    long long k = 0;
    while (u >= sum && k < 200) {
      ++k;
      p *= mean / (double)k;
      sum += p;
    }
    return k;
  }
  double k = floor(mean);
  for (unsigned attempt = 0; attempt < random_attempts; ++attempt) {
    const philox_words w = philox_step(at, step, attempt);
    const double u = random_positive(w.a, w.b) - 0.5, v = random_positive(w.c, w.d);
    const double s = 0.5 - fabs(u);
    const double found = floor(fma(2.0 * q.a / s + q.b, u, mean + 0.43));
    const bool inside = s >= 0.07 && v <= q.r;
    const bool counts = found >= 0.0 && found <= 0x1.fffffffffffffp62;
    if (!inside && (!counts || (s < 0.013 && v > s))) continue;
    k = found;
    if (inside || random_log(v * q.top / (q.a / (s * s) + q.b)) <= random_poisson_log(k, mean))
      break;
  }
  return (long long)k;
}

// Hörmann, "The generation of binomial random variates" (BTRS), 1993, from a mean of 10 on.
static inline double random_binomial_log(double k, double n, double p) {
  const double q = 1.0 - p;
  if (k == 0.0) return n * random_log1p(-p);
  if (k == n) return n * random_log(p);
  return random_stirling(n) - random_stirling(k) - random_stirling(n - k) -
         random_deviance(k, n * p) - random_deviance(n - k, n * q) +
         0.5 * random_log(n / (0x1.921fb54442d18p+2 * k * (n - k)));
}
struct random_binomial_setup {
  double n, p, mean, none, odds, a, b, r, top, mode, at_mode;  // p is at most 1/2
  bool mirrored, valid;
};
static inline random_binomial_setup random_binomial_of(double n, double likely) {
  random_binomial_setup q = {};
  q.valid = n >= 0.0 && n <= 0x1p53 && n == floor(n) && likely >= 0.0 && likely <= 1.0;
  q.mirrored = likely > 0.5;
  q.n = n;
  q.p = q.mirrored ? 1.0 - likely : likely;
  q.mean = n * q.p;
  if (q.mean < 10.0) {
    q.none = random_exp(n * random_log1p(-q.p));
    q.odds = q.p / (1.0 - q.p);
    return q;
  }
  const double spread = sqrt(q.mean * (1.0 - q.p));
  q.b = 1.15 + 2.53 * spread;
  q.a = -0.0873 + 0.0248 * q.b + 0.01 * q.p;
  q.r = 0.92 - 4.2 / q.b;
  q.top = (2.83 + 5.1 / q.b) * spread;
  q.mode = floor((n + 1.0) * q.p);
  q.at_mode = random_binomial_log(q.mode, n, q.p);
  return q;
}
static inline double random_binomial_half(const philox_place& at, unsigned long long step,
                                          const random_binomial_setup& q) {
  if (q.mean < 10.0) {
    const philox_words w = philox_step(at, step);
    const double u = random_whole(w.a, w.b) * 0x1p-53;
    double term = q.none, sum = term, k = 0.0;
    while (u >= sum && k < q.n && k < 200.0) {
      term *= q.odds * ((q.n - k) / (k + 1.0));
      k += 1.0;
      sum += term;
    }
    return k;
  }
  double k = q.mode;
  for (unsigned attempt = 0; attempt < random_attempts; ++attempt) {
    const philox_words w = philox_step(at, step, attempt);
    const double u = random_positive(w.a, w.b) - 0.5, v = random_positive(w.c, w.d);
    const double s = 0.5 - fabs(u);
    const double found = floor(fma(2.0 * q.a / s + q.b, u, q.mean + 0.5));
    const bool inside = s >= 0.07 && v <= q.r;
    if (!inside && !(found >= 0.0 && found <= q.n)) continue;
    k = found;
    if (inside || random_log(v * q.top / (q.a / (s * s) + q.b)) <=
                      random_binomial_log(k, q.n, q.p) - q.at_mode)
      break;
  }
  return k;
}
static inline long long random_binomial(const philox_place& at, unsigned long long step,
                                        const random_binomial_setup& q) {
  if (!q.valid) return -1;
  const double k = random_binomial_half(at, step, q);
  return (long long)(q.mirrored ? q.n - k : k);
}

}  // namespace gpuarr_prelude
