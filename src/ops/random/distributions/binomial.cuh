// What binomial numbers prepare from trials and probability. Expects random/counts.cuh.

typedef random_binomial_setup consts;
static inline consts prepare(double trials, double p) { return random_binomial_of(trials, p); }
