/* The ready-made reductions: every one of them, of every dtype, along various axes. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "elements.h"
#include "nested.h"
#include "reducers.h"

enum { ndim = 3, size = 24 };
static const int64_t shape[] = {2, 3, 4};

struct axes {
  int32_t count; /* GPUARR_ALL_AXES */
  int32_t list[3];
};
static const struct axes axis_sets[] = {
    {GPUARR_ALL_AXES, {0}}, {1, {0}}, {1, {-1}}, {2, {2, 0}}, {0, {0}}};
enum { axis_set_count = sizeof axis_sets / sizeof *axis_sets };

static int is_reduced(const struct axes* axes, int32_t axis) {
  if (axes->count == GPUARR_ALL_AXES) return 1;
  for (int32_t k = 0; k < axes->count; ++k)
    if ((axes->list[k] + ndim) % ndim == axis) return 1;
  return 0;
}

/* Small numbers that the dtype holds, of which a few are 0; of a product only 1, -1 and 2. */
static void draw(const struct reducer* r, gpuarr_dtype dtype, double* values) {
  static const double factors[] = {1, 1, 1, -1, -1, 2};
  int with_sign = dtype >= GPUARR_F16 || (dtype >= GPUARR_I8 && dtype <= GPUARR_I64);
  for (int k = 0; k < size; ++k) {
    double v = (double)random_between(-9, 9);
    if (strcmp(r->name, "prod") == 0) v = factors[random_between(0, 5)];
    if (!with_sign) v = fabs(v);
    values[k] = dtype == GPUARR_BOOL ? v > 3 : v;
  }
}

/* The array of these values in C order, which lies in memory in C order, or with its axes reversed
 * and the last one backwards. */
static gpuarr_array* lay(gpuarr_dtype dtype, const double* values, int wound) {
  char data[size * 8];
  const int64_t reversed[] = {4, 3, 2};
  int64_t index[ndim] = {0};
  int k = 0;
  do {
    int64_t at = wound ? (3 - index[2]) * 6 + index[1] * 2 + index[0] : k;
    put_element(data, dtype, at, values[k++]);
  } while (next_index(ndim, shape, index));
  if (!wound) return from(dtype, ndim, shape, data);
  gpuarr_array *base = from(dtype, ndim, reversed, data), *turned = NULL, *view = NULL;
  assert_ok(gpuarr_array_transpose(&turned, base, 0, NULL));
  assert_ok(gpuarr_array_slice(&view, turned, 2, GPUARR_NONE, GPUARR_NONE, -1));
  gpuarr_array_release(base);
  gpuarr_array_release(turned);
  return view;
}

/* What the elements of the result with this index, along kept axes, should come to. */
static double expected_at(const struct reducer* r, const double* values, const struct axes* axes,
                          const int64_t* result) {
  double gathered[size];
  int64_t index[ndim] = {0};
  int64_t count = 0;
  int k = 0;
  do {
    int belongs = 1;
    for (int32_t axis = 0; axis < ndim; ++axis)
      belongs &= is_reduced(axes, axis) || index[axis] == result[axis];
    if (belongs) gathered[count++] = values[k];
    ++k;
  } while (next_index(ndim, shape, index));
  return r->expected(gathered, count);
}

static double tolerance(gpuarr_dtype dtype) {
  return dtype == GPUARR_F16    ? 1e-3
         : dtype == GPUARR_BF16 ? 8e-3
         : dtype == GPUARR_F32  ? 2e-6
                                : 1e-12;
}

static void compare(const struct reducer* r, gpuarr_dtype dtype, const struct axes* axes,
                    int wound) {
  double values[size];
  draw(r, dtype, values);
  int32_t keepdims = (int32_t)random_between(0, 1);
  gpuarr_array *x = lay(dtype, values, wound), *out = NULL;
  assert_ok(r->call(&out, x, axes->list, axes->count, keepdims, NULL));
  int64_t kept[ndim], expected_shape[ndim], index[ndim] = {0};
  int32_t expected_ndim = 0;
  for (int32_t axis = 0; axis < ndim; ++axis) {
    kept[axis] = is_reduced(axes, axis) ? 1 : shape[axis];
    if (keepdims || !is_reduced(axes, axis)) expected_shape[expected_ndim++] = kept[axis];
  }
  assert_int_equal(gpuarr_array_dtype(out), result_dtype(r, dtype));
  assert_int_equal(gpuarr_array_ndim(out), expected_ndim);
  for (int32_t axis = 0; axis < expected_ndim; ++axis)
    assert_int_equal(gpuarr_array_shape(out)[axis], expected_shape[axis]);
  double *results = doubles_of(out), *at = results;
  do {
    double expected = expected_at(r, values, axes, index), allowed = tolerance(dtype);
    if (!(fabs(*at - expected) <= allowed * fmax(1, fabs(expected))) && !(*at == expected) &&
        !(isnan(*at) && isnan(expected)))
      fail_msg("%s of %s, %d axes, wound %d: %.17g, expected %.17g", r->name,
               gpuarr_dtype_name(dtype), axes->count, wound, *at, expected);
    ++at;
  } while (next_index(ndim, kept, index));
  free(results);
  gpuarr_array_release(x);
  gpuarr_array_release(out);
}

/* A kernel takes time to compile: each reduction gets a few of the dtypes, each dtype a few of the
 * reductions. */
static void of_every_dtype(void** state) {
  (void)state;
  for (int k = 0; k < reducer_count; ++k)
    for (gpuarr_dtype dtype = GPUARR_BOOL; dtype <= GPUARR_F64; ++dtype)
      if ((k == 0 && !sanitized) || (k + dtype) % (sanitized ? 29 : 7) == 0)
        compare(&reducers[k], dtype, &axis_sets[2], 0);
}

static void along_every_set_of_axes(void** state) {
  (void)state;
  for (int k = 0; k < reducer_count; ++k)
    for (int set = 0; set < axis_set_count; ++set)
      if (k == 2 || (k + set) % 5 < (sanitized ? 1 : 2))
        compare(&reducers[k], GPUARR_F32, &axis_sets[set], set == 3);
}

static void into_a_given_array(void** state) {
  (void)state;
  const double values[size] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const int64_t column[] = {2, 2};
  const int32_t axes[] = {1, 2};
  gpuarr_array* x = lay(GPUARR_F32, values, 0);
  gpuarr_array *base = zeros(GPUARR_F32, 2, column), *given = NULL;
  assert_ok(gpuarr_array_select(&given, base, 1, 1));
  gpuarr_array* out = given;
  assert_ok(gpuarr_sum(&out, x, axes, 2, 0, NULL));
  assert_ptr_equal(out, given);
  assert_floats(base, 4, (const float[]){0, 78, 0, 0});
  gpuarr_array_release(x);
  gpuarr_array_release(base);
  gpuarr_array_release(given);
}

static void dots(void** state) {
  (void)state;
  for (gpuarr_dtype dtype = GPUARR_BOOL; dtype <= GPUARR_F64; dtype += 3) {
    double x_values[size], y_values[size], expected = 0;
    const struct reducer* any_numbers = reducer_called("sum");
    draw(any_numbers, dtype, x_values);
    draw(any_numbers, dtype, y_values);
    for (int k = 0; k < size; ++k) expected += x_values[k] * y_values[k];
    gpuarr_array *x = lay(dtype, x_values, 0), *y = lay(dtype, y_values, 1), *out = NULL;
    assert_ok(gpuarr_dot(&out, x, y, NULL));
    assert_int_equal(gpuarr_array_dtype(out), result_dtype(any_numbers, dtype));
    assert_int_equal(gpuarr_array_ndim(out), 0);
    assert_close(value_of(out), expected, tolerance(dtype));
    gpuarr_array_release(x);
    gpuarr_array_release(y);
    gpuarr_array_release(out);
  }
}

static void* call_at_once(void* together) {
  double values[size] = {0};
  const struct reducer* r = reducer_called("argmin");
  values[7] = -1;
  gpuarr_array *x = lay(GPUARR_I32, values, 0), *out = NULL;
  pthread_barrier_wait(together);
  gpuarr_status status = r->call(&out, x, NULL, GPUARR_ALL_AXES, 0, NULL);
  int64_t found = -1;
  if (status == GPUARR_OK) status = gpuarr_array_read(&found, sizeof found, NULL, out, NULL);
  gpuarr_array_release(x);
  gpuarr_array_release(out);
  return status == GPUARR_OK && found == 7 ? together : NULL;
}

/* None has asked for this kernel yet. */
static void threads_get_one_kernel(void** state) {
  (void)state;
  enum { threads = 6 };
  pthread_barrier_t together;
  pthread_t ids[threads];
  pthread_barrier_init(&together, NULL, threads);
  for (int k = 0; k < threads; ++k)
    assert_int_equal(pthread_create(&ids[k], NULL, call_at_once, &together), 0);
  for (int k = 0; k < threads; ++k) {
    void* done = NULL;
    pthread_join(ids[k], &done);
    assert_ptr_equal(done, &together);
  }
  pthread_barrier_destroy(&together);
}

/* A list that is NULL, of length 0, is all axes; any other of length 0 is none. */
static void no_list_is_all_axes(void** state) {
  (void)state;
  const int32_t none = 0;
  const int64_t one_each[] = {1, 1}, two_by_three[] = {2, 3};
  gpuarr_array* x = from(GPUARR_F64, 2, two_by_three, (double[]){1, 2, 3, 4, 5, 6});
  for (size_t k = 0; k < reducer_count; ++k) {
    gpuarr_array *all = NULL, *kept = NULL, *each = NULL;
    assert_ok(reducers[k].call(&all, x, NULL, 0, 0, NULL));
    assert_shape(all, 0, NULL);
    assert_ok(reducers[k].call(&kept, x, NULL, 0, 1, NULL));
    assert_shape(kept, 2, one_each);
    assert_ok(reducers[k].call(&each, x, &none, 0, 0, NULL));
    assert_shape(each, 2, two_by_three);
    gpuarr_array_release(each);
    gpuarr_array_release(kept);
    gpuarr_array_release(all);
  }
  gpuarr_array* sum = NULL;
  assert_ok(gpuarr_sum(&sum, x, NULL, 0, 0, NULL));
  assert_values(sum, 1, (double[]){21});
  gpuarr_array_release(sum);
  gpuarr_array_release(x);
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_get_one_kernel),  cmocka_unit_test(of_every_dtype),
      cmocka_unit_test(along_every_set_of_axes), cmocka_unit_test(no_list_is_all_axes),
      cmocka_unit_test(into_a_given_array),      cmocka_unit_test(dots)};
  return run_suite(tests);
}
