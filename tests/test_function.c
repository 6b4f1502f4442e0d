/* Functions of expressions, called with arrays and numbers. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "exprs.h"

static gpuarr_array* called(const gpuarr_function* f, const gpuarr_arg* inputs, int32_t count) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_function_call(f, &out, 1, inputs, count, NULL));
  return out;
}

static gpuarr_function* mean_squared_error(void) {
  gpuarr_expr* d = expr_binary("subtract", expr_input(0), expr_input(1));
  gpuarr_expr* error = expr_reduced("mean", expr_unary("square", d));
  return function_of_exprs(&error, 1);
}

static void takes_any_dtypes_and_shapes(void** state) {
  (void)state;
  gpuarr_function* f = mean_squared_error();
  assert_int_equal(gpuarr_function_input_count(f), 2);
  assert_int_equal(gpuarr_function_output_count(f), 1);
  const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_F64, GPUARR_I32, GPUARR_F32};
  for (int k = 0; k < 4; ++k) {
    gpuarr_array *x = ramp(dtypes[k], 5 + k), *y = line(dtypes[k], 5 + k);
    gpuarr_array* error = called(f, (gpuarr_arg[]){gpuarr_arg_array(x), gpuarr_arg_array(y)}, 2);
    double expected = 0;
    for (int i = 0; i < 5 + k; ++i) expected += i * i;
    assert_close(value_of(error), expected / (5 + k), 1e-6);
    assert_int_equal(gpuarr_array_dtype(error), dtypes[k] == GPUARR_F32 ? GPUARR_F32 : GPUARR_F64);
    /* A number is weak, and its value may change. */
    for (int value = 0; value < 3; ++value) {
      replace(&error, called(f, (gpuarr_arg[]){gpuarr_arg_array(x), gpuarr_arg_i64(value)}, 2));
      assert_int_equal(gpuarr_array_dtype(error),
                       dtypes[k] == GPUARR_F32 ? GPUARR_F32 : GPUARR_F64);
      expected = 0;
      for (int i = 0; i < 5 + k; ++i) expected += (i - value) * (i - value);
      assert_close(value_of(error), expected / (5 + k), 1e-6);
    }
    release_arrays((gpuarr_array*[]){x, y, error}, 3);
  }
  gpuarr_function_release(f);
}

/* x[1:] - x[:-1] of the input as it lies, and backwards. */
static void views_its_inputs(void** state) {
  (void)state;
  gpuarr_expr *x = expr_input(0), *next = NULL, *last = NULL;
  assert_ok(gpuarr_expr_slice(&next, x, 0, 1, GPUARR_NONE, 1));
  assert_ok(gpuarr_expr_slice(&last, x, 0, GPUARR_NONE, -1, 1));
  gpuarr_expr* steps = expr_binary("subtract", next, last);
  gpuarr_expr_release(x);
  gpuarr_function* f = function_of_exprs(&steps, 1);
  gpuarr_array *squares = ramp(GPUARR_F64, 5), *backwards = NULL, *sparse = NULL;
  assert_ok(gpuarr_multiply(&squares, gpuarr_arg_array(squares), gpuarr_arg_array(squares), NULL));
  assert_ok(gpuarr_array_slice(&backwards, squares, 0, GPUARR_NONE, GPUARR_NONE, -1));
  assert_ok(gpuarr_array_slice(&sparse, squares, 0, GPUARR_NONE, GPUARR_NONE, 2));
  gpuarr_array* out = called(f, (gpuarr_arg[]){gpuarr_arg_array(squares)}, 1);
  assert_values(out, 4, (const double[]){1, 3, 5, 7});
  replace(&out, called(f, (gpuarr_arg[]){gpuarr_arg_array(backwards)}, 1));
  assert_values(out, 4, (const double[]){-7, -5, -3, -1});
  replace(&out, called(f, (gpuarr_arg[]){gpuarr_arg_array(sparse)}, 1));
  assert_values(out, 2, (const double[]){4, 12});
  /* The same layouts, other memory. */
  gpuarr_array* other = ramp(GPUARR_F64, 5);
  replace(&out, called(f, (gpuarr_arg[]){gpuarr_arg_array(other)}, 1));
  assert_values(out, 4, (const double[]){1, 1, 1, 1});
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){squares, backwards, sparse, other, out}, 5);
}

/* relu(x @ w + b) of inputs of any dtypes and layouts, and of a vector. */
static void multiplies_matrices(void** state) {
  (void)state;
  gpuarr_expr* sum = expr_binary("add", expr_product(expr_input(0), expr_input(1)), expr_input(2));
  gpuarr_expr* relu = expr_binary("maximum", sum, expr_whole(0));
  gpuarr_function* f = function_of_exprs(&relu, 1);
  const gpuarr_dtype dtypes[] = {GPUARR_I32, GPUARR_I64, GPUARR_I32};
  gpuarr_array *all[3], *row = NULL, *backwards = NULL, *x = ramp(GPUARR_I16, 6);
  assert_ok(gpuarr_array_reshape(&row, x, 2, (const int64_t[]){2, 3}));
  assert_ok(gpuarr_array_transpose(&backwards, row, 0, NULL));
  for (int k = 0; k < 3; ++k) {
    gpuarr_array* const w = all[k] = ramp(dtypes[k], 6);
    assert_ok(gpuarr_array_reshape(&all[k], w, 2, (const int64_t[]){3, 2}));
    gpuarr_array_release(w);
    gpuarr_arg inputs[] = {gpuarr_arg_array(row), gpuarr_arg_array(all[k]), gpuarr_arg_i64(-20)};
    const char* text = NULL;
    assert_ok(gpuarr_function_explain(&text, f, inputs, 3));
    assert_non_null(strstr(text, "2 kernels"));
    gpuarr_array* out = called(f, inputs, 3);
    assert_int_equal(gpuarr_array_dtype(out), dtypes[k]);
    assert_values(out, 4, (const double[]){0, 0, 8, 20});
    inputs[0] = gpuarr_arg_array(backwards); /* (0, 3), (1, 4), (2, 5) */
    inputs[1] = gpuarr_arg_array(row);
    inputs[2] = gpuarr_arg_array(all[k]);
    assert_status(gpuarr_function_call(f, &out, 1, inputs, 3, NULL), GPUARR_ERR_BROADCAST);
    inputs[2] = gpuarr_arg_i64(0);
    replace(&out, called(f, inputs, 3));
    assert_values(out, 9, (const double[]){9, 12, 15, 12, 17, 22, 15, 22, 29});
    inputs[1] = gpuarr_arg_i64(2);
    gpuarr_array* none = NULL;
    assert_status(gpuarr_function_call(f, &none, 1, inputs, 3, NULL), GPUARR_ERR_ARGUMENT);
    assert_message_has("y is a scalar; give an array or an expression of one; in matmul(int16");
    inputs[1] = inputs[0];
    assert_status(gpuarr_function_call(f, &none, 1, inputs, 3, NULL), GPUARR_ERR_SHAPE);
    assert_message_has("in matmul(int16 (3, 2), int16 (3, 2))");
    assert_null(none);
    gpuarr_array_release(out);
  }
  gpuarr_function_release(f);
  release_arrays(all, 3);
  release_arrays((gpuarr_array*[]){x, row, backwards}, 3);
}

/* What computes a power depends on the exponent's value. */
static void takes_numbers_by_value_where_they_choose(void** state) {
  (void)state;
  gpuarr_expr* power = expr_binary("power", expr_input(0), expr_input(1));
  gpuarr_function* f = function_of_exprs(&power, 1);
  gpuarr_array* x = ramp(GPUARR_F64, 4);
  const double exponents[] = {2, 3, 0.5, 2.5, 2};
  for (int k = 0; k < 5; ++k) {
    gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_f64(exponents[k])};
    gpuarr_array* out = called(f, inputs, 2);
    double* values = doubles_of(out);
    for (int i = 0; i < 4; ++i) assert_close(values[i], pow(i, exponents[k]), 1e-14);
    free(values);
    gpuarr_array_release(out);
  }
  gpuarr_function_release(f);
  gpuarr_array_release(x);
}

/* Two results, which are inputs, by one kernel. */
static void works_in_place(void** state) {
  (void)state;
  gpuarr_function* f = momentum_step();
  gpuarr_array *x = ramp(GPUARR_F32, 3), *m = line(GPUARR_F32, 3), *g = ramp(GPUARR_F32, 3);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(m), gpuarr_arg_array(g),
                               gpuarr_arg_f64(0.5)};
  const char* text = NULL;
  assert_ok(gpuarr_function_explain(&text, f, inputs, 4));
  assert_non_null(strstr(text, "1 kernels"));
  gpuarr_array* out[] = {x, m};
  assert_ok(gpuarr_function_call(f, out, 2, inputs, 4, NULL));
  assert_ok(gpuarr_function_call(f, out, 2, inputs, 4, NULL));
  assert_values(m, 3, (const double[]){0, 1.5, 3});
  assert_values(x, 3, (const double[]){0, -0.25, -0.5});
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){x, m, g}, 3);
}

/* Inputs beside arrays that are always the same ones. */
static void keeps_other_arrays(void** state) {
  (void)state;
  gpuarr_array *weight = ramp(GPUARR_F32, 3), *x = ramp(GPUARR_F32, 3);
  gpuarr_expr* sum = expr_binary("add", expr_leaf(weight), expr_input(0));
  gpuarr_function* f = function_of_exprs(&sum, 1);
  assert_ok(gpuarr_array_fill(weight, gpuarr_arg_i64(10), NULL));
  gpuarr_array_release(weight);
  gpuarr_array* out = called(f, (gpuarr_arg[]){gpuarr_arg_array(x)}, 1);
  assert_values(out, 3, (const double[]){10, 11, 12});
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

static void note_freed(void* user) { *(int*)user += 1; }

/* A function that was called with an array does not keep it. */
static void keeps_no_inputs(void** state) {
  (void)state;
  if (!test_device_is_host()) skip();
  static float memory[3] = {1, 2, 3};
  int freed = 0;
  gpuarr_expr* sum = expr_reduced("sum", expr_input(0));
  gpuarr_function* f = function_of_exprs(&sum, 1);
  gpuarr_array* x = NULL;
  assert_ok(gpuarr_array_wrap(&x, open_test_device(), GPUARR_F32, 1, (const int64_t[]){3}, NULL,
                              memory, 0, note_freed, &freed));
  gpuarr_array* out = called(f, (gpuarr_arg[]){gpuarr_arg_array(x)}, 1);
  assert_values(out, 1, (const double[]){6});
  gpuarr_array_release(x);
  assert_int_equal(freed, 1);
  gpuarr_function_release(f);
  gpuarr_array_release(out);
}

static void takes_more_inputs_than_a_kernel(void** state) {
  (void)state;
  enum { count = 100 };
  gpuarr_expr* sum = expr_input(0);
  for (int32_t k = 1; k < count; ++k) sum = expr_binary("add", sum, expr_input(k));
  gpuarr_function* f = function_of_exprs(&sum, 1);
  gpuarr_array* arrays[count];
  gpuarr_arg inputs[count];
  for (int k = 0; k < count; ++k) inputs[k] = gpuarr_arg_array(arrays[k] = ramp(GPUARR_F32, 3));
  gpuarr_array* out = called(f, inputs, count);
  assert_values(out, 3, (const double[]){0, 100, 200});
  gpuarr_function_release(f);
  release_arrays(arrays, count);
  gpuarr_array_release(out);
}

static void tells_mistakes_when_it_is_called(void** state) {
  (void)state;
  gpuarr_function* f = mean_squared_error();
  gpuarr_array *x = ramp(GPUARR_F32, 3), *y = ramp(GPUARR_F32, 4), *out = NULL;
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y)};
  assert_status(gpuarr_function_call(f, &out, 1, inputs, 2, NULL), GPUARR_ERR_BROADCAST);
  assert_message_has("in subtract(float32 (3,), float32 (4,))");
  assert_status(gpuarr_function_call(f, &out, 1, inputs, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("input_count is 1, but the function has 2 inputs");
  assert_status(gpuarr_function_call(f, &out, 2, inputs, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("output_count is 2, but the function has 1 output");
  assert_status(gpuarr_function_call(f, NULL, 1, inputs, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_function_call(f, &out, 1, NULL, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_function_call(NULL, &out, 1, inputs, 2, NULL), GPUARR_ERR_ARGUMENT);
  inputs[1] = gpuarr_arg_array(NULL);
  assert_status(gpuarr_function_call(f, &out, 1, inputs, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("inputs[1] is neither an array nor a scalar");
  inputs[0] = inputs[1] = gpuarr_arg_f64(1);
  assert_status(gpuarr_function_call(f, &out, 1, inputs, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("no operand is an array");
  gpuarr_function_release(f);
  gpuarr_expr* sum = expr_along("sum", expr_input(0), 2);
  f = function_of_exprs(&sum, 1);
  inputs[0] = gpuarr_arg_array(x);
  assert_status(gpuarr_function_call(f, &out, 1, inputs, 1, NULL), GPUARR_ERR_AXIS);
  gpuarr_function_release(f);
  gpuarr_expr* bits = expr_binary("bitwise_and", expr_input(0), expr_input(0));
  f = function_of_exprs(&bits, 1);
  assert_status(gpuarr_function_call(f, &out, 1, inputs, 1, NULL), GPUARR_ERR_DTYPE);
  assert_null(out);
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

static void expressions_of_inputs_are_no_values(void** state) {
  (void)state;
  gpuarr_expr *x = expr_input(0), *bad = NULL;
  gpuarr_array* out = NULL;
  assert_int_equal(gpuarr_expr_dtype(x), 0);
  assert_int_equal(gpuarr_expr_ndim(x), 0);
  assert_status(gpuarr_evaluate(&out, (gpuarr_expr_list)&x, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("exprs[0] has inputs that stand for nothing; make a gpuarr_function of it");
  assert_status(gpuarr_expr_input(&bad, -1), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_expr_input(&bad, 1024), GPUARR_ERR_ARGUMENT);
  assert_message_has("number is 1024; give 0 to 1023");
  gpuarr_function* f = NULL;
  assert_status(gpuarr_function_create(&f, NULL, 1), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_function_create(&f, (gpuarr_expr_list)&x, 0), GPUARR_ERR_ARGUMENT);
  assert_null(f);
  assert_int_equal(gpuarr_function_input_count(NULL), 0);
  assert_int_equal(gpuarr_function_output_count(NULL), 0);
  gpuarr_expr_release(x);
}

/* What is deep is closed without recursion. */
static void may_be_deep(void** state) {
  (void)state;
  gpuarr_expr* sum = expr_input(0);
  for (int k = 0; k < 10000; ++k) sum = expr_binary("add", sum, expr_number(1));
  gpuarr_function* f = function_of_exprs(&sum, 1);
  gpuarr_array* x = ramp(GPUARR_F64, 2);
  const char* text = NULL;
  assert_ok(gpuarr_function_explain(&text, f, (gpuarr_arg[]){gpuarr_arg_array(x)}, 1));
  assert_non_null(strstr(text, "20 kernels"));
  gpuarr_function_release(f);
  gpuarr_array_release(x);
}

/* Threads that call one function with arrays of other shapes. */
static void* call_with_lengths(void* function) {
  for (int64_t length = 1; length < 40; ++length) {
    gpuarr_array *x = ramp(GPUARR_F64, length), *out = NULL;
    const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_i64(0)};
    if (gpuarr_function_call(function, &out, 1, inputs, 2, NULL) != GPUARR_OK) return "a call";
    const double mean = (double)((length - 1) * (2 * length - 1)) / 6;
    const double value = value_of(out);
    release_arrays((gpuarr_array*[]){x, out}, 2);
    if (fabs(value - mean) > 1e-9 * mean) return "a value";
  }
  return NULL;
}

static void is_called_by_threads(void** state) {
  (void)state;
  enum { threads = 4 };
  gpuarr_function* f = mean_squared_error();
  pthread_t ids[threads];
  for (int k = 0; k < threads; ++k)
    assert_int_equal(pthread_create(&ids[k], NULL, call_with_lengths, f), 0);
  for (int k = 0; k < threads; ++k) {
    void* wrong = NULL;
    pthread_join(ids[k], &wrong);
    assert_null(wrong);
  }
  gpuarr_function_release(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_any_dtypes_and_shapes),
      cmocka_unit_test(views_its_inputs),
      cmocka_unit_test(multiplies_matrices),
      cmocka_unit_test(takes_numbers_by_value_where_they_choose),
      cmocka_unit_test(works_in_place),
      cmocka_unit_test(keeps_other_arrays),
      cmocka_unit_test(keeps_no_inputs),
      cmocka_unit_test(takes_more_inputs_than_a_kernel),
      cmocka_unit_test(tells_mistakes_when_it_is_called),
      cmocka_unit_test(expressions_of_inputs_are_no_values),
      cmocka_unit_test(may_be_deep),
      cmocka_unit_test(is_called_by_threads),
  };
  return run_suite(tests);
}
