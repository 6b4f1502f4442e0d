/* Special functions: a few values, and the logistic function and its inverse in all dtypes. */
#include <math.h>
#include <stdlib.h>

#include "arrays.h"

typedef gpuarr_status unary_fn(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream);

static void computes(void** state) {
  (void)state;
  static const struct {
    unary_fn* function;
    double at_half;
  } cases[] = {{gpuarr_erf, 0.52049987781304654},
               {gpuarr_gamma, 1.7724538509055161},
               {gpuarr_sinc, 0.63661977236758134}};
  gpuarr_array *x = line(GPUARR_F64, 5), *none = zeros(GPUARR_F32, 1, (const int64_t[]){0});
  assert_ok(gpuarr_array_fill(x, gpuarr_arg_f64(0.5), NULL));
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    gpuarr_array *out = NULL, *empty = NULL;
    assert_ok(cases[k].function(&out, x, NULL));
    double* values = doubles_of(out);
    for (int i = 0; i < 5; ++i) assert_close(values[i], cases[k].at_half, 1e-15);
    free(values);
    assert_ok(cases[k].function(&empty, none, NULL));
    assert_int_equal(gpuarr_array_dtype(empty), GPUARR_F32);
    release_arrays((gpuarr_array*[]){out, empty}, 2);
  }
  release_arrays((gpuarr_array*[]){x, none}, 2);
}

/* What is right, of numbers that a dtype holds; each in another way than the library has it. */
static long double right_expit(long double x) { return 1 / (1 + expl(-x)); }
static long double right_logit(long double x) {
  return x > 0.25L && x < 0.75L ? 2 * atanhl(2 * x - 1) : logl(x / (1 - x));
}

static void assert_near(double got, long double wanted, double epsilon, double least) {
  const int is_near = fabsl(got - wanted) <= 4 * (epsilon * fabsl(wanted) + least);
  if ((isnan(got) && isnan(wanted)) || got == wanted || is_near) return;
  fail_msg("%.17g, not %.21Lg", got, wanted);
}

enum { CHOSEN = 20, DRAWN = 500, NUMBERS = CHOSEN + DRAWN };

/* In all dtypes of floats, whose epsilons and least numbers are 2 to the power of these. */
static void agrees(unary_fn* function, long double (*right)(long double), const double* numbers) {
  static const struct {
    gpuarr_dtype dtype;
    int epsilon, least;
  } kinds[] = {{GPUARR_F16, -10, -24},
               {GPUARR_BF16, -7, -133},
               {GPUARR_F32, -23, -149},
               {GPUARR_F64, -52, -1074}};
  gpuarr_array* wide = from(GPUARR_F64, 1, (const int64_t[]){NUMBERS}, numbers);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    gpuarr_array *x = NULL, *out = NULL;
    assert_ok(gpuarr_array_astype(&x, wide, kinds[k].dtype, NULL));
    assert_ok(function(&out, x, NULL));
    assert_int_equal(gpuarr_array_dtype(out), kinds[k].dtype);
    double *given = doubles_of(x), *got = doubles_of(out);
    for (int i = 0; i < NUMBERS; ++i)
      assert_near(got[i], right(given[i]), ldexp(1, kinds[k].epsilon), ldexp(1, kinds[k].least));
    free(given);
    free(got);
    release_arrays((gpuarr_array*[]){x, out}, 2);
  }
  gpuarr_array_release(wide);
}

static void is_logistic(void** state) {
  (void)state;
  double x[NUMBERS] = {0,   -0.0, 1,   -1,   INFINITY, -INFINITY, NAN,    17,   -17,    40,
                       -40, 90,   -90, -100, 709,      -710,      -744.5, 1e30, -1e300, 1e-300};
  for (int i = CHOSEN; i < NUMBERS; ++i) x[i] = (random_unit() - 0.5) * (i % 2 == 0 ? 20 : 1500);
  agrees(gpuarr_expit, right_expit, x);
}

static void is_inverse_of_logistic(void** state) {
  (void)state;
  const double half_up = nextafter(0.5, 1), half_down = nextafter(0.5, 0);
  double x[NUMBERS] = {0,      -0.0,  1,    0.5,   half_up, half_down, 0.25,
                       0.75,   NAN,   -1,   1.25,  2,       INFINITY,  -INFINITY,
                       1e-300, 1e-40, 1e-5, -1e-5, 0.4999,  0.5001};
  for (int i = CHOSEN; i < NUMBERS; ++i)
    x[i] = i % 2 == 0 ? random_unit() : 0.5 + ldexp(random_unit() - 0.5, -(i % 50));
  agrees(gpuarr_logit, right_logit, x);
}

static void make_floats_for_logistic(void** state) {
  (void)state;
  static const gpuarr_dtype pairs[][2] = {
      {GPUARR_I8, GPUARR_F16}, {GPUARR_U16, GPUARR_F32}, {GPUARR_I64, GPUARR_F64}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
    gpuarr_array *x = ramp(pairs[k][0], 2), *out[2] = {NULL, NULL};
    assert_ok(gpuarr_expit(&out[0], x, NULL));
    assert_ok(gpuarr_logit(&out[1], x, NULL));
    for (int i = 0; i < 2; ++i) assert_int_equal(gpuarr_array_dtype(out[i]), pairs[k][1]);
    double* values = doubles_of(out[0]);
    assert_near(values[0], 0.5L, 0, 0);
    assert_near(values[1], right_expit(1), pairs[k][1] == GPUARR_F16 ? 0x1p-10 : 0x1p-23, 0);
    free(values);
    assert_values(out[1], 2, (const double[]){-INFINITY, INFINITY});
    release_arrays((gpuarr_array*[]){x, out[0], out[1]}, 3);
  }
  gpuarr_array *complex = line(GPUARR_C64, 3), *none = NULL;
  assert_status(gpuarr_expit(&none, complex, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("gpuarr_expit: expit is not defined for complex64; it takes floats");
  assert_status(gpuarr_logit(&none, complex, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("gpuarr_logit: logit is not defined for complex64; it takes floats");
  assert_null(none);
  gpuarr_array_release(complex);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(computes),
      cmocka_unit_test(is_logistic),
      cmocka_unit_test(is_inverse_of_logistic),
      cmocka_unit_test(make_floats_for_logistic),
  };
  return run_suite(tests);
}
