/* Tests of gpuarr/index.h: elements by indices. What values come out is compared with NumPy's in
 * tests/numpy/moving.py, what is said of indices out of range in test_index_reports.c. */
#include "arrays.h"

static gpuarr_device* device;

static void nothing_to_take(void** state) {
  (void)state;
  const int64_t none[] = {0, 3}, wide[] = {0, 0}, zero = 0;
  gpuarr_array *x = zeros(GPUARR_F32, 2, none), *k = line(GPUARR_I32, 0), *out = NULL;
  assert_ok(gpuarr_take(&out, x, k, 0, NULL)); /* no index is out of range */
  assert_shape(out, 2, none);
  gpuarr_array_release(out);
  out = NULL;
  assert_ok(gpuarr_take(&out, x, k, 1, NULL));
  assert_shape(out, 2, wide);
  assert_ok(gpuarr_put(x, k, gpuarr_arg_f32(1), 0, NULL));
  assert_ok(gpuarr_put_add(x, k, gpuarr_arg_array(out), 1, NULL));
  gpuarr_array_release(out);
  out = NULL;
  replace(&k, line(GPUARR_I32, 1));
  assert_status(gpuarr_take(&out, x, k, 0, NULL), GPUARR_ERR_INDEX);
  assert_message_has("axis 0 of x has extent 0, so no index is in range, but there are");
  assert_status(gpuarr_put(x, k, gpuarr_arg_f32(1), 0, NULL), GPUARR_ERR_INDEX);
  assert_ok(gpuarr_take(&out, x, k, 1, NULL)); /* of no row */
  assert_int_equal(gpuarr_array_size(out), zero);
  gpuarr_array_release(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

static void memory_orders(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3, 4};
  gpuarr_array *x = NULL, *k = line(GPUARR_I32, 5), *out = NULL;
  assert_ok(gpuarr_array_zeros(&x, device, GPUARR_F32, 3, shape, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_take(&out, x, k, 1, NULL));
  assert_true(gpuarr_array_is_contiguous(out, GPUARR_ORDER_F));
  gpuarr_array_release(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

/* As if the arrays did not overlap. */
static void overlaps(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I64, 6), *y = NULL, *out = NULL;
  const int64_t numbers[] = {5, 4, 3, 2, 1, 0};
  gpuarr_array* k = from(GPUARR_I64, 1, (int64_t[]){6}, numbers);
  out = x;
  assert_ok(gpuarr_take(&out, x, k, 0, NULL));
  assert_values(x, 6, (double[]){5, 4, 3, 2, 1, 0});
  out = k; /* the indices themselves */
  assert_ok(gpuarr_take(&out, x, k, 0, NULL));
  assert_values(k, 6, (double[]){0, 1, 2, 3, 4, 5});
  assert_ok(gpuarr_array_slice(&y, x, 0, GPUARR_NONE, GPUARR_NONE, -1));
  assert_ok(gpuarr_put(x, k, gpuarr_arg_array(y), 0, NULL));
  assert_values(x, 6, (double[]){0, 1, 2, 3, 4, 5});
  assert_ok(gpuarr_put(x, x, gpuarr_arg_array(y), 0, NULL));
  assert_values(x, 6, (double[]){5, 4, 3, 2, 1, 0});
  gpuarr_array_release(y);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

static void converted_values(void** state) {
  (void)state;
  gpuarr_array *x = line(GPUARR_I16, 3), *k = ramp(GPUARR_U8, 2), *v = ramp(GPUARR_F64, 2);
  assert_ok(gpuarr_put(x, k, gpuarr_arg_array(v), 0, NULL));
  assert_values(x, 3, (double[]){0, 1, 0});
  assert_ok(gpuarr_put_add(x, k, gpuarr_arg_f64(3), 0, NULL));
  assert_values(x, 3, (double[]){3, 4, 0});
  assert_status(gpuarr_put(x, k, gpuarr_arg_f64(1.5), 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("values");
  gpuarr_array_release(v);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

static void refused_arguments(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3}, three = 3;
  gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *k = line(GPUARR_I32, 3), *wrong = NULL;
  gpuarr_array *out = NULL, *many = NULL;
  assert_status(gpuarr_take(NULL, x, k, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_take: out is NULL");
  assert_status(gpuarr_take(&out, NULL, k, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("x is NULL");
  assert_status(gpuarr_take(&out, x, NULL, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("indices is NULL");
  assert_status(gpuarr_take(&out, x, k, 2, NULL), GPUARR_ERR_AXIS);
  assert_message_has("axis is 2");
  assert_status(gpuarr_take(&out, x, x, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("indices is float32; give an array of an integer type");
  assert_status(gpuarr_take_along_axis(&out, x, k, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("indices has 1 axes, but x has 2");
  const int64_t five[] = {1, 5};
  wrong = zeros(GPUARR_I64, 2, five);
  assert_status(gpuarr_take_along_axis(&out, x, wrong, 0, NULL), GPUARR_ERR_BROADCAST);
  assert_message_has("indices has shape (1, 5)");
  assert_null(out);
  replace(&wrong, line(GPUARR_F32, 3));
  out = wrong;
  assert_status(gpuarr_take(&out, x, k, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("out has shape (3,), but the result has (3, 3)");
  assert_status(gpuarr_put(x, k, gpuarr_arg_array(wrong), 0, NULL), GPUARR_OK);
  const int64_t square[] = {3, 3};
  replace(&wrong, zeros(GPUARR_F64, 2, square));
  out = wrong;
  assert_status(gpuarr_take(&out, x, k, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("out is float64, but the result is float32");
  assert_ok(gpuarr_array_broadcast(&many, k, 1, &three));
  replace(&wrong, zeros(GPUARR_F32, 2, (int64_t[]){3, 1}));
  gpuarr_array* repeated = NULL;
  assert_ok(gpuarr_array_broadcast(&repeated, wrong, 2, square));
  out = repeated;
  assert_status(gpuarr_take(&out, x, k, 0, NULL), GPUARR_ERR_OVERLAP);
  assert_status(gpuarr_put(repeated, k, gpuarr_arg_f32(1), 0, NULL), GPUARR_ERR_OVERLAP);
  assert_status(gpuarr_put(x, k, gpuarr_arg_array(NULL), 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("values is neither an array nor a scalar");
  replace(&wrong, zeros(GPUARR_F32, 2, (int64_t[]){2, 2}));
  assert_status(gpuarr_put(x, k, gpuarr_arg_array(wrong), 0, NULL), GPUARR_ERR_BROADCAST);
  replace(&wrong, line(GPUARR_I8, 4));
  assert_status(gpuarr_put_add(wrong, k, gpuarr_arg_i8(1), 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("x is int8, of one byte");
  gpuarr_array_release(repeated);
  gpuarr_array_release(many);
  gpuarr_array_release(wrong);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

static void too_many_axes(void** state) {
  (void)state;
  int64_t ones[GPUARR_MAX_NDIM];
  for (int i = 0; i < GPUARR_MAX_NDIM; ++i) ones[i] = 1;
  gpuarr_array *x = zeros(GPUARR_F32, GPUARR_MAX_NDIM, ones), *k = NULL, *out = NULL;
  k = zeros(GPUARR_I32, 2, ones);
  assert_status(gpuarr_take(&out, x, k, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("so the result has 33, more than 32");
  replace(&k, line(GPUARR_I32, 2));
  assert_ok(gpuarr_take(&out, x, k, 7, NULL));
  assert_int_equal(gpuarr_array_ndim(out), GPUARR_MAX_NDIM);
  gpuarr_array_release(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

/* Views of one element ask for sizes that do not exist. */
static void overflowing_sizes(void** state) {
  (void)state;
  const int64_t wide[] = {INT64_C(1) << 60, 2}, many = INT64_C(1) << 40;
  gpuarr_array *one = line(GPUARR_I8, 1), *x = NULL, *k = NULL, *out = NULL;
  assert_ok(gpuarr_array_broadcast(&x, one, 2, (int64_t[]){wide[0], 2}));
  assert_ok(gpuarr_array_broadcast(&k, one, 1, &many));
  assert_status(gpuarr_take(&out, x, k, 1, NULL), GPUARR_ERR_SHAPE);
  assert_null(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
  gpuarr_array_release(one);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_to_take),   cmocka_unit_test(memory_orders),
      cmocka_unit_test(overlaps),          cmocka_unit_test(converted_values),
      cmocka_unit_test(refused_arguments), cmocka_unit_test(too_many_axes),
      cmocka_unit_test(overflowing_sizes),
  };
  return run_suite(tests);
}
