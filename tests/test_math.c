/* Functions of mathematics: a few values, dtypes, and parts of floats. */
#include <math.h>
#include <stdlib.h>

#include "arrays.h"

typedef gpuarr_status unary_fn(gpuarr_array** out, const gpuarr_array* x, gpuarr_stream* stream);

static void computes(void** state) {
  (void)state;
  static const struct {
    unary_fn* function;
    double at_half;
  } cases[] = {{gpuarr_exp, 1.6487212707001282}, {gpuarr_arcsin, 0.52359877559829887}};
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

static void makes_floats_of_integers(void** state) {
  (void)state;
  static const gpuarr_dtype pairs[][2] = {{GPUARR_BOOL, GPUARR_F16},
                                          {GPUARR_U8, GPUARR_F16},
                                          {GPUARR_I16, GPUARR_F32},
                                          {GPUARR_I32, GPUARR_F64},
                                          {GPUARR_BF16, GPUARR_BF16}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
    gpuarr_array *x = line(pairs[k][0], 3), *out = NULL;
    assert_ok(gpuarr_sqrt(&out, x, NULL));
    assert_int_equal(gpuarr_array_dtype(out), pairs[k][1]);
    assert_values(out, 3, (const double[]){0, 0, 0});
    release_arrays((gpuarr_array*[]){x, out}, 2);
  }
}

static void takes_floats_apart(void** state) {
  (void)state;
  const double numbers[] = {-3.25, 0, 1024};
  const int64_t count = 3;
  gpuarr_array *x = from(GPUARR_F64, 1, &count, numbers), *out[5] = {NULL};
  assert_ok(gpuarr_frexp(&out[0], &out[1], x, NULL));
  assert_int_equal(gpuarr_array_dtype(out[1]), GPUARR_I32);
  assert_values(out[0], 3, (const double[]){-0.8125, 0, 0.5});
  assert_values(out[1], 3, (const double[]){2, 0, 11});
  assert_ok(gpuarr_ldexp(&out[2], gpuarr_arg_array(out[0]), gpuarr_arg_array(out[1]), NULL));
  assert_values(out[2], 3, numbers);
  assert_ok(gpuarr_modf(&out[3], &out[4], x, NULL));
  assert_values(out[3], 3, (const double[]){-0.25, 0, 0});
  assert_values(out[4], 3, (const double[]){-3, 0, 1024});
  gpuarr_array* none = NULL;
  assert_status(gpuarr_ldexp(&none, gpuarr_arg_array(x), gpuarr_arg_f64(2), NULL),
                GPUARR_ERR_DTYPE);
  assert_message_has("exponent is float64; give integers");
  assert_null(none);
  release_arrays(out, 5);
  gpuarr_array_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(computes),
      cmocka_unit_test(makes_floats_of_integers),
      cmocka_unit_test(takes_floats_apart),
  };
  return run_suite(tests);
}
