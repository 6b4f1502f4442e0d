/* Selection by masks, places of elements, and what is refused. */
#include "arrays.h"

static gpuarr_array *x, *mask; /* float32 and bool, shape (2, 3) */
static const int64_t shape[] = {2, 3};

static void chosen_elements(void** state) {
  (void)state;
  gpuarr_array *out = NULL, *turned = NULL, *turned_mask = NULL;
  assert_ok(gpuarr_select(&out, x, mask, NULL));
  assert_floats(out, 3, (float[]){1, 2, 5});
  assert_ok(gpuarr_array_transpose(&turned, x, 0, NULL));
  assert_ok(gpuarr_array_transpose(&turned_mask, mask, 0, NULL));
  assert_ok(gpuarr_select(&out, turned, turned_mask, NULL)); /* into it */
  assert_floats(out, 3, (float[]){1, 2, 5});
  release_arrays((gpuarr_array*[]){out, turned, turned_mask}, 3);
}

static void without_waiting(void** state) {
  (void)state;
  gpuarr_array *out = floats(2, (float[]){7, 7}), *count = NULL;
  assert_ok(gpuarr_select_into(out, &count, x, mask, NULL));
  assert_floats(out, 2, (float[]){1, 2}); /* of three */
  assert_int_equal(gpuarr_array_dtype(count), GPUARR_I64);
  assert_true(value_of(count) == 3);
  replace(&out, floats(5, (float[]){7, 7, 7, 7, 7}));
  assert_ok(gpuarr_select_into(out, &count, x, mask, NULL));
  assert_floats(out, 5, (float[]){1, 2, 5, 7, 7});
  release_arrays((gpuarr_array*[]){out, count}, 2);
}

static void places(void** state) {
  (void)state;
  gpuarr_array *out = NULL, *indices[] = {NULL, NULL};
  assert_ok(gpuarr_flatnonzero(&out, x, NULL));
  assert_values(out, 5, (double[]){1, 2, 3, 4, 5});
  assert_ok(gpuarr_nonzero(indices, 2, mask, NULL));
  assert_values(indices[0], 3, (double[]){0, 0, 1});
  assert_values(indices[1], 3, (double[]){1, 2, 2});
  release_arrays((gpuarr_array*[]){out, indices[0], indices[1]}, 3);
}

static void writing(void** state) {
  (void)state;
  gpuarr_array *y = NULL, *values = floats(2, (float[]){10, 20}), *back = NULL;
  assert_ok(gpuarr_array_copy(&y, x, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_place(y, mask, gpuarr_arg_i64(-1), NULL));
  assert_floats(y, 6, (float[]){0, -1, -1, 3, 4, -1});
  assert_ok(gpuarr_place(y, mask, gpuarr_arg_array(values), NULL));
  assert_floats(y, 6, (float[]){0, 10, 20, 3, 4, 10});
  assert_ok(gpuarr_array_slice(&back, y, 1, GPUARR_NONE, GPUARR_NONE, -1));
  assert_ok(gpuarr_place(y, mask, gpuarr_arg_array(back), NULL)); /* its own elements */
  assert_floats(y, 6, (float[]){0, 20, 10, 3, 4, 0});
  release_arrays((gpuarr_array*[]){y, values, back}, 3);
}

static void nothing(void** state) {
  (void)state;
  gpuarr_array *none = line(GPUARR_F32, 0), *no_mask = line(GPUARR_BOOL, 0), *out = NULL,
               *count = NULL, *indices[] = {NULL};
  assert_ok(gpuarr_select(&out, none, no_mask, NULL));
  assert_shape(out, 1, (int64_t[]){0});
  assert_ok(gpuarr_select_into(out, &count, none, no_mask, NULL));
  assert_true(value_of(count) == 0);
  assert_ok(gpuarr_nonzero(indices, 1, none, NULL));
  assert_shape(indices[0], 1, (int64_t[]){0});
  assert_ok(gpuarr_place(none, no_mask, gpuarr_arg_i64(1), NULL));
  release_arrays((gpuarr_array*[]){none, no_mask, out, count, indices[0]}, 5);
}

static void masks(void** state) {
  (void)state;
  gpuarr_array *wrong = zeros(GPUARR_I32, 2, shape), *out = NULL;
  assert_status(gpuarr_select(&out, x, wrong, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("gpuarr_select: mask is int32; give bool, such as a comparison makes");
  replace(&wrong, line(GPUARR_BOOL, 3));
  assert_status(gpuarr_select(&out, x, wrong, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("mask has shape (3,), but x has (2, 3); give one for each element");
  assert_status(gpuarr_place(x, wrong, gpuarr_arg_i64(1), NULL), GPUARR_ERR_SHAPE);
  assert_status(gpuarr_select(&out, x, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("mask is NULL");
  assert_status(gpuarr_select(NULL, x, mask, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_null(out);
  gpuarr_array_release(wrong);
}

static void outputs(void** state) {
  (void)state;
  gpuarr_array *out = line(GPUARR_F32, 4), *count = NULL, *indices[] = {x};
  assert_status(gpuarr_select(&out, x, mask, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("out is float32 of shape (4,), but float32 of shape (3,) are chosen");
  assert_status(gpuarr_select_into(out, NULL, x, mask, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is NULL");
  assert_status(gpuarr_select_into(NULL, &count, x, mask, NULL), GPUARR_ERR_ARGUMENT);
  replace(&out, line(GPUARR_F64, 3));
  assert_status(gpuarr_select(&out, x, mask, NULL), GPUARR_ERR_DTYPE);
  assert_status(gpuarr_select_into(out, &count, x, mask, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("out is float64 of shape (3,) and strides (1,); give float32 with one axis");
  replace(&out, line(GPUARR_F32, 6));
  count = line(GPUARR_I32, 1);
  assert_status(gpuarr_select_into(out, &count, x, mask, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("count is int32 of shape (1,); give one int64");
  assert_status(gpuarr_nonzero(indices, 1, x, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is 1, but x has 2 axes; give as many entries");
  assert_null(indices[0]);
  assert_status(gpuarr_nonzero(indices, INT32_MAX, x, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is 2147483647, but x has 2 axes");
  assert_status(gpuarr_nonzero(NULL, 2, x, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("indices is NULL");
  replace(&count, zeros(GPUARR_F32, 0, NULL));
  assert_status(gpuarr_nonzero(NULL, 0, count, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_nonzero(indices, 0, count, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("x has no axes");
  release_arrays((gpuarr_array*[]){out, count}, 2);
}

static void values_of_places(void** state) {
  (void)state;
  gpuarr_array *none = line(GPUARR_F32, 0), *one = line(GPUARR_F32, 1), *wide = NULL;
  assert_status(gpuarr_place(x, mask, gpuarr_arg_array(none), NULL), GPUARR_ERR_SHAPE);
  assert_message_has("values has shape (0,) and no elements; give at least one");
  assert_status(gpuarr_place(x, mask, gpuarr_arg_c128(1, 2), NULL), GPUARR_ERR_DTYPE);
  assert_message_has("values");
  assert_ok(gpuarr_array_broadcast(&wide, one, 2, shape));
  assert_status(gpuarr_place(wide, mask, gpuarr_arg_i64(1), NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("elements that share memory");
  release_arrays((gpuarr_array*[]){none, one, wide}, 3);
}

/* In a capture nothing can be waited for; what does not wait is done when the graph runs. */
static void captured(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  gpuarr_graph_exec* exec = NULL;
  gpuarr_array *out = NULL, *into = line(GPUARR_F32, 6), *count = line(GPUARR_I64, 1);
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  assert_ok(gpuarr_select_into(into, &count, x, mask, stream)); /* compiled before the capture */
  assert_ok(gpuarr_stream_synchronize(stream));
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_status(gpuarr_select(&out, x, mask, stream), GPUARR_ERR_UNSUPPORTED);
  assert_message_has(
      "stream is being captured, but the call waits for the number of selected elements");
  assert_status(gpuarr_flatnonzero(&out, x, stream), GPUARR_ERR_UNSUPPORTED);
  assert_ok(gpuarr_select_into(into, &count, x, mask, stream));
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  for (int k = 0; k < 2; ++k) {
    assert_ok(gpuarr_array_fill(count, gpuarr_arg_i64(0), stream));
    assert_ok(gpuarr_graph_exec_launch(exec, stream));
    assert_ok(gpuarr_stream_synchronize(stream));
    assert_true(value_of(count) == 3);
  }
  gpuarr_graph_exec_release(exec);
  gpuarr_graph_release(graph);
  gpuarr_stream_release(stream);
  release_arrays((gpuarr_array*[]){into, count}, 2);
}

int main(void) {
  open_test_device();
  x = from(GPUARR_F32, 2, shape, (float[]){0, 1, 2, 3, 4, 5});
  mask = from(GPUARR_BOOL, 2, shape, (uint8_t[]){0, 1, 1, 0, 0, 1});
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chosen_elements), cmocka_unit_test(without_waiting),
      cmocka_unit_test(places),          cmocka_unit_test(writing),
      cmocka_unit_test(nothing),         cmocka_unit_test(masks),
      cmocka_unit_test(outputs),         cmocka_unit_test(values_of_places),
      cmocka_unit_test(captured),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_array_release(x);
  gpuarr_array_release(mask);
  return finish_tests(failed);
}
