/* What the ready-made reductions make of NaN, infinities, ties, nothing at all, narrow and complex
 * numbers, and how exact they are. */
#include <math.h>
#include <stdlib.h>

#include "arrays.h"
#include "elements.h"
#include "reducers.h"

static gpuarr_array* doubles(int64_t count, const double* values) {
  return from(GPUARR_F64, 1, &count, values);
}

/* Of an array of these float64 elements. */
static double of(const char* name, int64_t count, const double* values) {
  gpuarr_array* x = doubles(count, values);
  double result = reduced(name, x);
  gpuarr_array_release(x);
  return result;
}

static double of_floats(const char* name, int64_t count, const float* values) {
  gpuarr_array* x = floats(count, values);
  double result = reduced(name, x);
  gpuarr_array_release(x);
  return result;
}

struct special {
  const char* name;
  int count;
  double values[6];
  double expected;
};

static const struct special specials[] = {
    {"sum", 2, {INFINITY, -INFINITY}, NAN},
    {"sum", 2, {1, NAN}, NAN},
    {"prod", 2, {0, INFINITY}, NAN},
    {"min", 3, {1, NAN, -1}, NAN},
    {"min", 2, {NAN, 1}, NAN},
    {"min", 3, {1, -INFINITY, 2}, -INFINITY},
    {"min", 1, {INFINITY}, INFINITY},
    {"max", 3, {1, NAN, 5}, NAN},
    {"max", 2, {NAN, INFINITY}, NAN},
    {"max", 2, {-INFINITY, -7}, -7},
    {"argmin", 4, {2, 1, 3, 1}, 1},
    {"argmin", 4, {2, NAN, -INFINITY, NAN}, 1},
    {"argmin", 3, {0, -1, NAN}, 2},
    {"argmin", 2, {0.0, -0.0}, 0},
    {"argmin", 1, {NAN}, 0},
    {"argmax", 5, {2, 3, 1, 3, 3}, 1},
    {"argmax", 4, {NAN, INFINITY, NAN, 0}, 0},
    {"argmax", 3, {INFINITY, 1, NAN}, 2},
    {"argmax", 2, {-0.0, 0.0}, 0},
    {"argmax", 3, {-INFINITY, -INFINITY, -INFINITY}, 0},
    {"any", 2, {0, NAN}, 1},
    {"any", 2, {0.0, -0.0}, 0},
    {"all", 3, {1, NAN, INFINITY}, 1},
    {"all", 2, {1, -0.0}, 0},
    {"count_nonzero", 5, {NAN, 0, -0.0, 5e-324, INFINITY}, 3},
    {"mean", 2, {INFINITY, 1}, INFINITY},
    {"mean", 2, {NAN, 1}, NAN},
    {"var", 1, {3}, NAN}, /* with ddof 1 */
    {"var", 2, {INFINITY, 1}, NAN},
    {"var", 3, {1, 2, INFINITY}, NAN},
    {"var", 2, {NAN, 1}, NAN},
    {"var", 6, {1, 2, 3, NAN, 5, 6}, NAN},
    {"var", 4, {7, 7, 7, 7}, 0},
    {"var", 2, {1e200, -1e200}, INFINITY},
    {"std", 2, {-INFINITY, 1}, NAN},
    {"norm_1", 2, {-INFINITY, 1}, INFINITY},
    {"norm_2", 2, {NAN, 1}, NAN},
    {"norm_inf", 3, {1, NAN, 5}, NAN},
    {"norm_inf", 2, {-INFINITY, 5}, INFINITY},
    {"norm_inf", 2, {-3, -4}, 4},
    {"nansum", 4, {1, NAN, 2, NAN}, 3},
    {"nansum", 1, {NAN}, 0},
    {"nansum", 2, {INFINITY, NAN}, INFINITY},
    {"nanmin", 4, {NAN, 3, NAN, 2}, 2},
    {"nanmin", 2, {NAN, INFINITY}, INFINITY},
    {"nanmin", 2, {NAN, NAN}, NAN},
    {"nanmax", 4, {3, NAN, 2, NAN}, 3},
    {"nanmax", 2, {NAN, -INFINITY}, -INFINITY},
    {"nanmax", 2, {NAN, NAN}, NAN},
    {"logsumexp", 2, {-INFINITY, -INFINITY}, -INFINITY},
    {"logsumexp", 2, {-INFINITY, 3}, 3},
    {"logsumexp", 2, {3, -INFINITY}, 3},
    {"logsumexp", 3, {1, INFINITY, 2}, INFINITY},
    {"logsumexp", 2, {INFINITY, INFINITY}, INFINITY},
    {"logsumexp", 2, {INFINITY, -INFINITY}, INFINITY},
    {"logsumexp", 3, {1, NAN, 2}, NAN},
    {"logsumexp", 2, {NAN, INFINITY}, NAN},
    {"logsumexp", 2, {1000, 1000}, 1000.69314718055994},
    {"logsumexp", 3, {-1000, -1001, -1002}, -999.592394035555},
};

static void special_numbers(void** state) {
  (void)state;
  for (size_t k = 0; k < sizeof specials / sizeof *specials; ++k) {
    const struct special* s = &specials[k];
    double actual = of(s->name, s->count, s->values);
    if (actual != s->expected && !(isnan(actual) && isnan(s->expected)) &&
        !(fabs(actual - s->expected) <= 1e-12 * fabs(s->expected)))
      fail_msg("case %d, %s: %g, expected %g", (int)k, s->name, actual, s->expected);
  }
}

/* The same among many others, where partial results meet. */
static void special_numbers_far_apart(void** state) {
  (void)state;
  enum { count = 300000 };
  double* values = calloc(count, sizeof *values);
  values[70001] = values[200003] = -1;
  values[150000] = values[290001] = 1;
  assert_close(of("argmin", count, values), 70001, 0);
  assert_close(of("argmax", count, values), 150000, 0);
  assert_close(of("sum", count, values), 0, 0);
  assert_close(of("count_nonzero", count, values), 4, 0);
  assert_close(of("any", count, values), 1, 0);
  assert_close(of("all", count, values), 0, 0);
  values[250000] = values[299999] = NAN;
  assert_close(of("argmin", count, values), 250000, 0);
  assert_close(of("argmax", count, values), 250000, 0);
  assert_close(of("min", count, values), NAN, 0);
  assert_close(of("nanmin", count, values), -1, 0);
  assert_close(of("nansum", count, values), 0, 0);
  assert_close(of("var", count, values), NAN, 0);
  assert_close(of("logsumexp", count, values), NAN, 0);
  for (int k = 0; k < count; ++k) values[k] = 700 + k % 3;
  assert_close(of("count_nonzero", count, values), count, 0);
  assert_close(of("all", count, values), 1, 0);
  assert_close(of("logsumexp", count, values), 702 + log(count / 3 * (1 + exp(-1) + exp(-2))),
               1e-14);
  free(values);
}

static void of_nothing(void** state) {
  (void)state;
  static const double expected[reducer_count] = {
      [0] = 0,    [1] = 1,  [6] = 0,  [7] = 1,  [8] = 0,  [9] = NAN,       [10] = NAN,
      [11] = NAN, [12] = 0, [13] = 0, [14] = 0, [15] = 0, [18] = -INFINITY};
  const int64_t shape[] = {2, 0, 3};
  const int32_t axes[] = {1}, kept[] = {0};
  gpuarr_array *x = zeros(GPUARR_F64, 3, shape), *none = zeros(GPUARR_I32, 3, shape);
  for (int k = 0; k < reducer_count; ++k) {
    gpuarr_array* out = NULL;
    gpuarr_status status = reducers[k].call(&out, x, axes, 1, 0, NULL);
    assert_status(status, reducers[k].needs_elements ? GPUARR_ERR_EMPTY : GPUARR_OK);
    if (status == GPUARR_OK) {
      double* values = doubles_of(out);
      assert_int_equal(gpuarr_array_size(out), 6);
      for (int j = 0; j < 6; ++j) assert_close(values[j], expected[k], 0);
      free(values);
      gpuarr_array_release(out);
    } else {
      assert_null(out);
      assert_message_has(reducers[k].name);
      assert_message_has("zero-size array");
    }
    out = NULL;
    assert_ok(reducers[k].call(&out, x, kept, 1, 0, NULL)); /* no results either */
    assert_int_equal(gpuarr_array_size(out), 0);
    gpuarr_array_release(out);
  }
  assert_close(reduced("mean", none), NAN, 0);
  gpuarr_array* dot = NULL;
  assert_ok(gpuarr_dot(&dot, x, x, NULL));
  assert_close(value_of(dot), 0, 0);
  gpuarr_array_release(dot);
  gpuarr_array_release(x);
  gpuarr_array_release(none);
}

static void whole_numbers_wrap_or_are_exact(void** state) {
  (void)state;
  const int64_t most[] = {INT64_MAX, INT64_MAX, 3}, two = 2, three = 3;
  const uint64_t all_ones[] = {UINT64_MAX, 2};
  const int32_t least[] = {INT32_MIN, INT32_MIN};
  gpuarr_array* x = from(GPUARR_I64, 1, &three, most);
  gpuarr_array* out = NULL;
  int64_t whole;
  assert_ok(gpuarr_sum(&out, x, NULL, GPUARR_ALL_AXES, 0, NULL));
  assert_ok(gpuarr_array_read(&whole, sizeof whole, NULL, out, NULL));
  assert_true(whole == 1);
  replace(&x, from(GPUARR_U64, 1, &two, all_ones));
  replace(&out, NULL);
  assert_ok(gpuarr_prod(&out, x, NULL, GPUARR_ALL_AXES, 0, NULL));
  assert_ok(gpuarr_array_read(&whole, sizeof whole, NULL, out, NULL));
  assert_true((uint64_t)whole == UINT64_MAX - 1);
  assert_close(reduced("max", x), (double)UINT64_MAX, 0);
  assert_close(reduced("argmin", x), 1, 0);
  assert_close(reduced("mean", x), (double)UINT64_MAX / 2, 1e-15);
  replace(&x, from(GPUARR_I32, 1, &two, least));
  assert_close(reduced("prod", x), 0x1p62, 0);
  assert_close(reduced("mean", x), INT32_MIN, 0);
  assert_close(reduced("norm_1", x), 0x1p32, 0);
  assert_close(reduced("norm_2", x), 0x1p31 * sqrt(2), 1e-15);
  replace(&out, NULL);
  assert_ok(gpuarr_dot(&out, x, x, NULL));
  assert_close(value_of(out), -0x1p63, 0); /* modulo 2^64 */
  gpuarr_array_release(out);
  gpuarr_array_release(x);
}

/* 16-bit floats are added as float32: 4000 ones of float16 would stop at 2048, and the sum of
 * squares of 300 is beyond its range. */
static void narrow_floats_are_computed_with_as_wide_ones(void** state) {
  (void)state;
  for (gpuarr_dtype dtype = GPUARR_F16; dtype <= GPUARR_BF16; ++dtype) {
    gpuarr_array* x = line(dtype, 4096);
    assert_ok(gpuarr_array_fill(x, gpuarr_arg_f32(1), NULL));
    assert_close(reduced("sum", x), 4096, 0);
    assert_close(reduced("mean", x), 1, 0);
    assert_close(reduced("norm_2", x), 64, 0);
    assert_close(reduced("nansum", x), 4096, 0);
    assert_close(reduced("var", x), 0, 0);
    assert_close(reduced("logsumexp", x), 1 + log(4096), 4e-3);
    assert_ok(gpuarr_array_fill(x, gpuarr_arg_f32(-256), NULL));
    assert_close(reduced("norm_2", x), 16384, 0);
    assert_close(reduced("norm_inf", x), 256, 0);
    assert_close(reduced("sum", x), dtype == GPUARR_F16 ? -INFINITY : -1048576, 0);
    gpuarr_array_release(x);
  }
}

/* Element k of a complex array of `count` elements. */
static void put_complex(gpuarr_dtype dtype, void* data, int64_t k, double re, double im) {
  if (dtype == GPUARR_C64) {
    ((float*)data)[2 * k] = (float)re;
    ((float*)data)[2 * k + 1] = (float)im;
  } else {
    ((double*)data)[2 * k] = re;
    ((double*)data)[2 * k + 1] = im;
  }
}

/* Both parts of a result. */
static void assert_complex(gpuarr_array* out, double re, double im) {
  gpuarr_array* wide = NULL;
  double parts[2];
  assert_ok(gpuarr_array_astype(&wide, out, GPUARR_C128, NULL));
  assert_ok(gpuarr_array_read(parts, sizeof parts, NULL, wide, NULL));
  assert_close(parts[0], re, 1e-6);
  assert_close(parts[1], im, 1e-6);
  gpuarr_array_release(wide);
  gpuarr_array_release(out);
}

static gpuarr_array* whole(const char* name, const gpuarr_array* x) {
  gpuarr_array* out = NULL;
  assert_ok(reducer_called(name)->call(&out, x, NULL, GPUARR_ALL_AXES, 0, NULL));
  return out;
}

static void complex_numbers(void** state) {
  (void)state;
  const int64_t three = 3;
  for (gpuarr_dtype dtype = GPUARR_C64; dtype <= GPUARR_C128; ++dtype) {
    gpuarr_dtype real = dtype == GPUARR_C64 ? GPUARR_F32 : GPUARR_F64;
    double data[8];
    put_complex(dtype, data, 0, 3, 4);
    put_complex(dtype, data, 1, 0, -2);
    put_complex(dtype, data, 2, -1, 1);
    gpuarr_array* x = from(dtype, 1, &three, data);
    assert_complex(whole("sum", x), 2, 3);
    assert_complex(whole("prod", x), -2, 14);
    assert_complex(whole("mean", x), 2.0 / 3, 1);
    assert_complex(whole("any", x), 1, 0);
    assert_complex(whole("all", x), 1, 0);
    assert_complex(whole("count_nonzero", x), 3, 0);
    assert_complex(whole("min", x), -1, 1);
    assert_complex(whole("max", x), 3, 4);
    assert_complex(whole("argmin", x), 2, 0);
    assert_complex(whole("argmax", x), 0, 0);
    gpuarr_array *var = whole("var", x), *dot = NULL;
    assert_int_equal(gpuarr_array_dtype(var), real);
    assert_complex(var, (31 - 13.0 / 3) / 2, 0);
    assert_complex(whole("std", x), sqrt((31 - 13.0 / 3) / 2), 0);
    assert_complex(whole("norm_1", x), 7 + sqrt(2), 0);
    assert_complex(whole("norm_2", x), sqrt(31), 0);
    gpuarr_array* largest = whole("norm_inf", x);
    assert_int_equal(gpuarr_array_dtype(largest), real);
    assert_complex(largest, 5, 0);
    assert_ok(gpuarr_dot(&dot, x, x, NULL)); /* no conjugate */
    assert_complex(dot, -11, 22);
    put_complex(dtype, data, 1, 5, NAN);
    put_complex(dtype, data, 2, 0, 0);
    replace(&x, from(dtype, 1, &three, data));
    assert_complex(whole("nansum", x), 3, 4);
    assert_complex(whole("max", x), 5, NAN);
    assert_complex(whole("argmin", x), 1, 0);
    assert_complex(whole("nanmax", x), 3, 4);
    assert_complex(whole("nanmin", x), 0, 0);
    assert_complex(whole("count_nonzero", x), 2, 0);
    assert_complex(whole("all", x), 0, 0);
    assert_complex(whole("norm_inf", x), NAN, 0);
    assert_complex(whole("var", x), NAN, 0);
    gpuarr_array_release(x);
  }
}

static void ddof(void** state) {
  (void)state;
  const double values[] = {1, 2, 4, 9};
  gpuarr_array *x = doubles(4, values), *out = NULL;
  const struct {
    double ddof, var;
  } cases[] = {{0, 9.5}, {1, 38.0 / 3}, {1.5, 15.2}, {-1, 7.6}, {4, INFINITY}, {5, INFINITY}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    assert_ok(gpuarr_var(&out, x, cases[k].ddof, NULL, GPUARR_ALL_AXES, 0, NULL));
    assert_close(value_of(out), cases[k].var, 1e-14);
    assert_ok(gpuarr_std(&out, x, cases[k].ddof, NULL, GPUARR_ALL_AXES, 0, NULL));
    assert_close(value_of(out), sqrt(cases[k].var), 1e-14);
  }
  gpuarr_array_release(x);
  gpuarr_array_release(out);
}

static double normal(void) { /* of mean 0 and deviation 1, nearly */
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += random_unit();
  return sum;
}

enum { many = 1000003 }; /* no power of two, which would be kinder */

/* The variance, with ddof 1, in two passes. */
static double exact_var(const double* values) {
  long double mean = 0, squares = 0;
  for (int k = 0; k < many; ++k) mean += values[k];
  mean /= many;
  for (int k = 0; k < many; ++k) squares += (values[k] - mean) * (values[k] - mean);
  return (double)(squares / (many - 1));
}

/* Both as float64 and rounded to float32. */
static void compare_var(double* values, double tolerance) {
  float* narrow = malloc(many * sizeof *narrow);
  double expected = exact_var(values), actual = of("var", many, values);
  assert_true(fabs(actual - expected) <= 1e-11 * expected);
  for (int k = 0; k < many; ++k) values[k] = narrow[k] = (float)values[k];
  expected = exact_var(values);
  actual = of_floats("var", many, narrow);
  assert_true(fabs(actual - expected) <= tolerance * expected);
  free(narrow);
}

static void variances_of_many(void** state) {
  (void)state;
  const double tolerance = 2e-6;
  double* values = malloc(many * sizeof *values);
  for (int k = 0; k < many; ++k) values[k] = 1e6 + normal();
  compare_var(values, tolerance);
  for (int k = 0; k < many; ++k) values[k] = k == 0 ? -1e6 : normal(); /* a mark for no value */
  compare_var(values, tolerance);
  for (int k = 0; k < many; ++k) values[k] = k < many / 3 ? -1e6 : 1e6 + normal();
  compare_var(values, tolerance);
  for (int k = 0; k < many; ++k) values[k] = k + normal();
  compare_var(values, tolerance);
  free(values);
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(special_numbers),
      cmocka_unit_test(special_numbers_far_apart),
      cmocka_unit_test(of_nothing),
      cmocka_unit_test(whole_numbers_wrap_or_are_exact),
      cmocka_unit_test(narrow_floats_are_computed_with_as_wide_ones),
      cmocka_unit_test(complex_numbers),
      cmocka_unit_test(ddof),
      cmocka_unit_test(variances_of_many),
  };
  return run_suite(tests);
}
