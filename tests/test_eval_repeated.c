/* Texts that are evaluated again and again, with arguments that change from call to call. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exprs.h"

enum { rounds = 5 };

/* Of the shape (rows, 4), elements from `first` on. */
static gpuarr_array* numbers(gpuarr_dtype dtype, int64_t rows, double first) {
  gpuarr_array *flat = ramp(dtype, rows * 4), *table = NULL, *out = NULL;
  assert_ok(gpuarr_array_reshape(&table, flat, 2, (const int64_t[]){rows, 4}));
  const gpuarr_arg operands[] = {gpuarr_arg_array(table), gpuarr_arg_f64(first)};
  assert_ok(gpuarr_add(&out, operands[0], operands[1], NULL));
  release_arrays((gpuarr_array*[]){flat, table}, 2);
  return out;
}

static double element(const gpuarr_array* x, int64_t k) {
  double* values = doubles_of(x);
  const double value = values[k];
  free(values);
  return value;
}

/* The last element of what a text gives. */
static double last_of(const char* text, const char* const* names, const gpuarr_arg* args,
                      int32_t count) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_eval(&out, text, names, args, count, NULL));
  const double value = element(out, gpuarr_array_size(out) - 1);
  gpuarr_array_release(out);
  return value;
}

static void sees_other_arrays(void** state) {
  (void)state;
  static const char* const names[] = {"x", "y"};
  for (int round = 0; round < rounds; ++round) {
    gpuarr_array *x = numbers(GPUARR_F64, 3, round), *y = numbers(GPUARR_F64, 3, 100);
    const gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_array(y)};
    const gpuarr_arg same[] = {args[0], args[0]};
    const double last = 11 + round;
    assert_true(last_of("2*x + y", names, args, 2) == 2 * last + 111);
    assert_true(last_of("x[1:, ::2] - y[1:, ::2]", names, args, 2) == round - 100);
    assert_true(last_of("x.T[::-1] * y.T", names, args, 2) == (round + 8) * 111);
    assert_true(last_of("x - 2*y", names, same, 2) == -last);
    assert_true(last_of("sum(x, axis=1)", names, args, 2) == 4 * last - 6);
    /* The contents count when it is evaluated. */
    assert_ok(gpuarr_eval(&x, "x + 1", names, args, 1, NULL));
    assert_true(last_of("2*x + y", names, args, 2) == 2 * last + 113);
    release_arrays((gpuarr_array*[]){x, y}, 2);
  }
}

static void sees_other_numbers(void** state) {
  (void)state;
  static const char* const names[] = {"x", "n", "p"};
  gpuarr_array* x = numbers(GPUARR_F32, 3, 1);
  for (int round = 0; round < 2 * rounds; ++round) {
    const int same = round / 2 * 2; /* that changes at every other call */
    const gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_f64(round),
                               gpuarr_arg_i64(same / 4)};
    const double n = round, p = same / 4;
    assert_true(last_of("x*n + n", names, args, 3) == 13 * n);
    assert_true(last_of("x + 2*n*p", names, args, 3) == 12 + 2 * n * p);
    assert_true(last_of("maximum(x, n) - p", names, args, 3) == 12 - p);
    assert_true(last_of("x**p", names, args, 3) == pow(12, p));
    assert_true(last_of("x[p:, 3 - p]", names, args, 3) == 12 - p);
    assert_true(last_of("sum(x, axis=p % 2)", names, args, 3) == (same / 4 % 2 == 0 ? 24 : 42));
    assert_true(last_of("d = n; x - d", names, args, 3) == 12 - n);
  }
  gpuarr_array_release(x);
}

/* What stands at its place, and of what dtype, shape and layout, may differ from call to call. */
static void sees_other_kinds(void** state) {
  (void)state;
  static const char* const forward[] = {"x", "y"};
  static const char* const backward[] = {"y", "x"};
  gpuarr_array *wide = numbers(GPUARR_F64, 3, 0), *narrow = numbers(GPUARR_F32, 3, 10),
               *longer = numbers(GPUARR_F64, 5, 0), *turned = NULL;
  assert_ok(gpuarr_array_transpose(&turned, longer, 0, NULL));
  for (int round = 0; round < rounds; ++round) {
    const gpuarr_arg both[] = {gpuarr_arg_array(wide), gpuarr_arg_array(narrow)};
    const gpuarr_arg number[] = {gpuarr_arg_array(wide), gpuarr_arg_f64(3)};
    const gpuarr_arg large[] = {gpuarr_arg_array(longer), gpuarr_arg_array(longer)};
    const gpuarr_arg columns[] = {gpuarr_arg_array(turned), gpuarr_arg_array(turned)};
    for (int again = 0; again < 1 + round; ++again) {
      assert_true(last_of("x - 2*y", forward, both, 2) == 11 - 42);
      assert_true(last_of("x - 2*y", backward, both, 2) == 21 - 22);
      assert_true(last_of("x - 2*y", forward, number, 2) == 11 - 6);
      assert_true(last_of("x - 2*y", forward, large, 2) == -19);
      gpuarr_array* out = NULL;
      assert_ok(gpuarr_eval(&out, "x - 2*y", forward, columns, 2, NULL));
      assert_int_equal(gpuarr_array_shape(out)[0], 4);
      assert_int_equal(gpuarr_array_strides(out)[0], 1); /* as the operands lie */
      assert_int_equal(gpuarr_array_strides(out)[1], 4);
      assert_true(element(out, 1) == -4);
      gpuarr_array_release(out);
    }
  }
  release_arrays((gpuarr_array*[]){wide, narrow, longer, turned}, 4);
}

static void writes_into_what_is_given(void** state) {
  (void)state;
  static const char* const names[] = {"x"};
  gpuarr_array *x = numbers(GPUARR_F64, 3, 0), *other = numbers(GPUARR_F64, 5, 0);
  const gpuarr_arg arg = gpuarr_arg_array(x);
  for (int round = 0; round < rounds; ++round) {
    assert_ok(gpuarr_eval(&x, "2*x + 1", names, &arg, 1, NULL)); /* in place */
    assert_true(element(x, 0) == exp2(round + 1) - 1);
    gpuarr_array* wrong = other;
    assert_status(gpuarr_eval(&wrong, "2*x + 1", names, &arg, 1, NULL), GPUARR_ERR_SHAPE);
    assert_non_null(strstr(gpuarr_last_error(), "out has shape (5, 4)"));
    wrong = x;
    assert_status(gpuarr_eval(&wrong, "2*x + 1j", names, &arg, 1, NULL), GPUARR_ERR_DTYPE);
    assert_non_null(
        strstr(gpuarr_last_error(), "out is float64, to which the result's complex128"));
    gpuarr_array* none = NULL;
    assert_status(gpuarr_eval(&none, "x, x", names, &arg, 1, NULL), GPUARR_ERR_ARGUMENT);
    assert_status(gpuarr_eval_all(&none, 1, "x, x", names, &arg, 1, NULL), GPUARR_ERR_ARGUMENT);
    assert_status(gpuarr_eval(&none, "x + y", names, &arg, 1, NULL), GPUARR_ERR_ARGUMENT);
    assert_null(none);
  }
  release_arrays((gpuarr_array*[]){x, other}, 2);
}

/* What a number of a text was worth stays so where its expression is part of a function. */
static void keeps_numbers_in_functions(void** state) {
  (void)state;
  static const char* const names[] = {"n", "x"};
  gpuarr_array *x = numbers(GPUARR_F64, 3, 0), *out = NULL;
  const gpuarr_arg args[] = {gpuarr_arg_f64(3), gpuarr_arg_array(x)};
  gpuarr_expr* part = NULL;
  assert_ok(gpuarr_expr_parse(&part, 1, "n*x", names, args, 2));
  gpuarr_expr* sum = expr_binary("add", part, expr_input(0));
  gpuarr_function* function = function_of_exprs(&sum, 1);
  const gpuarr_arg ten = gpuarr_arg_f64(10);
  assert_ok(gpuarr_function_call(function, &out, 1, &ten, 1, NULL));
  assert_true(element(out, 11) == 43);
  gpuarr_function_release(function);
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sees_other_arrays), cmocka_unit_test(sees_other_numbers),
      cmocka_unit_test(sees_other_kinds), cmocka_unit_test(writes_into_what_is_given),
      cmocka_unit_test(keeps_numbers_in_functions)};
  return run_suite(tests);
}
