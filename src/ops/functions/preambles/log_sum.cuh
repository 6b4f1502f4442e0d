// Logarithms of sums, from the logarithms of what is added up. Expects C.

static inline C log_of_sum(C x, C y) {
  const C most = x > y ? x : y, apart = fabs(x - y);
  return x == y ? x + C(M_LN2) : most + log1p(exp(-apart));
}
static inline C log2_of_sum(C x, C y) {
  const C most = x > y ? x : y, apart = fabs(x - y);
  return x == y ? x + 1 : most + log1p(exp2(-apart)) * C(M_LOG2E);
}
