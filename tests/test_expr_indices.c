/* Indices along an axis in expressions. */
#include <math.h>
#include <stdlib.h>

#include "exprs.h"

static gpuarr_expr* indices(gpuarr_expr* x, int32_t axis) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_indices(&out, x, axis));
  gpuarr_expr_release(x);
  return out;
}

static gpuarr_array* shaped(int32_t ndim, const int64_t* shape) {
  gpuarr_array *all = NULL, *out = NULL;
  int64_t size = 1;
  for (int32_t axis = 0; axis < ndim; ++axis) size *= shape[axis];
  all = ramp(GPUARR_F32, size);
  assert_ok(gpuarr_array_reshape(&out, all, ndim, shape));
  gpuarr_array_release(all);
  return out;
}

/* Evaluates one of which the number of kernels is known, in C order. */
static void gives(gpuarr_expr* x, int kernels, int64_t count, const double* expected) {
  assert_int_equal(kernels_of((gpuarr_expr_list)&x, 1), kernels);
  gpuarr_array* out = value_of_expr(x);
  assert_values(out, count, expected);
  gpuarr_array_release(out);
}

/* Every axis of random shapes, extents 0 and 1 among them, of arrays of both orders. */
static void are_those_of_the_shape(void** state) {
  (void)state;
  for (int round = 0; round < (sanitized ? 20 : 60); ++round) {
    const int32_t ndim = (int32_t)random_between(1, 4);
    int64_t shape[4], size = 1;
    for (int32_t axis = 0; axis < ndim; ++axis) size *= shape[axis] = random_between(0, 4);
    const int32_t axis = (int32_t)random_between(0, ndim - 1);
    const int order = random_between(0, 1) ? GPUARR_ORDER_C : GPUARR_ORDER_F;
    gpuarr_array *x = zeros(GPUARR_F32, ndim, shape), *lies = NULL;
    assert_ok(gpuarr_array_copy(&lies, x, order, NULL));
    gpuarr_expr* places = indices(expr_leaf(lies), random_between(0, 1) ? axis : axis - ndim);
    assert_int_equal(gpuarr_expr_dtype(places), GPUARR_I64);
    int64_t below = 1;
    for (int32_t k = axis + 1; k < ndim; ++k) below *= shape[k];
    double expected[256], twice[256];
    for (int64_t k = 0; k < size; ++k) {
      expected[k] = (double)(k / below % shape[axis]);
      twice[k] = 2 * expected[k];
    }
    gpuarr_array* out = value_of_expr(expr_again(places));
    assert_shape(out, ndim, shape);
    assert_values(out, size, expected);
    replace(&out, value_of_expr(expr_binary(
                      "add", places, expr_binary("add", expr_leaf(lies), expr_again(places)))));
    assert_shape(out, ndim, shape);
    assert_values(out, size, twice);
    release_arrays((gpuarr_array*[]){x, lies, out}, 3);
  }
}

/* Along an axis that is all of the loop they are computed there, elsewhere they are stored. */
static void join_loops(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 4), *one = ramp(GPUARR_F32, 1);
  gpuarr_array* wide = shaped(2, (const int64_t[]){2, 3});
  gpuarr_array* tall = shaped(2, (const int64_t[]){3, 1});
  gives(expr_binary("multiply", expr_leaf(x), indices(expr_leaf(x), 0)), 1, 4,
        (const double[]){0, 1, 4, 9});
  gives(expr_binary("multiply", expr_leaf(tall), indices(expr_leaf(tall), 0)), 1, 3,
        (const double[]){0, 1, 4});
  gives(indices(expr_leaf(tall), 1), 1, 3, (const double[]){0, 0, 0});
  gives(expr_binary("add", expr_leaf(wide), indices(expr_leaf(wide), 0)), 2, 6,
        (const double[]){0, 1, 2, 4, 5, 6});
  gives(expr_binary("add", expr_leaf(wide), indices(expr_leaf(wide), 1)), 2, 6,
        (const double[]){0, 2, 4, 3, 5, 7});
  /* No array, or none of the loop's shape, is read. */
  gives(indices(expr_leaf(x), 0), 1, 4, (const double[]){0, 1, 2, 3});
  gives(expr_binary("subtract", expr_whole(3), indices(expr_leaf(x), 0)), 1, 4,
        (const double[]){3, 2, 1, 0});
  gives(expr_binary("subtract", indices(expr_leaf(x), 0), expr_unary("exp", expr_leaf(one))), 1, 4,
        (const double[]){-1, 0, 1, 2});
  /* Of a line in a loop over more. */
  gives(expr_binary("add", indices(indices(expr_leaf(tall), 0), 0), indices(expr_leaf(x), 0)), 3,
        12, (const double[]){0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5});
  release_arrays((gpuarr_array*[]){x, one, wide, tall}, 4);
}

static void have_views(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F32, 6);
  gpuarr_expr* places = expr_binary("add", indices(expr_leaf(x), 0), expr_whole(10));
  gpuarr_expr *part = NULL, *flipped = NULL, *shaped_so = NULL, *turned = NULL, *stored = NULL;
  assert_ok(gpuarr_expr_slice(&part, places, 0, 1, GPUARR_NONE, 2));
  assert_ok(gpuarr_expr_flip(&flipped, places, 0, NULL));
  assert_ok(gpuarr_expr_reshape(&shaped_so, places, 2, (const int64_t[]){2, 3}));
  assert_ok(gpuarr_expr_transpose(&turned, shaped_so, 0, NULL));
  gives(part, 2, 3, (const double[]){11, 13, 15});
  gives(expr_binary("subtract", flipped, expr_leaf(x)), 2, 6,
        (const double[]){15, 13, 11, 9, 7, 5});
  gives(turned, 2, 6, (const double[]){10, 13, 11, 14, 12, 15});
  /* Of the view itself: it has indices of its own. */
  gives(indices(shaped_so, 1), 1, 6, (const double[]){0, 1, 2, 0, 1, 2});
  gpuarr_expr_release(places);
  places = indices(expr_leaf(x), 0);
  assert_ok(gpuarr_expr_index(&stored, places, 0, -2));
  gives(stored, 1, 1, (const double[]){4});
  gpuarr_expr_release(places);
  gpuarr_array_release(x);
}

static gpuarr_expr* along(const char* name, gpuarr_expr* x, int32_t axis) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_reduce(&out, name, x, &axis, 1, 0, 0));
  gpuarr_expr_release(x);
  return out;
}

static void are_reduced(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F64, 4), *one = ramp(GPUARR_F32, 1);
  gpuarr_array* wide = shaped(2, (const int64_t[]){2, 3});
  gpuarr_expr* weighed = expr_binary("multiply", expr_leaf(x), indices(expr_leaf(x), 0));
  gives(expr_reduced("sum", expr_again(weighed)), 1, 1, (const double[]){14});
  /* Their mean beside that of the array, and the place of the greatest. */
  gives(expr_binary("divide", expr_reduced("sum", weighed), expr_reduced("sum", expr_leaf(x))), 1,
        1, (const double[]){14. / 6});
  gpuarr_expr *greatest = expr_reduced("max", expr_leaf(x)), *chosen = NULL,
              *other = expr_whole(-1);
  gpuarr_expr *at = indices(expr_leaf(x), 0), *is = expr_binary("equal", expr_leaf(x), greatest);
  assert_ok(gpuarr_expr_apply(&chosen, 1, "where", (const gpuarr_expr*[]){is, at, other}, 3));
  gives(expr_reduced("max", chosen), 2, 1, (const double[]){3});
  for (int k = 0; k < 3; ++k) gpuarr_expr_release((gpuarr_expr*[]){is, at, other}[k]);
  gives(expr_reduced("sum", expr_binary("multiply", expr_leaf(wide), indices(expr_leaf(wide), 1))),
        2, 1, (const double[]){19});
  gives(along("sum", expr_binary("multiply", expr_leaf(wide), indices(expr_leaf(wide), 0)), 1), 2,
        2, (const double[]){0, 12});
  /* Of no array, or of none that is as long: what is reduced is stored. */
  gives(expr_reduced("sum", indices(expr_leaf(x), 0)), 2, 1, (const double[]){6});
  gives(expr_reduced("argmax", expr_unary("square", indices(expr_leaf(x), 0))), 2, 1,
        (const double[]){3});
  gives(expr_reduced("sum", expr_binary("add", indices(expr_leaf(x), 0), expr_leaf(one))), 2, 1,
        (const double[]){6});
  /* Behind a reduction, of its results. */
  gives(expr_binary("add", along("sum", expr_leaf(wide), 1),
                    indices(along("sum", expr_leaf(wide), 1), 0)),
        2, 2, (const double[]){3, 13});
  release_arrays((gpuarr_array*[]){x, one, wide}, 3);
}

static void are_scanned_and_multiplied(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F32, 4);
  gpuarr_expr *sums = NULL, *weighed = expr_binary("add", expr_leaf(x), indices(expr_leaf(x), 0));
  assert_ok(gpuarr_expr_scan(&sums, "cumsum", weighed, 0, 0));
  gives(sums, 2, 4, (const double[]){0, 2, 6, 12});
  assert_ok(gpuarr_expr_scan(&sums, "cumprod", weighed, 0, 1));
  gives(expr_binary("add", sums, indices(expr_leaf(x), 0)), 3, 4, (const double[]){1, 1, 2, 3});
  gpuarr_expr_release(weighed);
  gpuarr_elementwise *alone = NULL, *inlined = NULL;
  gpuarr_expr *made = NULL, *at = indices(expr_leaf(x), 0);
  assert_ok(gpuarr_elementwise_create(&alone, "T x", "T y", "y = i < 2 ? x : -x", NULL));
  assert_ok(gpuarr_elementwise_create(&inlined, "T x", "T y", "y = x < 2 ? x : -x", NULL));
  for (int k = 0; k < 2; ++k) {
    assert_ok(
        gpuarr_expr_elementwise(&made, 1, k == 0 ? alone : inlined, (gpuarr_expr_list)&at, 1));
    gives(expr_binary("add", made, expr_leaf(x)), k == 0 ? 3 : 1, 4, (const double[]){0, 2, 0, 0});
  }
  gpuarr_expr_release(at);
  gpuarr_elementwise_release(alone);
  gpuarr_elementwise_release(inlined);
  gpuarr_array_release(x);
}

static void multiply_matrices(void** state) {
  (void)state;
  require_blas();
  gpuarr_array* x = ramp(GPUARR_F64, 4);
  gpuarr_expr* at = indices(expr_leaf(x), 0);
  gives(expr_product(expr_leaf(x), at), 2, 1, (const double[]){14});
  gpuarr_array_release(x);
}

/* Softmax of rows with a slope, and of a single line, of which no row kernel knows indices. */
static void stand_in_rows(void** state) {
  (void)state;
  for (int k = 0; k < 3; ++k) {
    const int64_t shape[] = {k == 0 ? 3 : 1, 100};
    const int32_t ndim = k == 2 ? 1 : 2, last = ndim - 1;
    gpuarr_array* x = zeros(GPUARR_F64, ndim, k == 2 ? shape + 1 : shape);
    gpuarr_expr* slope = expr_binary("divide", indices(expr_leaf(x), last), expr_number(-16));
    gpuarr_expr* raised = expr_binary("add", expr_leaf(x), slope);
    gpuarr_expr* e = expr_unary(
        "exp", expr_binary("subtract", raised, expr_along("max", expr_again(raised), last)));
    gpuarr_expr* parts = expr_binary("divide", e, expr_along("sum", expr_again(e), last));
    gpuarr_array* out = value_of_expr(parts);
    double *got = doubles_of(out), whole = 0;
    for (int at = 0; at < 100; ++at) whole += exp(at / -16.0);
    for (int64_t at = 0; at < (k == 0 ? 300 : 100); ++at)
      assert_close(got[at], exp((double)(at % 100) / -16.0) / whole, 1e-12);
    free(got);
    release_arrays((gpuarr_array*[]){x, out}, 2);
  }
}

/* Into arrays of any dtype and order that are given, of which one may be what has the shape. */
static void go_into_given_arrays(void** state) {
  (void)state;
  const gpuarr_dtype dtypes[] = {GPUARR_I64, GPUARR_F32, GPUARR_F16, GPUARR_C64};
  for (int k = 0; k < 4; ++k)
    for (int backwards = 0; backwards < 2; ++backwards) {
      gpuarr_array *x = line(dtypes[k], 3), *out = NULL;
      if (backwards)
        assert_ok(gpuarr_flip(&out, x, 0, NULL));
      else
        out = gpuarr_array_retain(x);
      gpuarr_expr* places = indices(expr_leaf(x), 0);
      assert_ok(gpuarr_evaluate(&out, (gpuarr_expr_list)&places, 1, NULL));
      gpuarr_array *floats = NULL, *whole = NULL;
      assert_ok(gpuarr_real(&floats, out, NULL));
      assert_ok(gpuarr_array_astype(&whole, floats, GPUARR_I64, NULL));
      assert_values(whole, 3, (const double[]){0, 1, 2});
      gpuarr_expr_release(places);
      release_arrays((gpuarr_array*[]){x, out, floats, whole}, 4);
    }
  /* Several results, of which some are one value. */
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out[3] = {NULL};
  gpuarr_expr* places = indices(expr_leaf(x), 0);
  gpuarr_expr* all[] = {places, indices(expr_leaf(x), 0),
                        expr_binary("multiply", expr_again(places), expr_leaf(x))};
  assert_ok(gpuarr_evaluate(out, (gpuarr_expr_list)all, 3, NULL));
  for (int k = 0; k < 2; ++k) assert_values(out[k], 3, (const double[]){0, 1, 2});
  assert_values(out[2], 3, (const double[]){0, 1, 4});
  assert_true(gpuarr_array_data(out[0]) != gpuarr_array_data(out[1]));
  for (int k = 0; k < 3; ++k) gpuarr_expr_release(all[k]);
  release_arrays((gpuarr_array*[]){x, out[0], out[1], out[2]}, 4);
}

/* A plan is of the shape: another one, and another axis, have their own. */
static void are_functions_of_inputs(void** state) {
  (void)state;
  gpuarr_expr* all[] = {
      indices(expr_input(0), -1),
      expr_reduced("sum", expr_binary("multiply", expr_input(0), indices(expr_input(0), 0)))};
  gpuarr_function* f = function_of_exprs(all, 2);
  for (int64_t count = 3; count < 5; ++count)
    for (int k = 0; k < 2; ++k) {
      gpuarr_array *x = ramp(GPUARR_F32, count), *out[2] = {NULL};
      assert_ok(gpuarr_function_call(f, out, 2, (gpuarr_arg[]){gpuarr_arg_array(x)}, 1, NULL));
      assert_values(out[0], count, (const double[]){0, 1, 2, 3});
      assert_values(out[1], 1, (const double[]){count == 3 ? 5 : 14});
      release_arrays((gpuarr_array*[]){x, out[0], out[1]}, 3);
    }
  gpuarr_array *x = ramp(GPUARR_F32, 3),
               *made[] = {line(GPUARR_F64, 3), zeros(GPUARR_F32, 0, NULL)};
  gpuarr_call* call = NULL;
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x)};
  assert_ok(gpuarr_function_prepare(&call, f, made, 2, inputs, 1));
  for (int k = 1; k < 3; ++k) {
    assert_ok(gpuarr_array_fill(x, gpuarr_arg_i64(k), NULL));
    assert_ok(gpuarr_call_launch(call, NULL));
    assert_values(made[0], 3, (const double[]){0, 1, 2});
    assert_values(made[1], 1, (const double[]){3 * k});
  }
  gpuarr_call_release(call);
  gpuarr_array* out[2] = {NULL};
  assert_status(gpuarr_function_call(f, out, 2, (gpuarr_arg[]){gpuarr_arg_i64(3)}, 1, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("x is a scalar; give an array or an expression of one; in indices(3)");
  gpuarr_function_release(f);
  release_arrays((gpuarr_array*[]){x, made[0], made[1]}, 3);
}

static void tell_mistakes(void** state) {
  (void)state;
  gpuarr_array* x = zeros(GPUARR_F32, 2, (const int64_t[]){2, 3});
  gpuarr_expr *leaf = expr_leaf(x), *number = expr_number(1), *out = leaf;
  for (int k = 0; k < 2; ++k) {
    assert_status(gpuarr_expr_indices(&out, leaf, k == 0 ? 2 : -3), GPUARR_ERR_AXIS);
    assert_message_has("in indices(float32 (2, 3))");
    assert_null(out);
  }
  assert_status(gpuarr_expr_indices(&out, number, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("x is a scalar");
  assert_status(gpuarr_expr_indices(&out, NULL, 0), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_expr_indices(NULL, leaf, 0), GPUARR_ERR_ARGUMENT);
  gpuarr_expr* sum = expr_reduced("sum", leaf);
  assert_status(gpuarr_expr_indices(&out, sum, 0), GPUARR_ERR_AXIS);
  gpuarr_expr_release(sum);
  gpuarr_expr_release(number);
  gpuarr_array_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(are_those_of_the_shape),
      cmocka_unit_test(join_loops),
      cmocka_unit_test(have_views),
      cmocka_unit_test(are_reduced),
      cmocka_unit_test(are_scanned_and_multiplied),
      cmocka_unit_test(multiply_matrices),
      cmocka_unit_test(stand_in_rows),
      cmocka_unit_test(go_into_given_arrays),
      cmocka_unit_test(are_functions_of_inputs),
      cmocka_unit_test(tell_mistakes),
  };
  return run_suite(tests);
}
