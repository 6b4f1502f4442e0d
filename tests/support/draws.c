#include "draws.h"

#include <math.h>
#include <string.h>

#include "support.h"

#define DRAW(name, function, ...)                                                        \
  static gpuarr_status name(gpuarr_array** out, gpuarr_generator* g, gpuarr_dtype dtype, \
                            int32_t ndim, const int64_t* shape, gpuarr_stream* stream) { \
    (void)dtype;                                                                         \
    return gpuarr_random_##function(out, g, __VA_ARGS__, ndim, shape, stream);           \
  }
#define REAL(x) gpuarr_arg_f64(x)
#define WHOLE(x) gpuarr_arg_i64(x)

DRAW(uniform, uniform, REAL(-1), REAL(3), dtype)
DRAW(normal, normal, REAL(1), REAL(2), dtype)
DRAW(lognormal, lognormal, REAL(0), REAL(0.5), dtype)
DRAW(exponential, exponential, REAL(2), dtype)
DRAW(gamma_of_3, gamma, REAL(3), REAL(1), dtype)
DRAW(gamma_of_half, gamma, REAL(0.5), REAL(1), dtype)
DRAW(few, poisson, REAL(3.5))
DRAW(many, poisson, REAL(250))
DRAW(few_of_20, binomial, WHOLE(20), REAL(0.25))
DRAW(many_of_1000, binomial, WHOLE(1000), REAL(0.6))
DRAW(bernoulli, bernoulli, REAL(0.3))
DRAW(integers, integers, WHOLE(10), WHOLE(110), dtype)
DRAW(rejecting, integers, WHOLE(0), WHOLE(3000000000), dtype)
DRAW(wide, integers, WHOLE(0), WHOLE(3000000000000000000), dtype)

static const double root_half = 0.70710678118654752440;
static double of_uniform(double x) { return (x + 1) / 4; }
static double of_normal(double x) { return erfc((1 - x) / 2 * root_half) / 2; }
static double of_lognormal(double x) { return erfc(-log(x) / 0.5 * root_half) / 2; }
static double of_exponential(double x) { return -expm1(-x / 2); }
static double of_gamma(double x) { return 1 - exp(-x) * (1 + x + x * x / 2); }
static double of_root(double x) { return erf(sqrt(x)); }

/* clang-format off */
const struct draw draws[] = {
  {"uniform", GPUARR_F32, uniform, 4, 0x29a73ea32137ed82, 1, 1.1547005, of_uniform},
  {"uniform", GPUARR_F64, uniform, 2, 0x26eb22671c51418f, 1, 1.1547005, of_uniform},
  {"uniform", GPUARR_F16, uniform, 4, 0x61ecc11c3950bd3f, 1, 1.1547005, NULL},
  {"uniform", GPUARR_BF16, uniform, 4, 0xce095f4d6e95ac96, 1, 1.1547005, NULL},
  {"normal", GPUARR_F32, normal, 4, 0xff73f98cb02ca34a, 1, 2, of_normal},
  {"normal", GPUARR_F64, normal, 2, 0xd1962431a5bf4e1b, 1, 2, of_normal},
  {"normal", GPUARR_F16, normal, 4, 0xd637824592038318, 1, 2, NULL},
  {"normal", GPUARR_BF16, normal, 4, 0x0a0e008a18eca2e9, 1, 2, NULL},
  {"lognormal", GPUARR_F32, lognormal, 4, 0x5607fbfda036745c, 1.1331485, 0.60390053, of_lognormal},
  {"lognormal", GPUARR_F64, lognormal, 2, 0x964c13bf248cc75e, 1.1331485, 0.60390053, of_lognormal},
  {"exponential", GPUARR_F32, exponential, 4, 0xec556046268cf79a, 2, 2, of_exponential},
  {"exponential", GPUARR_F64, exponential, 2, 0x32ac80ea242bb3fa, 2, 2, of_exponential},
  {"gamma", GPUARR_F32, gamma_of_3, 1, 0xd56030b1cca78450, 3, 1.7320508, of_gamma},
  {"gamma", GPUARR_F64, gamma_of_3, 1, 0x74222e16c741a73c, 3, 1.7320508, of_gamma},
  {"gamma of 1/2", GPUARR_F64, gamma_of_half, 1, 0x66ff95d3f84fc38e, 0.5, 0.70710678, of_root},
  {"poisson", GPUARR_I64, few, 1, 0xc762efc569d6f7e8, 3.5, 1.8708287, NULL},
  {"large poisson", GPUARR_I64, many, 1, 0x21ecb1d44339c444, 250, 15.811388, NULL},
  {"binomial", GPUARR_I64, few_of_20, 1, 0xe91a84c703f426a6, 5, 1.9364917, NULL},
  {"large binomial", GPUARR_I64, many_of_1000, 1, 0x726e3f1a2d860e4a, 600, 15.491933, NULL},
  {"bernoulli", GPUARR_BOOL, bernoulli, 4, 0xc8a315ff4f3b7189, 0.3, 0.45825757, NULL},
  {"integers", GPUARR_I8, integers, 4, 0x78f64a14ef00b4e6, 59.5, 28.866070, NULL},
  {"integers", GPUARR_U16, integers, 4, 0x71c4985edd09446a, 59.5, 28.866070, NULL},
  {"integers", GPUARR_I32, integers, 4, 0xbd6de2656431352a, 59.5, 28.866070, NULL},
  {"integers", GPUARR_I64, integers, 4, 0xc70d7b6d032c688a, 59.5, 28.866070, NULL},
  {"rejecting", GPUARR_U32, rejecting, 4, 0x7c8b79e4c611baf4, 1.5e9, 8.6602540e8, NULL},
  {"wide", GPUARR_U64, wide, 2, 0x7a67d265954b83d7, 1.5e18, 8.6602540e17, NULL},
};
/* clang-format on */
const int draw_count = sizeof draws / sizeof *draws;

const struct draw* draw_called(const char* name, gpuarr_dtype dtype) {
  for (int k = 0; k < draw_count; ++k)
    if (strcmp(draws[k].name, name) == 0 && draws[k].dtype == dtype) return &draws[k];
  fail_msg("there is no draw %s of dtype %d", name, dtype);
  return NULL;
}

gpuarr_generator* generator(uint64_t seed, uint64_t stream) {
  gpuarr_generator* made = NULL;
  assert_ok(gpuarr_generator_create(&made, open_test_device(), seed, stream));
  return made;
}
