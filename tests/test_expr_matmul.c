/* Products of matrices in expressions: gpuarr_matmul's values, dtypes, shapes and errors. */
#include <stdio.h>
#include <string.h>

#include "exprs.h"

static gpuarr_array* multiplied(const gpuarr_array* x, const gpuarr_array* y) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_matmul(&out, x, y, 0, NULL));
  return out;
}

/* Of random whole numbers, which floats add up without rounding; complex ones have both parts. */
static gpuarr_array* drawn(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape) {
  double data[1024];
  int64_t size = 1;
  for (int32_t axis = 0; axis < ndim; ++axis) size *= shape[axis];
  assert_true(size <= 1024);
  for (int64_t k = 0; k < size; ++k) data[k] = (double)random_between(0, 3);
  gpuarr_array *wide = from(GPUARR_F64, ndim, shape, data), *out = NULL;
  if (dtype == GPUARR_C64 || dtype == GPUARR_C128) {
    gpuarr_array* turned = NULL;
    assert_ok(gpuarr_multiply(&turned, gpuarr_arg_array(wide), gpuarr_arg_c128(1, -2), NULL));
    replace(&wide, turned);
  }
  assert_ok(gpuarr_array_astype(&out, wide, dtype, NULL));
  gpuarr_array_release(wide);
  return out;
}

/* The same elements, seen as an array in Fortran's order, or one that has others in between. */
static void lie_otherwise(gpuarr_array** x) {
  gpuarr_array *other = NULL, *wide = NULL;
  const int32_t ndim = gpuarr_array_ndim(*x);
  if (random_between(0, 1) == 0) {
    assert_ok(gpuarr_array_copy(&other, *x, GPUARR_ORDER_F, NULL));
  } else {
    assert_ok(gpuarr_concatenate(&wide, (const gpuarr_array* const[]){*x, *x}, 2, ndim - 1, NULL));
    const int64_t extent = gpuarr_array_shape(*x)[ndim - 1];
    assert_ok(gpuarr_array_slice(&other, wide, ndim - 1, extent, GPUARR_NONE, 1));
    gpuarr_array_release(wide);
  }
  replace(x, other);
}

static void assert_same(const gpuarr_array* got, const gpuarr_array* expected) {
  int32_t same = 0;
  assert_int_equal(gpuarr_array_dtype(got), gpuarr_array_dtype(expected));
  assert_shape(got, gpuarr_array_ndim(expected), gpuarr_array_shape(expected));
  assert_ok(gpuarr_array_equal(&same, got, expected, NULL));
  assert_true(same);
}

/* Shapes that go together: of vectors, matrices and stacks that broadcast. */
static void draw_shapes(int32_t* ndim, int64_t shapes[2][4]) {
  const int64_t inner = random_between(0, 5);
  int64_t stack[2];
  for (int k = 0; k < 2; ++k) stack[k] = random_between(1, 3);
  for (int side = 0; side < 2; ++side) {
    ndim[side] = (int32_t)random_between(1, 4);
    int64_t* const shape = shapes[side];
    for (int32_t k = 0; k + 2 < ndim[side]; ++k)
      shape[k] = random_between(0, 3) == 0 ? 1 : stack[k + 4 - ndim[side]];
    if (ndim[side] > 1) shape[ndim[side] - (side == 0 ? 2 : 1)] = random_between(1, 6);
    shape[ndim[side] - (side == 0 || ndim[side] == 1 ? 1 : 2)] = inner;
  }
}

static void gives_what_is_computed_at_once(void** state) {
  (void)state;
  require_blas();
  const gpuarr_dtype dtypes[] = {GPUARR_BOOL, GPUARR_I8,  GPUARR_I32, GPUARR_U8,  GPUARR_I64,
                                 GPUARR_F16,  GPUARR_F32, GPUARR_F64, GPUARR_C64, GPUARR_C128};
  const int rounds = sanitized ? 40 : 150;
  for (int k = 0; k < rounds; ++k) {
    int32_t ndim[2];
    int64_t shapes[2][4];
    draw_shapes(ndim, shapes);
    const gpuarr_dtype one = dtypes[random_between(0, 9)], other = dtypes[random_between(0, 9)];
    gpuarr_array* x = drawn(one, ndim[0], shapes[0]);
    gpuarr_array* y = drawn(random_between(0, 1) ? one : other, ndim[1], shapes[1]);
    if (random_between(0, 1)) lie_otherwise(&x);
    if (random_between(0, 1)) lie_otherwise(&y);
    gpuarr_array* expected = multiplied(x, y);
    gpuarr_expr* product = expr_product(expr_leaf(x), expr_leaf(y));
    assert_int_equal(gpuarr_expr_dtype(product), gpuarr_array_dtype(expected));
    assert_int_equal(gpuarr_expr_ndim(product), gpuarr_array_ndim(expected));
    gpuarr_array* got = value_of_expr(product);
    assert_same(got, expected);
    release_arrays((gpuarr_array*[]){x, y, expected, got}, 4);
  }
}

static gpuarr_array* table(gpuarr_dtype dtype, int64_t rows, int64_t columns) {
  gpuarr_array *flat = ramp(dtype, rows * columns), *out = NULL;
  assert_ok(gpuarr_array_reshape(&out, flat, 2, (const int64_t[]){rows, columns}));
  gpuarr_array_release(flat);
  return out;
}

static gpuarr_expr* turned(gpuarr_expr* x) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_transpose(&out, x, 0, NULL));
  gpuarr_expr_release(x);
  return out;
}

static void assert_kernels(gpuarr_expr* x, int count) {
  assert_int_equal(kernels_of((gpuarr_expr_list)&x, 1), count);
}

/* relu(x @ w + b), and what else is computed of products. */
static void is_used_by_other_kernels(void** state) {
  (void)state;
  gpuarr_array *x = table(GPUARR_I32, 2, 3), *w = table(GPUARR_I32, 3, 2), *b = ramp(GPUARR_I32, 2);
  gpuarr_expr* product = expr_product(expr_leaf(x), expr_leaf(w)); /* 10, 13, 28, 40 */
  gpuarr_expr* shifted = expr_binary("subtract", expr_again(product), expr_whole(20));
  gpuarr_expr* relu =
      expr_binary("maximum", expr_binary("add", shifted, expr_leaf(b)), expr_whole(0));
  assert_kernels(relu, 2);
  const char* text = NULL;
  assert_ok(gpuarr_expr_explain(&text, (gpuarr_expr_list)&relu, 1));
  assert_non_null(strstr(text, "kernel 1: matrix product of (2, 2); 0 operations; reads 2 arrays"));
  assert_non_null(strstr(text,
                         "stores matmul(...): int32 (2, 2): a scan, a product or a kernel of "
                         "its own has to have all of it"));
  gpuarr_array* out = value_of_expr(relu);
  assert_values(out, 4, (const double[]){0, 0, 8, 21});
  gpuarr_expr* both[] = {expr_reduced("sum", expr_again(product)), product}; /* and a result */
  gpuarr_array* made[2] = {NULL};
  assert_int_equal(kernels_of((gpuarr_expr_list)both, 2), 2);
  assert_ok(gpuarr_evaluate(made, (gpuarr_expr_list)both, 2, NULL));
  assert_values(made[0], 1, (const double[]){91});
  assert_values(made[1], 4, (const double[]){10, 13, 28, 40});
  gpuarr_expr* again = expr_product(expr_leaf(x), expr_leaf(w)); /* equal, so computed once */
  gpuarr_expr* twice = expr_binary("add", turned(again), turned(expr_again(product)));
  assert_kernels(twice, 2);
  replace(&out, value_of_expr(twice));
  assert_values(out, 4, (const double[]){20, 56, 26, 80});
  gpuarr_expr_release(both[0]);
  gpuarr_expr_release(both[1]);
  release_arrays((gpuarr_array*[]){x, w, b, out, made[0], made[1]}, 6);
}

/* Values that are computed, seen through other layouts, reduced, scanned, or products. */
static void multiplies_what_is_computed(void** state) {
  (void)state;
  gpuarr_array *x = table(GPUARR_I32, 2, 3), *out = NULL;
  gpuarr_expr* more = expr_binary("add", expr_leaf(x), expr_whole(1)); /* 1, 2, 3; 4, 5, 6 */
  gpuarr_expr* square = expr_product(expr_again(more), turned(expr_again(more)));
  assert_values(out = value_of_expr(square), 4, (const double[]){14, 32, 32, 77});
  gpuarr_expr* sums = NULL; /* 5, 7, 9 */
  assert_ok(gpuarr_expr_reduce(&sums, "sum", more, (const int32_t[]){0}, 1, 0, 0));
  replace(&out, value_of_expr(expr_product(expr_again(more), expr_again(sums))));
  assert_values(out, 2, (const double[]){46, 109});
  replace(&out, value_of_expr(expr_product(expr_again(sums), sums)));
  assert_values(out, 1, (const double[]){155});
  gpuarr_expr *along = NULL, *across = NULL; /* 1, 3, 6; 4, 9, 15 */
  assert_ok(gpuarr_expr_scan(&along, "cumsum", more, 1, 0));
  gpuarr_expr* chain = expr_product(expr_product(expr_leaf(x), turned(along)), expr_leaf(x));
  assert_ok(gpuarr_expr_scan(&across, "cumsum", chain, 0, 0));
  replace(&out, value_of_expr(across));
  assert_values(out, 6, (const double[]){117, 171, 225, 486, 708, 930});
  gpuarr_expr *flat = NULL, *last = NULL; /* which no view of the transposed product is */
  assert_ok(gpuarr_expr_transpose(&last, chain, 0, NULL));
  assert_ok(gpuarr_expr_reshape(&flat, last, 1, (const int64_t[]){-1}));
  replace(&out, value_of_expr(expr_product(expr_again(flat), flat)));
  assert_values(out, 1, (const double[]){1015110});
  gpuarr_expr_release(last);
  gpuarr_expr_release(chain);
  gpuarr_expr_release(more);
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

static int64_t allocations(void) {
  int64_t count = 0;
  assert_ok(gpuarr_memory_statistic(&count, open_test_device(), GPUARR_MEMORY_ALLOCATIONS));
  return count;
}

/* Views are multiplied as they lie, and the result is written where it is wanted. */
static void copies_nothing(void** state) {
  (void)state;
  require_blas();
  gpuarr_array *x = table(GPUARR_F64, 2, 3), *out = zeros(GPUARR_F64, 2, (const int64_t[]){3, 3});
  gpuarr_array *backwards = NULL, *stored = zeros(GPUARR_F64, 2, (const int64_t[]){3, 3});
  assert_ok(gpuarr_array_transpose(&backwards, stored, 0, NULL));
  gpuarr_expr* gram = expr_product(turned(expr_leaf(x)), expr_leaf(x));
  gpuarr_array* const given[] = {out, backwards};
  for (int k = 0; k < 2; ++k) {
    gpuarr_array* target = given[k];
    assert_ok(gpuarr_evaluate(&target, (gpuarr_expr_list)&gram, 1, NULL)); /* loads BLAS */
    assert_ok(gpuarr_array_fill(target, gpuarr_arg_i32(0), NULL));
    const int64_t before = allocations();
    assert_ok(gpuarr_evaluate(&target, (gpuarr_expr_list)&gram, 1, NULL));
    assert_int_equal(allocations() - before, test_device_is_host() ? 0 : 1);
    assert_values(target, 9, (const double[]){9, 12, 15, 12, 17, 22, 15, 22, 29});
  }
  gpuarr_expr_release(gram);
  release_arrays((gpuarr_array*[]){x, out, backwards, stored}, 4);
}

static void writes_into_given_arrays(void** state) {
  (void)state;
  gpuarr_array *x = table(GPUARR_I32, 2, 2), *wide = zeros(GPUARR_F64, 2, (const int64_t[]){2, 2});
  gpuarr_expr* square = expr_product(expr_leaf(x), expr_leaf(x));        /* 2, 3, 6, 11 */
  assert_ok(gpuarr_evaluate(&wide, (gpuarr_expr_list)&square, 1, NULL)); /* converted */
  assert_values(wide, 4, (const double[]){2, 3, 6, 11});
  gpuarr_array *same = x, *narrow = zeros(GPUARR_U8, 2, (const int64_t[]){2, 2});
  assert_ok(gpuarr_evaluate(&same, (gpuarr_expr_list)&square, 1, NULL)); /* an operand */
  assert_values(x, 4, (const double[]){2, 3, 6, 11});
  gpuarr_expr* more = expr_binary("add", expr_again(square), expr_leaf(x));
  assert_ok(gpuarr_evaluate(&same, (gpuarr_expr_list)&more, 1, NULL)); /* 22, 39, 78, 139 */
  assert_values(x, 4, (const double[]){24, 42, 84, 150});
  assert_status(gpuarr_evaluate(&narrow, (gpuarr_expr_list)&square, 1, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("outputs[0] is uint8, to which the result's int32 is not converted");
  gpuarr_expr_release(square);
  gpuarr_expr_release(more);
  release_arrays((gpuarr_array*[]){x, wide, narrow}, 3);
}

static void refused(gpuarr_status status, const char* message, const gpuarr_expr* x,
                    const gpuarr_expr* y) {
  gpuarr_expr* made = (gpuarr_expr*)x;
  assert_status(gpuarr_expr_matmul(&made, x, y), status);
  assert_message_has(message);
  assert_null(made);
}

/* By gpuarr_matmul's own words, with the place behind them. */
static void refuses_what_is_refused_at_once(void** state) {
  (void)state;
  const int64_t huge = INT64_C(1) << 40;
  const struct {
    int32_t ndim[2];
    int64_t shapes[2][4];
  } cases[] = {{{2, 2}, {{3, 4}, {3, 4}}},       {{1, 1}, {{3}, {4}}},
               {{2, 1}, {{3, 4}, {3}}},          {{1, 2}, {{3}, {4, 3}}},
               {{3, 3}, {{2, 3, 4}, {3, 4, 5}}}, {{0, 2}, {{0}, {3, 4}}},
               {{2, 0}, {{3, 4}, {0}}},          {{4, 3}, {{2, 3, 1, 2}, {2, 2, 1}}},
               {{2, 2}, {{huge, 0}, {0, huge}}}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    gpuarr_array *x = zeros(GPUARR_F32, cases[k].ndim[0], cases[k].shapes[0]),
                 *y = zeros(GPUARR_I32, cases[k].ndim[1], cases[k].shapes[1]), *out = NULL;
    gpuarr_expr *a = expr_leaf(x), *b = expr_leaf(y);
    const gpuarr_status status = gpuarr_matmul(&out, x, y, 0, NULL);
    assert_int_not_equal(status, GPUARR_OK);
    char message[500];
    snprintf(message, sizeof message, "%s; in matmul(float32 (",
             strchr(gpuarr_last_error(), ':') + 2);
    refused(status, message, a, b);
    gpuarr_expr_release(a);
    gpuarr_expr_release(b);
    release_arrays((gpuarr_array*[]){x, y}, 2);
  }
}

static void names_what_does_not_fit(void** state) {
  (void)state;
  gpuarr_array* x = zeros(GPUARR_F32, 2, (const int64_t[]){3, 4});
  gpuarr_expr *a = expr_leaf(x), *two = expr_whole(2), *root = expr_unary("sqrt", expr_leaf(x)),
              *in = expr_input(0), *sum = expr_reduced("sum", expr_leaf(x));
  refused(
      GPUARR_ERR_SHAPE,
      "x has shape (3, 4) and y (3, 4): the last axis of x has extent 4, but the last axis but "
      "one of y has 3; they must be equal; in matmul(float32 (3, 4), sqrt(...): float32 (3, 4))",
      a, root);
  refused(GPUARR_ERR_SHAPE,
          "y has no axes, so it is not a matrix; multiply by gpuarr_multiply; in "
          "matmul(float32 (3, 4), sum(...): float32 ())",
          a, sum);
  refused(GPUARR_ERR_ARGUMENT,
          "x is a scalar; give an array or an expression of one; in matmul(2, float32 (3, 4))", two,
          a);
  refused(GPUARR_ERR_ARGUMENT,
          "y is a scalar; give an array or an expression of one; in "
          "matmul(input 0, 2)",
          in, two);
  refused(GPUARR_ERR_ARGUMENT, "x is NULL", NULL, a);
  refused(GPUARR_ERR_ARGUMENT, "y is NULL", a, NULL);
  assert_status(gpuarr_expr_matmul(NULL, a, a), GPUARR_ERR_ARGUMENT);
  for (int k = 0; k < 5; ++k) gpuarr_expr_release((gpuarr_expr*[]){a, two, root, in, sum}[k]);
  gpuarr_array_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gives_what_is_computed_at_once),
      cmocka_unit_test(is_used_by_other_kernels),
      cmocka_unit_test(multiplies_what_is_computed),
      cmocka_unit_test(copies_nothing),
      cmocka_unit_test(writes_into_given_arrays),
      cmocka_unit_test(refuses_what_is_refused_at_once),
      cmocka_unit_test(names_what_does_not_fit),
  };
  return run_suite(tests);
}
