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

typedef struct {
  int64_t value, index;
} element;

static int compare_elements(const void* a, const void* b) {
  const element *x = a, *y = b;
  if (x->value != y->value) return x->value < y->value ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

/* All equal, the two extremes, keys that differ in the last bits, in the first ones, in all. */
static int64_t number_of(int kind, int64_t i) {
  const uint64_t random = (uint64_t)(i + 1) * 0x9E3779B97F4A7C15U;
  const int64_t numbers[] = {7, random >> 63 ? INT64_MAX : INT64_MIN,
                             (INT64_C(1) << 40) + (int64_t)(random >> 61),
                             (int64_t)(random >> 59 << 59), (int64_t)random};
  return numbers[kind];
}

static void assert_ranks(const gpuarr_array* array, const element* sorted, int64_t rows,
                         int64_t n) {
  const int64_t all_k[] = {1, 33, n / 4, n};
  for (int t = 0; t < 4; ++t) {
    const int64_t k = all_k[t];
    gpuarr_array *least = NULL, *places = NULL, *parted = NULL;
    assert_ok(gpuarr_topk(&least, &places, array, k, 1, 0, NULL));
    assert_ok(gpuarr_partition(&parted, array, k - 1, 1, NULL));
    int64_t *value = malloc(8 * rows * k), *place = malloc(8 * rows * k),
            *all = malloc(8 * rows * n);
    assert_ok(gpuarr_array_read(value, 8 * rows * k, NULL, least, NULL));
    assert_ok(gpuarr_array_read(place, 8 * rows * k, NULL, places, NULL));
    assert_ok(gpuarr_array_read(all, 8 * rows * n, NULL, parted, NULL));
    for (int64_t i = 0; i < rows * k; ++i) {
      assert_int_equal(value[i], sorted[i / k * n + i % k].value);
      assert_int_equal(place[i], sorted[i / k * n + i % k].index);
    }
    for (int64_t i = 0; i < rows * n; ++i) {
      const int64_t middle = sorted[i / n * n + k - 1].value;
      if (i % n < k) assert_true(all[i] <= middle);
      if (i % n >= k - 1) assert_true(all[i] >= middle);
    }
    free(value);
    free(place);
    free(all);
    gpuarr_array* const made[] = {least, places, parted};
    release_arrays(made, 3);
  }
}

static void ranks_in_long_rows(void** state) {
  (void)state;
  const int64_t shapes[][2] = {{1, 140000}, {3, 2500}};
  for (int s = 0; s < 2; ++s)
    for (int kind = 0; kind < 5; ++kind) {
      const int64_t rows = shapes[s][0], n = shapes[s][1];
      int64_t* data = malloc(8 * rows * n);
      element* sorted = malloc(sizeof *sorted * rows * n);
      for (int64_t i = 0; i < rows * n; ++i) {
        data[i] = number_of(kind, i);
        sorted[i] = (element){data[i], i % n};
      }
      for (int64_t r = 0; r < rows; ++r) qsort(sorted + r * n, n, sizeof *sorted, compare_elements);
      gpuarr_array* array = from(GPUARR_I64, 2, shapes[s], data);
      assert_ranks(array, sorted, rows, n);
      gpuarr_array_release(array);
      free(data);
      free(sorted);
    }
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
      cmocka_unit_test(elements_of_a_line),        cmocka_unit_test(along_an_axis),
      cmocka_unit_test(the_most_extreme),          cmocka_unit_test(ranks_in_long_rows),
      cmocka_unit_test(nothing_to_sort),           cmocka_unit_test(arguments),
      cmocka_unit_test(results_that_share_memory),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_array_release(x);
  return finish_tests(failed);
}
