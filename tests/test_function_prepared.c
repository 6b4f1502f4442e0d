/* Functions of expressions, prepared and captured. */
#include <math.h>

#include "exprs.h"

static gpuarr_function* softmax(int32_t axis) {
  gpuarr_expr* e = expr_unary(
      "exp", expr_binary("subtract", expr_input(0), expr_along("max", expr_input(0), axis)));
  gpuarr_expr* whole = expr_along("sum", expr_again(e), axis);
  gpuarr_expr* parts = expr_binary("divide", e, whole);
  return function_of_exprs(&parts, 1);
}

static void assert_softmax(const gpuarr_array* out, const float* x) {
  const double whole = exp(x[0]) + exp(x[1]);
  assert_floats(out, 2, (const float[]){(float)(exp(x[0]) / whole), (float)(exp(x[1]) / whole)});
}

/* Along rows it is one kernel, along columns several, with memory between them. */
static void prepares_calls(void** state) {
  (void)state;
  for (int32_t axis = 0; axis < 2; ++axis) {
    gpuarr_function* f = softmax(axis);
    const int64_t shape[] = {axis == 0 ? 2 : 1, axis == 0 ? 1 : 2};
    float data[] = {1, 2};
    gpuarr_array *x = from(GPUARR_F32, 2, shape, data), *y = zeros(GPUARR_F32, 2, shape);
    gpuarr_call* call = NULL;
    const gpuarr_arg inputs[] = {gpuarr_arg_array(x)};
    assert_ok(gpuarr_function_prepare(&call, f, &y, 1, inputs, 1));
    gpuarr_function_release(f);
    for (int k = 0; k < 3; ++k) {
      data[0] = (float)k;
      assert_ok(gpuarr_array_write(x, NULL, data, sizeof data, NULL));
      assert_ok(gpuarr_call_launch(call, NULL));
      assert_softmax(y, data);
    }
    gpuarr_call_release(call);
    release_arrays((gpuarr_array*[]){x, y}, 2);
  }
}

static void sets_numbers_of_prepared_calls(void** state) {
  (void)state;
  gpuarr_function* f = momentum_step();
  gpuarr_array *x = line(GPUARR_F32, 2), *m = line(GPUARR_F32, 2), *g = ramp(GPUARR_F32, 2);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(m), gpuarr_arg_array(g),
                               gpuarr_arg_f64(0)};
  gpuarr_array* out[] = {x, m};
  gpuarr_call* call = NULL;
  assert_ok(gpuarr_function_prepare(&call, f, out, 2, inputs, 4));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_values(m, 2, (const double[]){0, 1});
  assert_ok(gpuarr_call_set_scalar(call, 3, gpuarr_arg_f64(3)));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_values(m, 2, (const double[]){0, 4});
  assert_values(x, 2, (const double[]){0, -2.5});
  assert_status(gpuarr_call_set_scalar(call, 0, gpuarr_arg_f64(3)), GPUARR_ERR_ARGUMENT);
  assert_message_has("input is 0");
  gpuarr_call_release(call);
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){x, m, g}, 3);
}

/* Results that are inputs, views, and of another dtype than the array that is given for them. */
static void prepares_copies(void** state) {
  (void)state;
  gpuarr_expr *x = expr_input(0), *backwards = NULL;
  assert_ok(gpuarr_expr_flip(&backwards, x, 0, NULL));
  gpuarr_function* f =
      function_of_exprs((gpuarr_expr*[]){x, backwards, expr_reduced("sum", expr_input(0))}, 3);
  gpuarr_array* in = ramp(GPUARR_F32, 3);
  gpuarr_array* out[] = {line(GPUARR_F32, 3), line(GPUARR_F64, 3), zeros(GPUARR_F64, 0, NULL)};
  gpuarr_call* call = NULL;
  const gpuarr_arg inputs[] = {gpuarr_arg_array(in)};
  assert_ok(gpuarr_function_prepare(&call, f, out, 3, inputs, 1));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_values(out[0], 3, (const double[]){0, 1, 2});
  assert_values(out[1], 3, (const double[]){2, 1, 0});
  assert_values(out[2], 1, (const double[]){3});
  gpuarr_call_release(call);
  gpuarr_function_release(f);
  release_arrays(out, 3);
  gpuarr_array_release(in);
}

static void refuses_to_prepare(void** state) {
  (void)state;
  gpuarr_function* f = softmax(0);
  gpuarr_array *x = zeros(GPUARR_F32, 2, (const int64_t[]){3, 2}), *out[] = {x, NULL};
  gpuarr_call* call = NULL;
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x)};
  assert_status(gpuarr_function_prepare(&call, f, out, 1, inputs, 1), GPUARR_ERR_OVERLAP);
  assert_message_has("outputs[0] shares memory with an input that several kernels read");
  assert_status(gpuarr_function_prepare(&call, f, out + 1, 1, inputs, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs[0] is NULL; a prepared call needs all outputs");
  gpuarr_array* wrong = line(GPUARR_F32, 3);
  assert_status(gpuarr_function_prepare(&call, f, &wrong, 1, inputs, 1), GPUARR_ERR_SHAPE);
  gpuarr_function_release(f);
  f = function_of_exprs(
      (gpuarr_expr*[]){expr_unary("exp", expr_input(0)), expr_unary("exp", expr_input(0))}, 2);
  gpuarr_array* two[] = {zeros(GPUARR_F32, 2, (const int64_t[]){3, 2}),
                         zeros(GPUARR_F32, 2, (const int64_t[]){3, 2})};
  assert_status(gpuarr_function_prepare(&call, f, two, 2, inputs, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs[0] and outputs[1] are one value");
  assert_null(call);
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){x, wrong, two[0], two[1]}, 4);
}

/* What is captured works with what the arrays hold when it is launched. */
static void is_captured(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  for (int prepared = 0; prepared < 2; ++prepared) {
    gpuarr_function* f = softmax(0);
    float data[] = {1, 2};
    const int64_t shape[] = {2, 1};
    gpuarr_array *x = from(GPUARR_F32, 2, shape, data), *y = zeros(GPUARR_F32, 2, shape);
    const gpuarr_arg inputs[] = {gpuarr_arg_array(x)};
    gpuarr_call* call = NULL;
    assert_ok(gpuarr_function_prepare(&call, f, &y, 1, inputs, 1)); /* compiles */
    gpuarr_graph* graph = NULL;
    gpuarr_graph_exec* exec = NULL;
    assert_ok(gpuarr_stream_begin_capture(stream));
    if (prepared)
      assert_ok(gpuarr_call_launch(call, stream));
    else
      assert_ok(gpuarr_function_call(f, &y, 1, inputs, 1, stream));
    assert_ok(gpuarr_stream_end_capture(&graph, stream));
    gpuarr_call_release(call);
    gpuarr_function_release(f);
    assert_ok(gpuarr_graph_instantiate(&exec, graph));
    gpuarr_graph_release(graph);
    for (int k = 0; k < 3; ++k) {
      data[0] = (float)k;
      assert_ok(gpuarr_array_write(x, NULL, data, sizeof data, stream));
      assert_ok(gpuarr_graph_exec_launch(exec, stream));
      assert_ok(gpuarr_stream_synchronize(stream));
      assert_softmax(y, data);
    }
    gpuarr_graph_exec_release(exec);
    release_arrays((gpuarr_array*[]){x, y}, 2);
  }
  gpuarr_stream_release(stream);
}

/* A value that is stored on the way, by a kernel that stands alone, for rows along the first axis,
 * along which the elements lie together. */
static void stores_as_rows_want_it(void** state) {
  (void)state;
  const int64_t shape[] = {40, 2};
  gpuarr_elementwise* kernel = NULL;
  gpuarr_expr *x = expr_input(0), *y = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = i < 0 ? 0 : 2 * x", NULL));
  assert_ok(gpuarr_expr_elementwise(&y, 1, kernel, (gpuarr_expr_list)&x, 1));
  gpuarr_elementwise_release(kernel);
  gpuarr_expr* sum = expr_binary("add", y, x);
  gpuarr_expr* most = expr_along("max", expr_again(sum), 0);
  gpuarr_expr* below = expr_binary("subtract", sum, most);
  gpuarr_function* f = function_of_exprs(&below, 1);
  gpuarr_array *in = NULL, *out = NULL;
  assert_ok(
      gpuarr_array_zeros(&in, open_test_device(), GPUARR_F32, 2, shape, GPUARR_ORDER_F, NULL));
  assert_ok(
      gpuarr_array_zeros(&out, open_test_device(), GPUARR_F32, 2, shape, GPUARR_ORDER_F, NULL));
  const gpuarr_arg inputs[] = {gpuarr_arg_array(in)};
  gpuarr_call* call = NULL;
  assert_ok(gpuarr_function_prepare(&call, f, &out, 1, inputs, 1));
  float data[80];
  double wanted[80];
  for (int k = 0; k < 80; ++k) {
    data[k] = (float)k;
    wanted[k] = 3 * (k - 78 - k % 2);
  }
  assert_ok(gpuarr_array_write(in, NULL, data, sizeof data, NULL));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_values(out, 80, wanted);
  gpuarr_call_release(call);
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){in, out}, 2);
}

/* What would be copied when it is prepared would be old when it is launched. */
static void refuses_copies_on_the_way(void** state) {
  (void)state;
  gpuarr_expr *sum = NULL, *turned = NULL, *flat = NULL, *x = expr_input(0);
  const int32_t axis = 0;
  const int64_t all = -1;
  assert_ok(gpuarr_expr_reduce(&sum, "sum", x, &axis, 1, 0, 0));
  assert_ok(gpuarr_expr_transpose(&turned, sum, 0, NULL));
  assert_ok(gpuarr_expr_reshape(&flat, turned, 1, &all));
  gpuarr_expr_release(x);
  gpuarr_expr_release(sum);
  gpuarr_expr_release(turned);
  gpuarr_expr* more = expr_binary("add", flat, expr_whole(1));
  gpuarr_function* f = function_of_exprs(&more, 1);
  gpuarr_array *in = zeros(GPUARR_F32, 3, (const int64_t[]){2, 3, 4}), *out = line(GPUARR_F32, 12);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(in)};
  gpuarr_call* call = NULL;
  assert_status(gpuarr_function_prepare(&call, f, &out, 1, inputs, 1), GPUARR_ERR_UNSUPPORTED);
  assert_message_has("has to be copied into another layout");
  assert_ok(gpuarr_function_call(f, &out, 1, inputs, 1, NULL));
  assert_null(call);
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){in, out}, 2);
}

/* Products of matrices are captured, as those that are computed at once, but not prepared. */
static void captures_products(void** state) {
  (void)state;
  gpuarr_expr* more = expr_binary("add", expr_product(expr_input(0), expr_input(1)), expr_whole(1));
  gpuarr_function* f = function_of_exprs(&more, 1);
  const int64_t row[] = {1, 2}, column[] = {2, 1}, one[] = {1, 1};
  int32_t data[] = {1, 2};
  gpuarr_array *x = from(GPUARR_I32, 2, row, data), *y = from(GPUARR_I32, 2, column, data),
               *out = zeros(GPUARR_I32, 2, one);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y)};
  gpuarr_call* call = NULL;
  assert_status(gpuarr_function_prepare(&call, f, &out, 1, inputs, 2), GPUARR_ERR_UNSUPPORTED);
  assert_message_has("a product of matrices cannot be prepared; call the function, or capture");
  assert_null(call);
  assert_ok(gpuarr_function_call(f, &out, 1, inputs, 2, NULL)); /* compiles */
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  gpuarr_graph_exec* exec = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  assert_ok(gpuarr_device_synchronize(open_test_device()));
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_ok(gpuarr_function_call(f, &out, 1, inputs, 2, stream));
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  gpuarr_function_release(f);
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  gpuarr_graph_release(graph);
  for (int k = 0; k < 3; ++k) {
    data[0] = k;
    assert_ok(gpuarr_array_write(x, NULL, data, sizeof data, stream));
    assert_ok(gpuarr_graph_exec_launch(exec, stream));
    assert_ok(gpuarr_stream_synchronize(stream));
    assert_values(out, 1, (const double[]){k + 5});
  }
  gpuarr_graph_exec_release(exec);
  gpuarr_stream_release(stream);
  release_arrays((gpuarr_array*[]){x, y, out}, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prepares_calls),
      cmocka_unit_test(sets_numbers_of_prepared_calls),
      cmocka_unit_test(prepares_copies),
      cmocka_unit_test(refuses_to_prepare),
      cmocka_unit_test(is_captured),
      cmocka_unit_test(stores_as_rows_want_it),
      cmocka_unit_test(refuses_copies_on_the_way),
      cmocka_unit_test(captures_products),
  };
  return run_suite(tests);
}
