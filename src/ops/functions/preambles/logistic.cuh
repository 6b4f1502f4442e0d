// The logistic function and its inverse. Expects C.

// The exponential is at most 1, so that neither tail overflows or loses digits.
static inline C logistic(const C& x) {
  const C part = exp(-fabs(x));
  return (x < 0 ? part : C(1)) / (1 + part);
}

// Near 1/2, where the logarithm is near 0, 2 x - 1 is exact. With both before the choice, a CPU
// computes them in vectors.
static inline C log_odds(const C& x) {
  const C near = log1p((2 * x - 1) / (1 - x)), far = log(x / (1 - x));
  return fabs(x - C(0.5)) < C(0.25) ? near : far;
}
