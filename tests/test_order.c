/* Unique elements, places, bins and quantiles, and calls of them that must fail. */
#include <math.h>

#include "arrays.h"

static gpuarr_array* x; /* float32, 6 elements */

static void elements_that_differ(void** state) {
  (void)state;
  gpuarr_array *values = NULL, *indices = NULL, *inverse = NULL, *counts = NULL;
  const float numbers[] = {2, NAN, 0, 2, -0.0F, NAN, 1};
  const int64_t seven[] = {7};
  gpuarr_array* of = floats(7, numbers);
  assert_ok(gpuarr_unique(&values, &indices, &inverse, &counts, of, NULL));
  assert_values(values, 4, (const double[]){0, 1, 2, NAN});
  assert_values(indices, 4, (const double[]){2, 6, 0, 1});
  assert_shape(inverse, 1, seven);
  assert_values(inverse, 7, (const double[]){2, 3, 0, 2, 0, 3, 1});
  assert_values(counts, 4, (const double[]){2, 1, 2, 2});
  assert_ok(gpuarr_unique(&values, NULL, NULL, NULL, of, NULL)); /* which is there now */
  gpuarr_array* const all[] = {values, indices, inverse, counts, of};
  release_arrays(all, 5);
}

/* All complex NaNs are one; in order, an imaginary NaN comes before a real one, wherever it is. */
static void complex_nans_that_differ(void** state) {
  (void)state;
  const float parts[] = {1, NAN, NAN, 1, 2, 0, 0, NAN, NAN, NAN};
  gpuarr_array *of = from(GPUARR_C64, 1, (const int64_t[]){5}, parts), *values = NULL;
  gpuarr_array *indices = NULL, *inverse = NULL, *counts = NULL, *real = NULL;
  assert_ok(gpuarr_unique(&values, &indices, &inverse, &counts, of, NULL));
  assert_ok(gpuarr_real(&real, values, NULL));
  assert_values(real, 2, (const double[]){2, 0});
  assert_values(indices, 2, (const double[]){2, 3});
  assert_values(inverse, 5, (const double[]){1, 1, 0, 1, 1});
  assert_values(counts, 2, (const double[]){1, 4});
  release_arrays((gpuarr_array*[]){of, values, indices, inverse, counts, real}, 6);
}

static void places(void** state) {
  (void)state;
  gpuarr_array *sorted = floats(5, (const float[]){1, 2, 2, 3, NAN}), *out = NULL;
  gpuarr_array* wanted = floats(4, (const float[]){2, 0, NAN, 9});
  assert_ok(gpuarr_searchsorted(&out, sorted, wanted, 0, NULL));
  assert_values(out, 4, (const double[]){1, 0, 4, 4});
  assert_ok(gpuarr_searchsorted(&out, sorted, wanted, 1, NULL));
  assert_values(out, 4, (const double[]){3, 0, 5, 4});
  gpuarr_array* const all[] = {sorted, out, wanted};
  release_arrays(all, 3);
}

static void bins(void** state) {
  (void)state;
  gpuarr_array *counts = NULL, *edges = NULL, *sums = NULL, *between = NULL;
  assert_ok(gpuarr_histogram(&counts, &edges, x, 5, NULL, NULL));
  assert_values(counts, 5, (const double[]){1, 1, 1, 1, 2});
  assert_values(edges, 6, (const double[]){0, 1, 2, 3, 4, 5});
  assert_ok(gpuarr_histogram_between(&between, x, edges, NULL));
  assert_values(between, 5, (const double[]){1, 1, 1, 1, 2});
  gpuarr_array *numbers = from(GPUARR_U8, 1, (const int64_t[]){4}, "\2\0\2\5"), *often = NULL;
  assert_ok(gpuarr_bincount(&often, numbers, NULL, 8, NULL));
  assert_values(often, 8, (const double[]){1, 0, 2, 0, 0, 1, 0, 0});
  gpuarr_array* weights = floats(4, (const float[]){0.5F, -1, 0.25F, 3});
  assert_ok(gpuarr_bincount(&sums, numbers, weights, 0, NULL));
  assert_values(sums, 6, (const double[]){-1, 0, 0.75, 0, 0, 3});
  gpuarr_array* const all[] = {counts, edges, sums, between, numbers, often, weights};
  release_arrays(all, 7);
}

static void middles(void** state) {
  (void)state;
  const double q[] = {0, 0.3, 1};
  gpuarr_array *out = NULL, *nan = floats(3, (const float[]){3, NAN, 1}), *one = NULL;
  assert_ok(gpuarr_median(&one, x, 0, NULL));
  assert_values(one, 1, (const double[]){2.5});
  assert_ok(gpuarr_median(&one, nan, 0, NULL));
  assert_values(one, 1, (const double[]){NAN});
  assert_ok(gpuarr_nanmedian(&one, nan, 0, NULL));
  assert_values(one, 1, (const double[]){2});
  assert_ok(gpuarr_quantile(&out, x, q, 3, 0, GPUARR_QUANTILE_LINEAR, NULL));
  assert_values(out, 3, (const double[]){0, 1.5, 5});
  assert_ok(gpuarr_nanquantile(&out, nan, q, 3, 0, GPUARR_QUANTILE_HIGHER, NULL));
  assert_values(out, 3, (const double[]){1, 3, 3});
  gpuarr_array* const all[] = {out, nan, one};
  release_arrays(all, 3);
}

static void nothing(void** state) {
  (void)state;
  gpuarr_array *none = line(GPUARR_I32, 0), *values = NULL, *counts = NULL, *edges = NULL;
  assert_ok(gpuarr_unique(&values, NULL, NULL, &counts, none, NULL));
  assert_shape(values, 1, (const int64_t[]){0});
  replace(&counts, NULL);
  assert_ok(gpuarr_histogram(&counts, &edges, none, 2, NULL, NULL));
  assert_values(counts, 2, (const double[]){0, 0});
  assert_values(edges, 3, (const double[]){0, 0.5, 1});
  replace(&counts, NULL);
  assert_ok(gpuarr_bincount(&counts, none, NULL, 0, NULL));
  assert_shape(counts, 1, (const int64_t[]){0});
  gpuarr_array* out = NULL;
  assert_status(gpuarr_median(&out, none, 0, NULL), GPUARR_ERR_EMPTY);
  assert_message_has("gpuarr_median: x has shape (0,), and so no elements along axis 0");
  gpuarr_array* const all[] = {none, values, counts, edges};
  release_arrays(all, 4);
}

static void refused_numbers(void** state) {
  (void)state;
  gpuarr_array* out = NULL;
  const double q[] = {0.5, 1.5}, falling[] = {2, 1}, endless[] = {0, INFINITY};
#define REFUSED(call, status, says) \
  do {                              \
    assert_status(call, status);    \
    assert_message_has(says);       \
    assert_null(out);               \
  } while (0)
  REFUSED(gpuarr_quantile(&out, x, q, 2, 0, 0, NULL), GPUARR_ERR_ARGUMENT,
          "q[1] is 1.5; give a number from 0 to 1");
  REFUSED(gpuarr_quantile(&out, x, q, 1, 0, 5, NULL), GPUARR_ERR_ARGUMENT, "method is 5");
  REFUSED(gpuarr_quantile(&out, x, q, 0, 0, 0, NULL), GPUARR_ERR_ARGUMENT, "q_count is 0");
  REFUSED(gpuarr_quantile(&out, x, NULL, 1, 0, 0, NULL), GPUARR_ERR_ARGUMENT, "q is NULL");
  REFUSED(gpuarr_median(&out, x, 1, NULL), GPUARR_ERR_AXIS, "axis is 1");
  REFUSED(gpuarr_histogram(&out, NULL, x, 0, NULL, NULL), GPUARR_ERR_ARGUMENT, "bins is 0");
  REFUSED(gpuarr_histogram(&out, NULL, x, 2, falling, NULL), GPUARR_ERR_ARGUMENT,
          "range is 2 to 1; give the lesser number first");
  REFUSED(gpuarr_histogram(&out, NULL, x, 2, endless, NULL), GPUARR_ERR_ARGUMENT,
          "range is 0 to inf; give finite numbers");
  REFUSED(gpuarr_histogram(&out, NULL, x, INT64_C(1) << 62, NULL, NULL), GPUARR_ERR_SHAPE, "");
  REFUSED(gpuarr_bincount(&out, x, NULL, 0, NULL), GPUARR_ERR_DTYPE, "x is float32; give whole");
#undef REFUSED
}

static void refused_arrays(void** state) {
  (void)state;
  gpuarr_array *out = NULL, *square = NULL, *edges = floats(3, (const float[]){1, 3, 2});
  gpuarr_array *complex = line(GPUARR_C64, 2), *f64 = line(GPUARR_F64, 2), *nan = NULL;
  gpuarr_array *signs = from(GPUARR_I8, 1, (const int64_t[]){2}, "\1\375"), *short_one = NULL;
  square = zeros(GPUARR_F32, 2, (const int64_t[]){2, 2});
  assert_status(gpuarr_histogram_between(&out, x, edges, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("edges[2] is 2, less than edges[1], 3; sort them");
  nan = floats(2, (const float[]){1, NAN});
  assert_status(gpuarr_histogram_between(&out, x, nan, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("edges[1] is NaN");
  assert_status(gpuarr_histogram_between(&out, x, square, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("edges has shape (2, 2); it must have one axis");
  assert_status(gpuarr_searchsorted(&out, square, x, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("sorted has shape (2, 2); it must have one axis");
  assert_status(gpuarr_searchsorted(&out, f64, x, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("x is float32, but sorted is float64; give arrays of one dtype");
  assert_status(gpuarr_searchsorted(&out, x, x, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("right is 2; give 1 or 0");
  const double half = 0.5;
  assert_status(gpuarr_quantile(&out, complex, &half, 1, 0, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("x is complex64, which has no quantiles");
  assert_status(gpuarr_histogram(&out, NULL, complex, 1, NULL, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("x is complex64, which has no bins");
  assert_status(gpuarr_bincount(&out, signs, NULL, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("x has the element -3; give numbers that are 0 or more");
  assert_status(gpuarr_bincount(&out, signs, x, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("weights has shape (6,), but x has (2,)");
  assert_status(gpuarr_bincount(&out, signs, NULL, -1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("minlength is -1; give 0 or more");
  assert_null(out);
  short_one = line(GPUARR_F32, 2);
  assert_status(gpuarr_unique(&short_one, NULL, NULL, NULL, x, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("values has shape (2,), but the result has (6,)");
  assert_status(gpuarr_unique(NULL, NULL, NULL, NULL, x, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("values is NULL; give the address of a variable");
  gpuarr_array* const all[] = {square, edges, complex, f64, nan, signs, short_one};
  release_arrays(all, 7);
}

static void waiting_while_captured(void** state) {
  (void)state;
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  gpuarr_array *values = NULL, *order = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  assert_ok(gpuarr_argsort(&order, x, 0, 1, stream)); /* compiles what the capture will launch */
  assert_ok(gpuarr_stream_synchronize(stream));
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_status(gpuarr_unique(&values, NULL, NULL, NULL, x, stream), GPUARR_ERR_UNSUPPORTED);
  assert_message_has("stream is being captured, but the call waits for the number of results");
  assert_ok(gpuarr_argsort(&order, x, 0, 1, stream));
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  assert_null(values);
  gpuarr_graph_release(graph);
  gpuarr_array_release(order);
  gpuarr_stream_release(stream);
}

int main(void) {
  open_test_device();
  x = ramp(GPUARR_F32, 6);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_that_differ),
      cmocka_unit_test(complex_nans_that_differ),
      cmocka_unit_test(places),
      cmocka_unit_test(bins),
      cmocka_unit_test(middles),
      cmocka_unit_test(nothing),
      cmocka_unit_test(refused_numbers),
      cmocka_unit_test(refused_arrays),
      cmocka_unit_test(waiting_while_captured),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_array_release(x);
  return finish_tests(failed);
}
