/* Sorting, the order of elements, the least and the greatest, and calls of them that must fail. */
#include <math.h>
#include <stdlib.h>

#include "arrays.h"

static const float values[] = {3, NAN, -1, 0.0F, -0.0F, INFINITY, 3, -INFINITY};
enum { count = sizeof values / sizeof *values };

static void elements_of_a_line(void** state) {
  (void)state;
  const double up[] = {7, 2, 3, 4, 0, 6, 5, 1}, down[] = {5, 0, 6, 3, 4, 2, 7, 1};
  const double sorted[] = {-INFINITY, -1, 0, -0.0, 3, 3, INFINITY, NAN};
  gpuarr_array *x = floats(count, values), *out = NULL;
  assert_ok(gpuarr_argsort(&out, x, 0, 0, NULL));
  assert_int_equal(gpuarr_array_dtype(out), GPUARR_I64);
  assert_values(out, count, up);
  assert_ok(gpuarr_argsort(&out, x, -1, 1, NULL)); /* into the array that is there */
  assert_values(out, count, down);
  assert_ok(gpuarr_sort(&x, x, 0, 0, NULL)); /* in place */
  double* found = doubles_of(x);
  for (int k = 0; k < count; ++k) {
    assert_close(found[k], sorted[k], 0);
    if (sorted[k] == 0) assert_int_equal(signbit(found[k]) != 0, signbit(sorted[k]) != 0);
  }
  free(found);
  gpuarr_array_release(x);
  gpuarr_array_release(out);
}

static void along_an_axis(void** state) {
  (void)state;
  const int64_t shape[] = {3, 2};
  const float data[] = {3, -5, 1, 7, 2, 0};
  const double columns[] = {1, -5, 2, 0, 3, 7}, rows[] = {3, -5, 7, 1, 2, 0};
  gpuarr_array *x = from(GPUARR_F32, 2, shape, data), *turned = NULL, *out = NULL;
  assert_ok(gpuarr_sort(&out, x, 0, 0, NULL));
  assert_values(out, 6, columns);
  assert_ok(gpuarr_sort(&out, x, 1, 1, NULL));
  assert_values(out, 6, rows);
  assert_ok(gpuarr_array_transpose(&turned, x, 0, NULL));
  assert_ok(gpuarr_sort(&turned, turned, 1, 0, NULL));
  assert_values(x, 6, columns);
  assert_ok(gpuarr_partition(&out, x, -1, 1, NULL));
  assert_values(out, 6, (const double[]){-5, 1, 0, 2, 3, 7});
  gpuarr_array_release(x);
  gpuarr_array_release(turned);
  gpuarr_array_release(out);
}

static void the_most_extreme(void** state) {
  (void)state;
  gpuarr_array *x = floats(count, values), *most = NULL, *places = NULL;
  assert_ok(gpuarr_topk(&most, &places, x, 3, 0, 1, NULL));
  assert_values(most, 3, (const double[]){INFINITY, 3, 3});
  assert_values(places, 3, (const double[]){5, 0, 6});
  assert_ok(gpuarr_topk(NULL, &places, x, 3, 0, 0, NULL));
  assert_values(places, 3, (const double[]){7, 2, 3});
  gpuarr_array* none = NULL;
  assert_ok(gpuarr_topk(&none, NULL, x, 0, 0, 1, NULL));
  assert_shape(none, 1, (const int64_t[]){0});
  gpuarr_array_release(none);
  gpuarr_array_release(x);
  gpuarr_array_release(most);
  gpuarr_array_release(places);
}

static void nothing_to_sort(void** state) {
  (void)state;
  const int64_t shape[] = {3, 0};
  gpuarr_array *x = zeros(GPUARR_F64, 2, shape), *out = NULL;
  assert_ok(gpuarr_sort(&out, x, 0, 0, NULL));
  assert_shape(out, 2, shape);
  assert_ok(gpuarr_sort(&out, x, 1, 0, NULL));
  gpuarr_array_release(x);
  gpuarr_array_release(out);
}

static gpuarr_array* x; /* float32, 3 elements */

static void assert_refused(gpuarr_array* given, const gpuarr_array* array, int32_t axis,
                           int32_t descending, gpuarr_status status, const char* says) {
  gpuarr_array* out = given;
  assert_status(gpuarr_sort(&out, array, axis, descending, NULL), status);
  assert_message_has("gpuarr_sort: ");
  assert_message_has(says);
  assert_ptr_equal(out, given);
}

static void arguments(void** state) {
  (void)state;
  gpuarr_array *f64 = line(GPUARR_F64, 3), *four = line(GPUARR_F32, 4), *wide = NULL, *none = NULL;
  const int64_t shape[] = {3};
  gpuarr_array *one = line(GPUARR_F32, 1), *scalar = zeros(GPUARR_F32, 0, NULL);
  assert_refused(NULL, NULL, 0, 0, GPUARR_ERR_ARGUMENT, "x is NULL");
  assert_refused(NULL, x, 1, 0, GPUARR_ERR_AXIS, "axis is 1");
  assert_refused(NULL, scalar, -1, 0, GPUARR_ERR_AXIS, "axis is -1");
  assert_refused(NULL, x, 0, 2, GPUARR_ERR_ARGUMENT, "descending is 2; give 1 or 0");
  assert_refused(f64, x, 0, 0, GPUARR_ERR_DTYPE, "out is float64, but the result is float32");
  assert_refused(four, x, 0, 0, GPUARR_ERR_SHAPE, "out has shape (4,), but the result has (3,)");
  assert_ok(gpuarr_array_broadcast(&wide, one, 1, shape));
  assert_refused(wide, x, 0, 0, GPUARR_ERR_OVERLAP, "elements that share memory");
  assert_status(gpuarr_argsort(NULL, x, 0, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_argsort: out is NULL");
  assert_status(gpuarr_argsort(&f64, x, 0, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("out is float64, but the result is int64");
  assert_status(gpuarr_partition(&none, x, 3, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("kth is 3, but there are 3 elements along axis 0");
  assert_status(gpuarr_topk(&none, NULL, x, 4, 0, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("k is 4, but there are 3 elements along axis 0");
  assert_status(gpuarr_topk(NULL, NULL, x, 1, 0, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("values and indices are both NULL");
  assert_status(gpuarr_topk(&none, NULL, x, 1, 0, -1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("largest is -1; give 1 or 0");
  assert_null(none);
  gpuarr_array* const all[] = {f64, four, wide, one, scalar};
  release_arrays(all, 5);
}

static void results_that_share_memory(void** state) {
  (void)state;
  gpuarr_array *numbers = ramp(GPUARR_I64, 4), *values_out = NULL, *places = NULL;
  assert_ok(gpuarr_array_slice(&values_out, numbers, 0, 0, 3, 1));
  assert_ok(gpuarr_array_slice(&places, numbers, 0, 1, 4, 1));
  assert_status(gpuarr_topk(&values_out, &places, numbers, 3, 0, 1, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("values and indices share memory");
  gpuarr_array *other = ramp(GPUARR_F32, 4), *end = NULL; /* one may overlap the elements */
  assert_ok(gpuarr_array_slice(&end, other, 0, 1, 4, 1));
  assert_ok(gpuarr_topk(&end, NULL, other, 3, 0, 1, NULL));
  assert_values(other, 4, (const double[]){0, 3, 2, 1});
  gpuarr_array* const all[] = {numbers, values_out, places, other, end};
  release_arrays(all, 5);
}

int main(void) {
  open_test_device();
  x = ramp(GPUARR_F32, 3);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_of_a_line), cmocka_unit_test(along_an_axis),
      cmocka_unit_test(the_most_extreme),   cmocka_unit_test(nothing_to_sort),
      cmocka_unit_test(arguments),          cmocka_unit_test(results_that_share_memory),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_array_release(x);
  return finish_tests(failed);
}
