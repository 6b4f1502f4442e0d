/* Expressions: what they compute, and in how many kernels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exprs.h"

static void evaluates_what_is_computed_at_once(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 6), *y = ramp(GPUARR_I32, 6);
  gpuarr_expr* d = expr_binary("subtract", expr_leaf(x), expr_number(2));
  assert_int_equal(gpuarr_expr_dtype(d), GPUARR_F32);
  assert_int_equal(gpuarr_expr_ndim(d), 1);
  assert_int_equal(gpuarr_expr_shape(d)[0], 6);
  gpuarr_expr* product = expr_binary("multiply", expr_again(d), d);
  assert_int_equal(kernels_of((gpuarr_expr_list)&product, 1), 1);
  gpuarr_array* out = value_of_expr(product);
  assert_values(out, 6, (const double[]){4, 1, 0, 1, 4, 9});
  gpuarr_array* sum = value_of_expr(expr_reduced("sum", expr_unary("square", expr_leaf(y))));
  assert_int_equal(gpuarr_array_dtype(sum), GPUARR_I64);
  assert_values(sum, 1, (const double[]){55});
  gpuarr_array* mean =
      value_of_expr(expr_unary("sqrt", expr_reduced("mean", expr_unary("square", expr_leaf(x)))));
  assert_true(fabs(value_of(mean) - sqrt(55.0 / 6)) < 1e-6);
  release_arrays((gpuarr_array*[]){x, y, out, sum, mean}, 5);
}

static void reads_arrays_when_it_is_evaluated(void** state) {
  (void)state;
  gpuarr_array *x = line(GPUARR_F64, 3), *out = NULL;
  gpuarr_expr* sum = expr_binary("add", expr_leaf(x), expr_whole(1));
  assert_ok(gpuarr_array_fill(x, gpuarr_arg_f64(5), NULL));
  gpuarr_array_release(x); /* the expression keeps it */
  assert_ok(gpuarr_evaluate(&out, (gpuarr_expr_list)&sum, 1, NULL));
  assert_values(out, 3, (const double[]){6, 6, 6});
  gpuarr_expr_release(sum);
  gpuarr_array_release(out);
}

static gpuarr_array* table(gpuarr_dtype dtype, int64_t rows, int64_t columns) {
  gpuarr_array *flat = ramp(dtype, rows * columns), *out = NULL;
  assert_ok(gpuarr_array_reshape(&out, flat, 2, (const int64_t[]){rows, columns}));
  gpuarr_array_release(flat);
  return out;
}

static void shares_passes(void** state) {
  (void)state;
  gpuarr_array *x = table(GPUARR_F64, 3, 4), *out[3] = {NULL};
  gpuarr_expr* all[] = {expr_reduced("sum", expr_leaf(x)), expr_reduced("max", expr_leaf(x)),
                        expr_reduced("min", expr_leaf(x))};
  assert_int_equal(kernels_of((gpuarr_expr_list)all, 3), 1);
  assert_ok(gpuarr_evaluate(out, (gpuarr_expr_list)all, 3, NULL));
  const double expected[] = {66, 11, 0};
  for (int k = 0; k < 3; ++k) {
    assert_int_equal(gpuarr_array_ndim(out[k]), 0);
    assert_values(out[k], 1, &expected[k]);
    gpuarr_expr_release(all[k]);
  }
  release_arrays((gpuarr_array*[]){x, out[0], out[1], out[2]}, 4);
}

static void uses_results_in_larger_shapes(void** state) {
  (void)state;
  gpuarr_array* x = table(GPUARR_F64, 2, 4);
  gpuarr_expr* centred = expr_binary("subtract", expr_leaf(x), expr_along("mean", expr_leaf(x), 1));
  gpuarr_array* out = value_of_expr(centred);
  assert_values(out, 8, (const double[]){-1.5, -.5, .5, 1.5, -1.5, -.5, .5, 1.5});
  gpuarr_expr* columns = expr_binary("subtract", expr_leaf(x), expr_along("mean", expr_leaf(x), 0));
  gpuarr_array* across = value_of_expr(columns);
  assert_values(across, 8, (const double[]){-2, -2, -2, -2, 2, 2, 2, 2});
  release_arrays((gpuarr_array*[]){x, out, across}, 3);
}

static void writes_into_given_arrays(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 4), *whole_numbers = line(GPUARR_F64, 4);
  gpuarr_expr* sum = expr_binary("add", expr_leaf(x), expr_whole(1));
  assert_ok(gpuarr_evaluate(&whole_numbers, (gpuarr_expr_list)&sum, 1, NULL)); /* converted */
  assert_values(whole_numbers, 4, (const double[]){1, 2, 3, 4});
  gpuarr_array* same = x;
  assert_ok(gpuarr_evaluate(&same, (gpuarr_expr_list)&sum, 1, NULL)); /* in place */
  assert_values(x, 4, (const double[]){1, 2, 3, 4});
  gpuarr_expr* parts = expr_binary("divide", expr_leaf(x), expr_reduced("sum", expr_leaf(x)));
  assert_ok(gpuarr_evaluate(&same, (gpuarr_expr_list)&parts, 1, NULL)); /* read before written */
  assert_floats(x, 4, (const float[]){.1f, .2f, .3f, .4f});
  gpuarr_array *first = NULL, *rest = NULL;
  assert_ok(gpuarr_array_slice(&first, x, 0, 0, 3, 1));
  assert_ok(gpuarr_array_slice(&rest, x, 0, 1, 4, 1));
  gpuarr_expr* shifted = expr_binary("multiply", expr_leaf(first), expr_whole(10));
  assert_ok(gpuarr_evaluate(&rest, (gpuarr_expr_list)&shifted, 1, NULL)); /* overlapping */
  assert_floats(x, 4, (const float[]){.1f, 1, 2, 3});
  gpuarr_expr* all[] = {sum, parts, shifted};
  for (int k = 0; k < 3; ++k) gpuarr_expr_release(all[k]);
  release_arrays((gpuarr_array*[]){x, whole_numbers, first, rest}, 4);
}

static void reads_before_it_writes(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *y = line(GPUARR_F32, 3), *fresh = NULL;
  assert_ok(gpuarr_array_fill(y, gpuarr_arg_f64(7), NULL));
  gpuarr_expr* both[] = {expr_leaf(y), expr_leaf(x)};
  assert_ok(
      gpuarr_evaluate((gpuarr_array*[]){x, y}, (gpuarr_expr_list)both, 2, NULL)); /* swapped */
  assert_values(x, 3, (const double[]){7, 7, 7});
  assert_values(y, 3, (const double[]){0, 1, 2});
  gpuarr_expr* next[] = {expr_binary("add", expr_leaf(y), expr_whole(1)), expr_leaf(y)};
  gpuarr_array* out[] = {y, NULL};
  assert_ok(gpuarr_evaluate(out, (gpuarr_expr_list)next, 2, NULL));
  fresh = out[1];
  assert_values(y, 3, (const double[]){1, 2, 3});
  assert_values(fresh, 3, (const double[]){0, 1, 2});
  for (int k = 0; k < 2; ++k) {
    gpuarr_expr_release(both[k]);
    gpuarr_expr_release(next[k]);
  }
  release_arrays((gpuarr_array*[]){x, y, fresh}, 3);
}

static void takes_many_numbers(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F64, 2);
  gpuarr_expr* sum = expr_leaf(x);
  for (int k = 0; k < 40; ++k) sum = expr_binary("add", sum, expr_whole(k));
  assert_int_equal(kernels_of((gpuarr_expr_list)&sum, 1), 2); /* a kernel has 32 parameters */
  gpuarr_array* out = value_of_expr(sum);
  assert_values(out, 2, (const double[]){780, 781});
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

/* What a statement of a kernel leaves of an integer, not what a register could hold of it. */
static void wraps_around_before_it_is_widened(void** state) {
  (void)state;
  const gpuarr_dtype dtypes[] = {GPUARR_I8, GPUARR_U8, GPUARR_I16, GPUARR_U16, GPUARR_I32};
  for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes; ++t) {
    const int is_signed = dtypes[t] != GPUARR_U8 && dtypes[t] != GPUARR_U16;
    const int64_t count = 65536;
    gpuarr_array *wide = ramp(GPUARR_I32, count), *x = NULL;
    assert_ok(gpuarr_array_astype(&x, wide, dtypes[t], NULL));
    gpuarr_expr* made[] = {
        expr_unary("negative", expr_leaf(x)), expr_unary("abs", expr_leaf(x)),
        expr_binary("subtract", expr_whole(0), expr_leaf(x)),
        expr_binary("multiply", expr_leaf(x), expr_whole(is_signed ? -1 : 1)),
        expr_binary("floor_divide", expr_leaf(x), expr_whole(is_signed ? -1 : 1))};
    for (int k = 0; k < 5; ++k) {
      gpuarr_expr* widened = NULL;
      assert_ok(gpuarr_expr_astype(&widened, made[k], GPUARR_I64));
      gpuarr_array* fused = value_of_expr(widened);
      gpuarr_array *narrow = value_of_expr(made[k]), *stored = NULL;
      assert_ok(gpuarr_array_astype(&stored, narrow, GPUARR_I64, NULL));
      double *got = doubles_of(fused), *expected = doubles_of(stored);
      for (int64_t i = 0; i < count; ++i)
        if (got[i] != expected[i])
          fail_msg("%s, expression %d of %d: %g, not %g", gpuarr_dtype_name(dtypes[t]), k, (int)i,
                   got[i], expected[i]);
      free(got);
      free(expected);
      release_arrays((gpuarr_array*[]){fused, narrow, stored}, 3);
    }
    release_arrays((gpuarr_array*[]){wide, x}, 2);
  }
}

static void gives_each_result_memory(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out[3] = {NULL};
  gpuarr_expr* sum = expr_binary("add", expr_leaf(x), expr_whole(1));
  gpuarr_expr* all[] = {sum, sum, expr_leaf(x)};
  assert_ok(gpuarr_evaluate(out, (gpuarr_expr_list)all, 3, NULL));
  assert_ok(gpuarr_array_fill(out[0], gpuarr_arg_f64(9), NULL));
  assert_values(out[1], 3, (const double[]){1, 2, 3});
  assert_ok(gpuarr_array_fill(x, gpuarr_arg_f64(9), NULL));
  assert_values(out[2], 3, (const double[]){0, 1, 2});
  gpuarr_expr_release(all[0]);
  gpuarr_expr_release(all[2]);
  release_arrays((gpuarr_array*[]){x, out[0], out[1], out[2]}, 4);
}

static void sees_views(void** state) {
  (void)state;
  gpuarr_array* x = table(GPUARR_F64, 3, 4);
  gpuarr_expr *twice = expr_binary("multiply", expr_leaf(x), expr_whole(2)), *view = NULL,
              *turned = NULL;
  assert_ok(gpuarr_expr_slice(&view, twice, 1, 1, 4, 2));
  assert_ok(gpuarr_expr_transpose(&turned, view, 0, NULL));
  assert_int_equal(kernels_of((gpuarr_expr_list)&turned, 1), 1);
  gpuarr_array* out = value_of_expr(turned);
  assert_shape(out, 2, (const int64_t[]){2, 3});
  assert_values(out, 6, (const double[]){2, 10, 18, 6, 14, 22});
  gpuarr_expr *sums = expr_along("sum", expr_leaf(x), 1), *last = NULL, *grown = NULL,
              *flipped = NULL;
  assert_ok(gpuarr_expr_index(&last, sums, 0, -1));
  assert_ok(gpuarr_expr_broadcast(&grown, sums, 2, (const int64_t[]){3, 2}));
  assert_ok(gpuarr_expr_flip(&flipped, sums, 0, NULL));
  gpuarr_array* values[] = {value_of_expr(last), value_of_expr(grown), value_of_expr(flipped)};
  assert_values(values[0], 1, (const double[]){38});
  assert_values(values[1], 6, (const double[]){6, 6, 22, 22, 38, 38});
  assert_values(values[2], 3, (const double[]){38, 22, 6});
  gpuarr_expr *line_of = NULL, *deep = NULL;
  assert_ok(gpuarr_expr_reshape(&line_of, twice, 1, (const int64_t[]){-1}));
  assert_ok(gpuarr_expr_expand(&deep, line_of, 0));
  gpuarr_array* flat = value_of_expr(expr_reduced("sum", deep));
  assert_values(flat, 1, (const double[]){132});
  gpuarr_expr_release(twice);
  gpuarr_expr_release(view);
  gpuarr_expr_release(sums);
  gpuarr_expr_release(line_of);
  release_arrays((gpuarr_array*[]){x, out, values[0], values[1], values[2], flat}, 6);
}

static void has_both_outputs_of_a_function(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I32, 5), *out[2] = {NULL};
  gpuarr_expr *operands[] = {expr_leaf(x), expr_whole(3)}, *both[2] = {NULL};
  assert_ok(gpuarr_expr_apply(both, 2, "divmod", (gpuarr_expr_list)operands, 2));
  assert_int_equal(kernels_of((gpuarr_expr_list)both, 2), 1);
  assert_ok(gpuarr_evaluate(out, (gpuarr_expr_list)both, 2, NULL));
  assert_values(out[0], 5, (const double[]){0, 0, 0, 1, 1});
  assert_values(out[1], 5, (const double[]){0, 1, 2, 0, 1});
  for (int k = 0; k < 2; ++k) {
    gpuarr_expr_release(operands[k]);
    gpuarr_expr_release(both[k]);
  }
  release_arrays((gpuarr_array*[]){x, out[0], out[1]}, 3);
}

static void takes_no_elements(void** state) {
  (void)state;
  gpuarr_array *none = line(GPUARR_F32, 0), *out[2] = {NULL};
  gpuarr_expr* all[] = {expr_binary("add", expr_leaf(none), expr_number(1)),
                        expr_reduced("sum", expr_leaf(none))};
  assert_ok(gpuarr_evaluate(out, (gpuarr_expr_list)all, 2, NULL));
  assert_int_equal(gpuarr_array_size(out[0]), 0);
  assert_values(out[1], 1, (const double[]){0});
  gpuarr_expr *made = (gpuarr_expr*)all, *x = expr_leaf(none);
  assert_status(gpuarr_expr_reduce(&made, "max", x, NULL, 0, 0, 0), GPUARR_ERR_EMPTY);
  assert_message_has("max which has no identity");
  assert_null(made);
  gpuarr_expr_release(all[0]);
  gpuarr_expr_release(all[1]);
  gpuarr_expr_release(x);
  release_arrays((gpuarr_array*[]){none, out[0], out[1]}, 3);
}

static void goes_deep(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_I64, 2);
  gpuarr_expr* sum = expr_leaf(x);
  for (int k = 0; k < 10000; ++k) sum = expr_binary("add", sum, expr_leaf(x));
  const char* text = NULL;
  assert_ok(gpuarr_expr_explain(&text, (gpuarr_expr_list)&sum, 1));
  assert_non_null(strstr(text, "the kernel would have too many operations"));
  gpuarr_expr_release(sum);
  gpuarr_array_release(x);
}

static void refuses(gpuarr_status status, const char* message, gpuarr_status got,
                    gpuarr_expr** made) {
  assert_status(got, status);
  assert_message_has(message);
  assert_null(*made);
}

static void names_what_does_not_fit(void** state) {
  (void)state;
  gpuarr_array *x = table(GPUARR_F32, 3, 4), *y = line(GPUARR_F32, 5),
               *flags = line(GPUARR_BOOL, 4);
  gpuarr_expr *a = expr_leaf(x), *b = expr_leaf(y), *two = expr_whole(2), *c = expr_leaf(flags),
              *made = a;
  gpuarr_expr_list ab = (gpuarr_expr_list)(gpuarr_expr*[]){a, b};
  refuses(GPUARR_ERR_BROADCAST,
          "y has shape (5,), which does not broadcast with (3, 4); in subtract(float32 (3, 4), "
          "float32 (5,))",
          gpuarr_expr_apply(&made, 1, "subtract", ab, 2), &made);
  refuses(GPUARR_ERR_DTYPE, "subtract is not defined for bool",
          gpuarr_expr_apply(&made, 1, "subtract", (gpuarr_expr_list)(gpuarr_expr*[]){c, c}, 2),
          &made);
  refuses(
      GPUARR_ERR_ARGUMENT, "no operand is an array or an expression of one; give one; in add(2, 2)",
      gpuarr_expr_apply(&made, 1, "add", (gpuarr_expr_list)(gpuarr_expr*[]){two, two}, 2), &made);
  refuses(GPUARR_ERR_ARGUMENT, "there is no function \"plus\"",
          gpuarr_expr_apply(&made, 1, "plus", ab, 2), &made);
  refuses(GPUARR_ERR_ARGUMENT, "operand_count is 1, but add takes 2: x y",
          gpuarr_expr_apply(&made, 1, "add", ab, 1), &made);
  refuses(GPUARR_ERR_ARGUMENT, "output_count is 1, but divmod gives 2",
          gpuarr_expr_apply(&made, 1, "divmod", ab, 2), &made);
  refuses(GPUARR_ERR_ARGUMENT, "operands is NULL", gpuarr_expr_apply(&made, 1, "add", NULL, 2),
          &made);
  refuses(GPUARR_ERR_ARGUMENT, "y is left out; give it; in add(float32 (3, 4), nothing)",
          gpuarr_expr_apply(&made, 1, "add", (gpuarr_expr_list)(gpuarr_expr*[]){a, NULL}, 2),
          &made);
  refuses(GPUARR_ERR_AXIS, "axes[0] is 2",
          gpuarr_expr_reduce(&made, "sum", a, (const int32_t[]){2}, 1, 0, 0), &made);
  assert_message_has("in sum(float32 (3, 4))");
  refuses(GPUARR_ERR_ARGUMENT, "there is no reduction \"total\"",
          gpuarr_expr_reduce(&made, "total", a, NULL, 0, 0, 0), &made);
  refuses(GPUARR_ERR_ARGUMENT, "ddof is nan", gpuarr_expr_reduce(&made, "var", a, NULL, 0, 0, NAN),
          &made);
  refuses(GPUARR_ERR_ARGUMENT, "x is a scalar",
          gpuarr_expr_reduce(&made, "sum", two, NULL, 0, 0, 0), &made);
  refuses(GPUARR_ERR_ARGUMENT, "x is a scalar", gpuarr_expr_astype(&made, two, GPUARR_F32), &made);
  refuses(GPUARR_ERR_DTYPE, "dtype is 99", gpuarr_expr_astype(&made, a, 99), &made);
  refuses(GPUARR_ERR_AXIS, "axis is 2", gpuarr_expr_slice(&made, a, 2, 0, 1, 1), &made);
  refuses(GPUARR_ERR_ARGUMENT, "step is 0", gpuarr_expr_slice(&made, a, 0, 0, 1, 0), &made);
  refuses(GPUARR_ERR_AXIS, "index is 3", gpuarr_expr_index(&made, a, 0, 3), &made);
  refuses(GPUARR_ERR_SHAPE, "the array's (3, 4) has 12",
          gpuarr_expr_reshape(&made, a, 1, (const int64_t[]){5}), &made);
  refuses(GPUARR_ERR_ARGUMENT, "array is NULL", gpuarr_expr_array(&made, NULL), &made);
  assert_status(gpuarr_expr_array(NULL, x), GPUARR_ERR_ARGUMENT);
  assert_int_equal(gpuarr_expr_ndim(NULL), 0);
  assert_null(gpuarr_expr_shape(NULL));
  assert_int_equal(gpuarr_expr_dtype(NULL), 0);
  assert_null(gpuarr_expr_retain(NULL));
  gpuarr_expr_release(NULL);
  for (int k = 0; k < 4; ++k) gpuarr_expr_release((gpuarr_expr*[]){a, b, two, c}[k]);
  release_arrays((gpuarr_array*[]){x, y, flags}, 3);
}

static void refuses_outputs_that_do_not_fit(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 4), *other = line(GPUARR_F32, 3), *ints = line(GPUARR_I32, 4);
  gpuarr_expr *sum = expr_binary("add", expr_leaf(x), expr_number(.5)), *two = expr_whole(2);
  gpuarr_expr_list exprs = (gpuarr_expr_list)(gpuarr_expr*[]){sum, sum};
  assert_status(gpuarr_evaluate(&other, exprs, 1, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("outputs[0] has shape (3,)");
  assert_status(gpuarr_evaluate(&ints, exprs, 1, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("outputs[0] is int32, to which the result's float32 is not converted");
  assert_status(gpuarr_evaluate((gpuarr_array*[]){x, x}, exprs, 2, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("outputs[1] and outputs[0] share memory");
  gpuarr_array* none = NULL;
  assert_status(gpuarr_evaluate(&none, exprs, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is 0");
  assert_status(gpuarr_evaluate(&none, NULL, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("exprs is NULL");
  assert_status(gpuarr_evaluate(NULL, exprs, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs is NULL");
  assert_status(gpuarr_evaluate(&none, (gpuarr_expr_list)&two, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("exprs[0] is a scalar");
  const char* text = "";
  assert_status(gpuarr_expr_explain(&text, (gpuarr_expr_list)&two, 1), GPUARR_ERR_ARGUMENT);
  assert_null(text);
  assert_null(none);
  gpuarr_expr_release(sum);
  gpuarr_expr_release(two);
  release_arrays((gpuarr_array*[]){x, other, ints}, 3);
}

static void tells_what_it_does(void** state) {
  (void)state;
  gpuarr_array* x = table(GPUARR_F32, 8, 16);
  gpuarr_expr* mean = expr_reduced("mean", expr_unary("square", expr_leaf(x)));
  const char* text = NULL;
  assert_ok(gpuarr_expr_explain(&text, (gpuarr_expr_list)&mean, 1));
  assert_string_equal(
      text,
      "kernel 1: reduction of (8, 16) over axes (0, 1): mean; 1 operations; reads 1 "
      "arrays, 512 bytes; writes 1, 4 bytes\n"
      "  stores mean(...): float32 (): a result\n"
      "1 kernels move 516 bytes; one call after another would move 1540\n");
  gpuarr_expr_release(mean);
  gpuarr_array_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evaluates_what_is_computed_at_once),
      cmocka_unit_test(reads_arrays_when_it_is_evaluated),
      cmocka_unit_test(shares_passes),
      cmocka_unit_test(uses_results_in_larger_shapes),
      cmocka_unit_test(writes_into_given_arrays),
      cmocka_unit_test(reads_before_it_writes),
      cmocka_unit_test(takes_many_numbers),
      cmocka_unit_test(wraps_around_before_it_is_widened),
      cmocka_unit_test(gives_each_result_memory),
      cmocka_unit_test(sees_views),
      cmocka_unit_test(has_both_outputs_of_a_function),
      cmocka_unit_test(takes_no_elements),
      cmocka_unit_test(goes_deep),
      cmocka_unit_test(names_what_does_not_fit),
      cmocka_unit_test(refuses_outputs_that_do_not_fit),
      cmocka_unit_test(tells_what_it_does),
  };
  return run_suite(tests);
}
