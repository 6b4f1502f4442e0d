/* Tests of gpuarr/rearrange.h: what is refused, what is a view, and empty arrays. What values come
 * out is compared with NumPy's in tests/numpy/moving.py. */
#include "arrays.h"

static gpuarr_device* device;

static void refused_repetitions(void** state) {
  (void)state;
  const int64_t times[] = {2, -1}, most[] = {INT64_MAX, 2}, large[] = {INT64_C(1) << 61, 2};
  gpuarr_array *x = ramp(GPUARR_F32, 4), *out = NULL;
  assert_status(gpuarr_tile(NULL, x, 2, times, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_tile: out is NULL");
  assert_status(gpuarr_tile(&out, NULL, 2, times, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_tile(&out, x, 2, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("times is NULL; give 2 numbers");
  assert_status(gpuarr_tile(&out, x, -2, times, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is -2");
  assert_status(gpuarr_tile(&out, x, 2, times, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("times[1] is -1; give 0 or more");
  assert_status(gpuarr_tile(&out, x, 2, most, NULL), GPUARR_ERR_SHAPE);
  assert_status(gpuarr_tile(&out, x, 1, most, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("axis 0 would have 4 times 9223372036854775807 indices");
  assert_status(gpuarr_tile(&out, x, 2, large, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("is more than 2^63 - 1 bytes");
  int64_t ones[33];
  for (int k = 0; k < 33; ++k) ones[k] = 1;
  assert_status(gpuarr_tile(&out, x, 33, ones, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("count is 33");
  assert_status(gpuarr_repeat(&out, x, -1, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is -1; give 0 or more");
  assert_status(gpuarr_repeat(&out, x, INT64_MAX, 0, NULL), GPUARR_ERR_SHAPE);
  assert_status(gpuarr_repeat(&out, x, 2, 1, NULL), GPUARR_ERR_AXIS);
  assert_null(out);
  gpuarr_array_release(x);
}

static void refused_counts(void** state) {
  (void)state;
  const int64_t three = 3, counts[] = {1, -2, 3}, huge[] = {INT64_MAX, 1, 1};
  gpuarr_array *x = ramp(GPUARR_F32, 3), *k = NULL, *out = NULL;
  assert_status(gpuarr_repeat_each(&out, x, x, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("counts is float32; give an array of an integer type");
  k = ramp(GPUARR_I32, 2);
  assert_status(gpuarr_repeat_each(&out, x, k, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("counts has shape (2,); give (3,), one for each index of axis 0");
  replace(&k, from(GPUARR_I64, 1, &three, counts));
  assert_status(gpuarr_repeat_each(&out, x, k, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("counts[1] is -2; give 0 or more");
  replace(&k, from(GPUARR_I64, 1, &three, huge));
  assert_status(gpuarr_repeat_each(&out, x, k, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("the counts together are more than 2^63 - 1");
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_status(gpuarr_repeat_each(&out, x, k, 0, stream), GPUARR_ERR_UNSUPPORTED);
  assert_message_has("being captured");
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  gpuarr_graph_release(graph);
  gpuarr_stream_release(stream);
  assert_null(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

static void refused_shifts_and_turns(void** state) {
  (void)state;
  const int64_t shifts[] = {1};
  const int32_t axes[] = {1}, twice[] = {0, -1};
  gpuarr_array *x = ramp(GPUARR_F32, 4), *out = NULL;
  assert_status(gpuarr_roll(&out, x, 1, shifts, axes, NULL), GPUARR_ERR_AXIS);
  assert_message_has("axes[0] is 1");
  assert_status(gpuarr_roll(&out, x, INT32_MAX, shifts, axes, NULL), GPUARR_ERR_AXIS);
  assert_message_has("count is 2147483647, but no array has more than 32 axes");
  assert_status(gpuarr_roll(&out, x, 1, NULL, axes, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("shifts is NULL");
  assert_status(gpuarr_roll(&out, x, 1, shifts, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("axes is NULL");
  assert_status(gpuarr_flip(&out, x, 2, twice), GPUARR_ERR_AXIS);
  assert_status(gpuarr_flip(&out, x, 1, axes), GPUARR_ERR_AXIS);
  assert_status(gpuarr_rot90(&out, x, 1, 0, 1), GPUARR_ERR_AXIS);
  assert_message_has("axis2 is 1");
  assert_status(gpuarr_rot90(&out, x, 1, 0, -1), GPUARR_ERR_AXIS);
  assert_message_has("axis1 and axis2 are both axis 0; a rotation needs two axes");
  assert_null(out);
  gpuarr_array_release(x);
}

static void large_shifts(void** state) {
  (void)state;
  const int64_t shifts[] = {INT64_MIN, INT64_MAX};
  const int32_t axes[] = {0, 0};
  gpuarr_array *x = ramp(GPUARR_I32, 3), *out = NULL;
  assert_ok(gpuarr_roll(&out, x, 2, shifts, axes, NULL)); /* by -1 */
  assert_values(out, 3, (double[]){1, 2, 0});
  gpuarr_array_release(out);
  out = x;
  assert_ok(gpuarr_roll(&out, x, 1, &(int64_t){1}, axes, NULL));
  assert_values(x, 3, (double[]){2, 0, 1});
  gpuarr_array_release(x);
}

static void turned_arrays_are_views(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3}, turned[] = {3, 2};
  gpuarr_array *x = zeros(GPUARR_I32, 2, shape), *view = NULL;
  assert_ok(gpuarr_flip(&view, x, 0, NULL));
  assert_int_equal(gpuarr_array_strides(view)[0], -3);
  assert_ok(gpuarr_array_fill(view, gpuarr_arg_i32(4), NULL));
  assert_values(x, 6, (double[]){4, 4, 4, 4, 4, 4});
  gpuarr_array_release(view);
  assert_ok(gpuarr_rot90(&view, x, INT32_MIN + 1, 0, 1)); /* 1 modulo 4 */
  assert_shape(view, 2, turned);
  gpuarr_array_release(view);
  gpuarr_array_release(x);
}

static void refused_borders(void** state) {
  (void)state;
  const int64_t one = 1, less = -1, most = INT64_MAX, zero = 0;
  const gpuarr_arg value = gpuarr_arg_f64(0.5);
  gpuarr_array *x = ramp(GPUARR_I32, 3), *none = line(GPUARR_I32, 0), *out = NULL;
  assert_status(gpuarr_pad(&out, x, &one, &one, 5, value, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("mode is 5");
  assert_status(gpuarr_pad(&out, x, &less, &one, GPUARR_PAD_EDGE, value, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("before[0] is -1; give 0 or more");
  assert_status(gpuarr_pad(&out, x, &one, NULL, GPUARR_PAD_EDGE, value, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("after is NULL");
  assert_status(gpuarr_pad(&out, x, &one, &most, GPUARR_PAD_EDGE, value, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("axis 0 would have more than 2^63 - 1 indices");
  assert_status(gpuarr_pad(&out, x, &one, &one, GPUARR_PAD_CONSTANT, value, NULL),
                GPUARR_ERR_DTYPE);
  assert_message_has("value");
  assert_status(gpuarr_pad(&out, none, &one, &zero, GPUARR_PAD_WRAP, value, NULL),
                GPUARR_ERR_SHAPE);
  assert_message_has("axis 0 has no elements to pad it from");
  assert_null(out);
  assert_ok(gpuarr_pad(&out, none, &one, &one, GPUARR_PAD_CONSTANT, gpuarr_arg_i32(7), NULL));
  assert_values(out, 2, (double[]){7, 7});
  gpuarr_array_release(out);
  gpuarr_array_release(none);
  gpuarr_array_release(x);
}

/* Wider than the array, also where one element is all there is to mirror. */
static void wide_borders(void** state) {
  (void)state;
  const int64_t five = 5, two = 2, zero = 0;
  const gpuarr_arg none = gpuarr_arg_i32(0);
  gpuarr_array *x = ramp(GPUARR_I32, 3), *one = ramp(GPUARR_I32, 1), *out = NULL;
  assert_ok(gpuarr_pad(&out, x, &five, &zero, GPUARR_PAD_WRAP, none, NULL));
  assert_values(out, 8, (double[]){1, 2, 0, 1, 2, 0, 1, 2});
  gpuarr_array_release(out);
  out = NULL;
  assert_ok(gpuarr_pad(&out, x, &zero, &five, GPUARR_PAD_SYMMETRIC, none, NULL));
  assert_values(out, 8, (double[]){0, 1, 2, 2, 1, 0, 0, 1});
  gpuarr_array_release(out);
  out = NULL;
  assert_ok(gpuarr_pad(&out, one, &two, &two, GPUARR_PAD_REFLECT, none, NULL));
  assert_values(out, 5, (double[]){0, 0, 0, 0, 0});
  gpuarr_array_release(out);
  gpuarr_array_release(one);
  gpuarr_array_release(x);
}

static void refused_matrices(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3}, wide = INT64_C(1) << 40;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *matrix = zeros(GPUARR_F32, 2, shape), *out = NULL;
  gpuarr_array *one = line(GPUARR_I8, 1), *many = NULL;
  assert_status(gpuarr_triu(&out, x, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("gpuarr_triu: x has shape (3,); give a matrix");
  assert_status(gpuarr_tril(&out, x, 0, NULL), GPUARR_ERR_SHAPE);
  assert_status(gpuarr_diag(&out, matrix, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("gpuarr_array_diagonal");
  assert_status(gpuarr_diag(&out, x, INT64_MIN, NULL), GPUARR_ERR_SHAPE);
  assert_status(gpuarr_diag(&out, x, INT64_MAX, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("the matrix would have more than 2^63 - 1 rows");
  assert_ok(gpuarr_array_broadcast(&many, one, 1, &wide));
  assert_status(gpuarr_diag(&out, many, 0, NULL), GPUARR_ERR_SHAPE);
  assert_status(gpuarr_tri(&out, device, GPUARR_F32, -1, 2, 0, GPUARR_ORDER_C, NULL),
                GPUARR_ERR_SHAPE);
  assert_message_has("rows is -1");
  assert_status(gpuarr_tri(&out, device, GPUARR_F32, 2, 2, 0, 7, NULL), GPUARR_ERR_ARGUMENT);
  assert_null(out);
  gpuarr_array_release(many);
  gpuarr_array_release(one);
  gpuarr_array_release(matrix);
  gpuarr_array_release(x);
}

static void far_diagonals(void** state) {
  (void)state;
  const int64_t shape[] = {2, 2};
  gpuarr_array *x = NULL, *out = NULL;
  assert_ok(gpuarr_array_ones(&x, device, GPUARR_F32, 2, shape, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_triu(&out, x, INT64_MIN, NULL));
  assert_values(out, 4, (double[]){1, 1, 1, 1});
  assert_ok(gpuarr_tril(&out, x, INT64_MIN, NULL));
  assert_values(out, 4, (double[]){0, 0, 0, 0});
  assert_ok(gpuarr_tril(&out, x, INT64_MAX, NULL));
  assert_values(out, 4, (double[]){1, 1, 1, 1});
  gpuarr_array_release(out);
  assert_ok(gpuarr_tri(&out, device, GPUARR_BOOL, 2, 2, 0, GPUARR_ORDER_F, NULL));
  assert_values(out, 4, (double[]){1, 0, 1, 1});
  assert_true(gpuarr_array_is_contiguous(out, GPUARR_ORDER_F));
  gpuarr_array_release(out);
  gpuarr_array_release(x);
}

static void nothing_to_move(void** state) {
  (void)state;
  const int64_t shape[] = {0, 3}, times[] = {2, 2}, two = 2;
  const int32_t axis = 1;
  gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *out[7] = {NULL}, *k = line(GPUARR_I32, 0);
  assert_ok(gpuarr_tile(&out[0], x, 2, times, NULL));
  assert_ok(gpuarr_repeat(&out[1], x, 2, 1, NULL));
  assert_ok(gpuarr_repeat_each(&out[2], x, k, 0, NULL));
  assert_ok(gpuarr_roll(&out[3], x, 1, &two, &axis, NULL));
  assert_ok(gpuarr_flip(&out[4], x, 0, NULL));
  assert_ok(gpuarr_triu(&out[5], x, 0, NULL));
  assert_ok(gpuarr_diag(&out[6], k, 0, NULL));
  for (int n = 0; n < 7; ++n) assert_int_equal(gpuarr_array_size(out[n]), 0);
  release_arrays(out, 7);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

static void memory_orders(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3}, times[] = {2, 2}, one[] = {1, 1};
  gpuarr_array *x = NULL, *out[3] = {NULL};
  assert_ok(gpuarr_array_zeros(&x, device, GPUARR_F32, 2, shape, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_tile(&out[0], x, 2, times, NULL));
  assert_ok(gpuarr_repeat(&out[1], x, 2, 0, NULL));
  assert_ok(gpuarr_pad(&out[2], x, one, one, GPUARR_PAD_EDGE, gpuarr_arg_f32(0), NULL));
  for (int n = 0; n < 3; ++n) assert_true(gpuarr_array_is_contiguous(out[n], GPUARR_ORDER_F));
  release_arrays(out, 3);
  gpuarr_array_release(x);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused_repetitions),
      cmocka_unit_test(refused_counts),
      cmocka_unit_test(refused_shifts_and_turns),
      cmocka_unit_test(large_shifts),
      cmocka_unit_test(turned_arrays_are_views),
      cmocka_unit_test(refused_borders),
      cmocka_unit_test(wide_borders),
      cmocka_unit_test(refused_matrices),
      cmocka_unit_test(far_diagonals),
      cmocka_unit_test(nothing_to_move),
      cmocka_unit_test(memory_orders),
  };
  return run_suite(tests);
}
