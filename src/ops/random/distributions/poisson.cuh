// What Poisson numbers prepare from their mean. Expects random/counts.cuh.

typedef random_poisson_setup consts;
static inline consts prepare(double lam) { return random_poisson_of(lam); }
