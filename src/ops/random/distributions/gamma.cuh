// What gamma numbers prepare from their shape and scale. Expects random/counts.cuh.

struct consts : random_gamma_setup {
  double scale;
};
static inline consts prepare(double k, double scale) { return {random_gamma_of(k), scale}; }
