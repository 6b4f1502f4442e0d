/* Draws that must fail, with what they say; and numbers that must come out all the same. */
#include <math.h>

#include "arrays.h"
#include "draws.h"

static gpuarr_generator* g;
static const int64_t four = 4;

static gpuarr_arg real(double x) { return gpuarr_arg_f64(x); }
static gpuarr_arg whole(int64_t x) { return gpuarr_arg_i64(x); }

/* A draw that fails leaves the generator and *out alone. */
static void assert_refused(gpuarr_status status, const gpuarr_array* out, gpuarr_status expected,
                           const char* says) {
  assert_status(status, expected);
  assert_message_has(says);
  assert_null(out);
  assert_true(gpuarr_generator_position(g) == 0);
}

/* What is asked for besides an array that is there must be what that is. */
static void contradictions(void** state) {
  (void)state;
  const int64_t five = 5, column[] = {4, 1}, none[] = {0};
  gpuarr_array* given = zeros(GPUARR_F32, 1, &four);
  gpuarr_array* out = given;
  const gpuarr_arg low = real(0), high = real(1);
  const struct {
    gpuarr_dtype dtype;
    int32_t ndim;
    const int64_t* shape;
    gpuarr_status status;
    const char* says;
  } cases[] = {
      {GPUARR_F64, 1, &four, GPUARR_ERR_DTYPE, "dtype is float64, but *out is float32; give 0"},
      {99, 1, &four, GPUARR_ERR_DTYPE, "dtype is 99"},
      {GPUARR_F32, 1, &five, GPUARR_ERR_SHAPE, "shape is (5,), but *out has (4,); give ndim 0"},
      {0, 2, column, GPUARR_ERR_SHAPE, "shape is (4, 1), but *out has (4,)"},
      {0, 0, none, GPUARR_ERR_SHAPE, "shape is (), but *out has (4,)"},
      {0, 1, NULL, GPUARR_ERR_ARGUMENT, "shape is NULL, but ndim is 1"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    assert_status(gpuarr_random_uniform(&out, g, low, high, cases[k].dtype, cases[k].ndim,
                                        cases[k].shape, NULL),
                  cases[k].status);
    assert_message_has(cases[k].says);
  }
  assert_status(gpuarr_random_integers(&out, g, whole(0), whole(9), GPUARR_I64, 0, NULL, NULL),
                GPUARR_ERR_DTYPE);
  assert_status(gpuarr_random_poisson(&out, g, real(1), 1, &five, NULL), GPUARR_ERR_SHAPE);
  assert_status(gpuarr_random_choice(&out, g, 3, NULL, 1, 1, &five, NULL), GPUARR_ERR_SHAPE);
  assert_true(out == given && gpuarr_generator_position(g) == 0);
  assert_ok(gpuarr_random_uniform(&out, g, low, high, GPUARR_F32, 1, &four, NULL));
  assert_ok(gpuarr_random_uniform(&out, g, low, high, 0, 0, NULL, NULL));
  assert_ok(gpuarr_generator_set_position(g, 0));
  gpuarr_array_release(given);
}

static void numbers(void** state) {
  (void)state;
  gpuarr_array* out = NULL;
  const struct {
    double low, high;
    gpuarr_dtype dtype;
    gpuarr_status status;
    const char* says;
  } uniforms[] = {
      {NAN, 1, GPUARR_F32, GPUARR_ERR_ARGUMENT, "low is nan; give a finite number"},
      {0, INFINITY, GPUARR_F32, GPUARR_ERR_ARGUMENT, "high is inf; give a finite number"},
      {2, 1, GPUARR_F32, GPUARR_ERR_ARGUMENT, "low is 2 and high is 1"},
      {-3e38, 3e38, GPUARR_F32, GPUARR_ERR_DTYPE, "high - low is 6e+38"},
      {0, 1e6, GPUARR_F16, GPUARR_ERR_DTYPE, "high is 1000000"},
      {0, 1, GPUARR_I32, GPUARR_ERR_DTYPE, "uniform numbers cannot be int32; give a floating type"},
      {0, 1, GPUARR_C64, GPUARR_ERR_DTYPE, "uniform numbers cannot be complex64"},
      {0, 1, 99, GPUARR_ERR_DTYPE, "dtype is 99"},
  };
  for (size_t k = 0; k < sizeof uniforms / sizeof *uniforms; ++k)
    assert_refused(gpuarr_random_uniform(&out, g, real(uniforms[k].low), real(uniforms[k].high),
                                         uniforms[k].dtype, 1, &four, NULL),
                   out, uniforms[k].status, uniforms[k].says);
  assert_refused(gpuarr_random_normal(&out, g, real(0), real(-1), GPUARR_F32, 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT,
                 "gpuarr_random_normal: std is -1; give a finite number, 0 or");
  assert_refused(gpuarr_random_lognormal(&out, g, real(NAN), real(1), GPUARR_F32, 1, &four, NULL),
                 out, GPUARR_ERR_ARGUMENT, "mean is nan");
  assert_refused(gpuarr_random_exponential(&out, g, real(-2), GPUARR_F32, 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "scale is -2");
  assert_refused(gpuarr_random_gamma(&out, g, real(0), real(1), GPUARR_F32, 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "k is 0; give a finite number above 0");
  assert_refused(gpuarr_random_poisson(&out, g, real(1e19), 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "lam is 1e+19; give a number from 0 to 9.22e18");
  assert_refused(gpuarr_random_binomial(&out, g, real(2.5), real(0.5), 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "trials is 2.5; give a whole number");
  assert_refused(gpuarr_random_binomial(&out, g, whole(2), real(1.5), 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "p is 1.5; give a probability, from 0 to 1");
  assert_refused(gpuarr_random_bernoulli(&out, g, real(NAN), 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "p is nan");
  assert_refused(
      gpuarr_random_uniform(&out, g, gpuarr_arg_c64(1, 2), real(1), GPUARR_F32, 1, &four, NULL),
      out, GPUARR_ERR_DTYPE, "low");
}

/* Without an imaginary part too: kernels that take the scalars as they are would not compile. */
static void complex_scalars(void** state) {
  (void)state;
  const gpuarr_arg two = gpuarr_arg_c64(2, 0), half = gpuarr_arg_c128(0.5, 0);
  gpuarr_array* out = NULL;
  assert_refused(gpuarr_random_poisson(&out, g, two, 1, &four, NULL), out, GPUARR_ERR_DTYPE,
                 "lam is complex64; give real numbers");
  assert_refused(gpuarr_random_binomial(&out, g, two, real(0.5), 1, &four, NULL), out,
                 GPUARR_ERR_DTYPE, "trials is complex64; give real numbers");
  assert_refused(gpuarr_random_binomial(&out, g, whole(2), half, 1, &four, NULL), out,
                 GPUARR_ERR_DTYPE, "p is complex128; give real numbers");
  assert_refused(gpuarr_random_gamma(&out, g, two, half, GPUARR_F32, 1, &four, NULL), out,
                 GPUARR_ERR_DTYPE, "k is complex64; give real numbers");
  assert_refused(gpuarr_random_integers(&out, g, whole(0), two, GPUARR_I32, 1, &four, NULL), out,
                 GPUARR_ERR_DTYPE, "high is complex64; give real numbers");
}

static void whole_numbers(void** state) {
  (void)state;
  gpuarr_array* out = NULL;
  const struct {
    gpuarr_arg low, high;
    gpuarr_dtype dtype;
    gpuarr_status status;
    const char* says;
  } ranges[] = {
      {whole(5), whole(5), GPUARR_I32, GPUARR_ERR_ARGUMENT, "low is 5 and high is 5"},
      {whole(0), real(NAN), GPUARR_I32, GPUARR_ERR_ARGUMENT, "high is nan"},
      {whole(0), real(2.5), GPUARR_I32, GPUARR_ERR_ARGUMENT, "high is 2.5"},
      {whole(0), real(INFINITY), GPUARR_I32, GPUARR_ERR_ARGUMENT, "high is inf"},
      {whole(0), whole(129), GPUARR_I8, GPUARR_ERR_DTYPE, "high - 1 is 128"},
      {whole(-1), whole(5), GPUARR_U8, GPUARR_ERR_DTYPE, "low is -1"},
      {whole(0), whole(5), GPUARR_F32, GPUARR_ERR_DTYPE,
       "integers numbers cannot be float32; give an integer type"},
  };
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k)
    assert_refused(gpuarr_random_integers(&out, g, ranges[k].low, ranges[k].high, ranges[k].dtype,
                                          1, &four, NULL),
                   out, ranges[k].status, ranges[k].says);
}

/* The ends of the types that hold the most. */
static void widest_ranges(void** state) {
  (void)state;
  gpuarr_array* out = NULL;
  uint64_t all[4], same[4];
  assert_ok(
      gpuarr_random_integers(&out, g, gpuarr_arg_u64(0), real(0x1p64), GPUARR_U64, 1, &four, NULL));
  assert_ok(gpuarr_array_read(all, sizeof all, NULL, out, NULL));
  replace(&out, NULL);
  assert_ok(gpuarr_generator_set_position(g, 0));
  assert_ok(
      gpuarr_random_integers(&out, g, whole(INT64_MIN), real(0x1p63), GPUARR_I64, 1, &four, NULL));
  assert_ok(gpuarr_array_read(same, sizeof same, NULL, out, NULL));
  for (int k = 0; k < 4; ++k) assert_true(all[k] == same[k] + (UINT64_C(1) << 63));
  gpuarr_array_release(out);
  assert_ok(gpuarr_generator_set_position(g, 0));
}

static void arguments(void** state) {
  (void)state;
  gpuarr_array* out = NULL;
  const int64_t negative = -1, huge = INT64_MAX;
  const gpuarr_arg one = real(1), none = {0};
  assert_status(gpuarr_random_uniform(NULL, g, one, one, GPUARR_F32, 1, &four, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL; give the address of a variable");
  assert_refused(gpuarr_random_uniform(&out, NULL, one, one, GPUARR_F32, 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "generator is NULL");
  assert_refused(gpuarr_random_uniform(&out, g, none, one, GPUARR_F32, 1, &four, NULL), out,
                 GPUARR_ERR_DTYPE, "low.dtype is 0");
  assert_refused(gpuarr_random_uniform(&out, g, one, one, GPUARR_F32, 1, &negative, NULL), out,
                 GPUARR_ERR_SHAPE, "shape[0] is -1");
  assert_refused(gpuarr_random_uniform(&out, g, one, one, GPUARR_F32, 1, &huge, NULL), out,
                 GPUARR_ERR_SHAPE, "");
  assert_refused(gpuarr_random_uniform(&out, g, one, one, GPUARR_F32, 1, NULL, NULL), out,
                 GPUARR_ERR_ARGUMENT, "shape is NULL");
  gpuarr_array* complex_numbers = line(GPUARR_C64, 4);
  assert_refused(gpuarr_random_uniform(&out, g, gpuarr_arg_array(complex_numbers), one, GPUARR_F32,
                                       1, &four, NULL),
                 out, GPUARR_ERR_DTYPE, "low is complex64; give real numbers");
  gpuarr_array_release(complex_numbers);
  gpuarr_generator* made = g;
  assert_status(gpuarr_generator_create(&made, NULL, 1, UINT64_C(1) << 48), GPUARR_ERR_ARGUMENT);
  assert_message_has("stream is 281474976710656; give a number below 2^48");
  assert_null(made);
  assert_status(gpuarr_random_seed(NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_generator_set_position(NULL, 1), GPUARR_ERR_ARGUMENT);
}

static void given_arrays(void** state) {
  (void)state;
  const gpuarr_arg one = real(1);
  gpuarr_array *x = line(GPUARR_F32, 4), *wide = NULL, *given = NULL;
  const int64_t shape[] = {3, 4};
  assert_ok(gpuarr_array_broadcast(&wide, x, 2, shape));
  given = wide;
  assert_status(gpuarr_random_uniform(&given, g, one, one, 0, 0, NULL, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("elements that share memory");
  assert_ptr_equal(given, wide);
  given = x;
  assert_status(gpuarr_random_uniform(&given, g, gpuarr_arg_array(wide), one, 0, 0, NULL, NULL),
                GPUARR_ERR_BROADCAST);
  assert_message_has("(3, 4)");
  assert_status(gpuarr_random_bernoulli(&given, g, one, 0, NULL, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("bernoulli numbers cannot be float32; give bool");
  assert_status(gpuarr_random_poisson(&given, g, one, 0, NULL, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("poisson numbers cannot be float32; give int64");
  gpuarr_array_release(wide);
  gpuarr_array_release(x);
  assert_ok(gpuarr_generator_set_position(g, 0));
}

static void no_steps_left(void** state) {
  (void)state;
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_generator_set_position(g, UINT64_MAX - 1));
  assert_status(gpuarr_random_uniform(&out, g, real(0), real(1), GPUARR_F64, 1, &four, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("is at position 18446744073709551614 and has no 2 steps left before 2^64");
  assert_null(out);
  assert_ok(gpuarr_random_uniform(&out, g, real(0), real(1), GPUARR_F32, 1, &four, NULL));
  gpuarr_array_release(out);
  assert_status(gpuarr_generator_advance(g, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_generator_advance: the generator is at position");
  assert_ok(gpuarr_generator_set_position(g, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(complex_scalars), cmocka_unit_test(contradictions),
      cmocka_unit_test(numbers),         cmocka_unit_test(whole_numbers),
      cmocka_unit_test(widest_ranges),   cmocka_unit_test(arguments),
      cmocka_unit_test(given_arrays),    cmocka_unit_test(no_steps_left),
  };
  g = generator(1, 1);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_generator_release(g);
  return failed == 0 && gpuarr_live_objects() == 0 ? 0 : 1;
}
