/* Users' kernels and scans in expressions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exprs.h"

static gpuarr_elementwise* kernel_of(const char* in_params, const char* out_params,
                                     const char* body) {
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, in_params, out_params, body, NULL));
  return kernel;
}

static gpuarr_reduction* reduction_of(const char* in_params, const char* out_params,
                                      const char* map, const char* reduce, const char* post,
                                      const char* identity) {
  gpuarr_reduction* kernel = NULL;
  assert_ok(
      gpuarr_reduction_create(&kernel, in_params, out_params, map, reduce, post, identity, NULL));
  return kernel;
}

/* Of one kernel with one output, which are released with the operands. */
static gpuarr_expr* applied(gpuarr_elementwise* kernel, gpuarr_expr** operands, int32_t count) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_elementwise(&out, 1, kernel, (gpuarr_expr_list)operands, count));
  gpuarr_elementwise_release(kernel);
  for (int32_t k = 0; k < count; ++k) gpuarr_expr_release(operands[k]);
  return out;
}

static gpuarr_expr* reduced(gpuarr_reduction* kernel, gpuarr_expr** operands, int32_t count) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_reduction(&out, 1, kernel, (gpuarr_expr_list)operands, count, NULL,
                                  GPUARR_ALL_AXES, 0));
  gpuarr_reduction_release(kernel);
  for (int32_t k = 0; k < count; ++k) gpuarr_expr_release(operands[k]);
  return out;
}

static gpuarr_expr* scanned(const char* name, gpuarr_expr* x, int32_t axis, int32_t exclusive) {
  gpuarr_expr* out = NULL;
  assert_ok(gpuarr_expr_scan(&out, name, x, axis, exclusive));
  gpuarr_expr_release(x);
  return out;
}

static void assert_kernels(gpuarr_expr* x, int count) {
  assert_int_equal(kernels_of((gpuarr_expr_list)&x, 1), count);
}

/* Between two chains it is one kernel, by its text; what it reads of the loop is its own. */
static void joins_chains(void** state) {
  (void)state;
  const struct {
    const char* in_params;
    const char* body;
    int kernels;
  } cases[] = {
      {"T x, float64 bound", "if (x > bound) { z = x; return; } z = -x", 1},
      {"T x, float64 bound",
       "/* i, n */ for (int k = 0; k < 2; ++k) { z = -x; if (x > bound) z = "
       "x; if (k == 0) continue; }",
       1},
      {"T x, raw T bound", "z = x > bound[0] ? x : -x", 3},
      {"T x, float64 bound", "z = x > bound ? x : i < 0 ? 0 : -x", 3},
      {"T x, float64 bound", "z = x > bound ? x : n < 0 ? 0 : -x", 3},
      {"T x, float64 bound", "z = x > bound ? x : _ind.size() < 0 ? 0 : -x", 3},
      {"T x, float64 n", "z = x > n ? x : -x", 1},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    gpuarr_array *x = ramp(GPUARR_F64, 4), *bound = line(GPUARR_F64, 1);
    assert_ok(gpuarr_array_fill(bound, gpuarr_arg_i64(3), NULL));
    gpuarr_expr* chain = expr_binary("multiply", expr_leaf(x), expr_leaf(x));
    gpuarr_expr* operands[] = {
        chain, strstr(cases[k].in_params, "raw") != NULL ? expr_leaf(bound) : expr_number(3)};
    gpuarr_expr* y = applied(kernel_of(cases[k].in_params, "T z", cases[k].body), operands, 2);
    gpuarr_expr* z = expr_binary("add", y, expr_whole(1));
    assert_kernels(z, cases[k].kernels);
    gpuarr_array* out = value_of_expr(z);
    assert_values(out, 4, (const double[]){1, 0, 5, 10});
    release_arrays((gpuarr_array*[]){x, bound, out}, 3);
  }
}

/* Both outputs of one kernel, together and alone, inlined and not. */
static void gives_several_outputs(void** state) {
  (void)state;
  const char* const bodies[] = {"high = x > y ? x : y; low = x > y ? y : x",
                                "high = x > y ? x : y; low = x > y ? y : x; if (i < 0) low = 0"};
  for (int k = 0; k < 2; ++k) {
    gpuarr_array *x = ramp(GPUARR_F32, 4), *y = line(GPUARR_F32, 4), *out[2] = {NULL};
    assert_ok(gpuarr_array_fill(y, gpuarr_arg_i64(2), NULL));
    gpuarr_elementwise* kernel = kernel_of("T x, T y", "T high, float64 low", bodies[k]);
    gpuarr_expr *operands[] = {expr_leaf(x), expr_leaf(y)}, *both[2];
    assert_ok(gpuarr_expr_elementwise(both, 2, kernel, (gpuarr_expr_list)operands, 2));
    assert_int_equal(gpuarr_expr_dtype(both[1]), GPUARR_F64);
    assert_kernels(both[1], 1);
    assert_int_equal(kernels_of((gpuarr_expr_list)both, 2), 1);
    assert_ok(gpuarr_evaluate(out, (gpuarr_expr_list)both, 2, NULL));
    assert_values(out[0], 4, (const double[]){2, 2, 2, 3});
    assert_values(out[1], 4, (const double[]){0, 1, 2, 2});
    replace(&out[1], value_of_expr(expr_reduced("sum", both[1])));
    assert_values(out[1], 1, (const double[]){5});
    gpuarr_expr_release(both[0]);
    gpuarr_expr_release(operands[0]);
    gpuarr_expr_release(operands[1]);
    gpuarr_elementwise_release(kernel);
    release_arrays((gpuarr_array*[]){x, y, out[0], out[1]}, 4);
  }
}

/* Two kernels whose preambles name the same things. */
static void keeps_preambles_apart(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F64, 3);
  gpuarr_expr* sum = expr_leaf(x);
  for (int k = 0; k < 2; ++k) {
    gpuarr_kernel_options* options = NULL;
    gpuarr_elementwise* kernel = NULL;
    assert_ok(gpuarr_kernel_options_create(&options));
    assert_ok(gpuarr_kernel_options_set_preamble(
        options, k == 0 ? "__device__ double f(double x) { return 2 * x; }"
                        : "__device__ double f(double x) { return x + 10; }"));
    assert_ok(gpuarr_elementwise_create(&kernel, "T f0", "T z", "z = f(f0)", options));
    gpuarr_kernel_options_release(options);
    sum = applied(kernel, &sum, 1);
  }
  assert_kernels(sum, 1);
  gpuarr_array* out = value_of_expr(sum);
  assert_values(out, 3, (const double[]){10, 12, 14});
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

/* A chain into a reduction of one's own, what follows behind it; one that reads _J is alone. */
static void reduces_chains(void** state) {
  (void)state;
  const char* const maps[] = {"(x - y) * (x - y) * weight",
                              "(x - y) * (x - y) * weight + (_J < 0)"};
  for (int k = 0; k < 2; ++k) {
    gpuarr_array *x = ramp(GPUARR_F64, 4), *y = line(GPUARR_F64, 4);
    gpuarr_expr* operands[] = {expr_binary("multiply", expr_leaf(x), expr_whole(2)), expr_leaf(y),
                               expr_number(0.5)};
    gpuarr_expr* sum = reduced(reduction_of("T x, T y, float64 weight", "T out", maps[k], "a + b",
                                            "out = sqrt(a / n)", "0"),
                               operands, 3);
    gpuarr_expr* more = expr_binary("add", sum, expr_whole(1));
    assert_kernels(more, k == 0 ? 1 : 3);
    gpuarr_array* out = value_of_expr(more);
    assert_close(value_of(out), 1 + sqrt(0.5 * 56 / 4), 1e-14);
    release_arrays((gpuarr_array*[]){x, y, out}, 3);
  }
}

static void reduces_structs_along_an_axis(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  gpuarr_reduction* kernel = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_preamble(options, "struct Span { T low, high; };"));
  assert_ok(gpuarr_kernel_options_set_reduce_type(options, "Span"));
  assert_ok(gpuarr_reduction_create(
      &kernel, "T x", "T out", "Span{x, x}",
      "Span{a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high}",
      "out = a.high - a.low", NULL, options));
  gpuarr_kernel_options_release(options);
  gpuarr_array* x = zeros(GPUARR_F32, 2, (const int64_t[]){2, 3});
  const float data[] = {1, 5, 2, 7, 7, 3};
  assert_ok(gpuarr_array_write(x, NULL, data, sizeof data, NULL));
  gpuarr_expr *square = expr_unary("square", expr_leaf(x)), *span = NULL;
  const int32_t axis = -1;
  assert_ok(gpuarr_expr_reduction(&span, 1, kernel, (gpuarr_expr_list)&square, 1, &axis, 1, 1));
  assert_int_equal(gpuarr_expr_ndim(span), 2);
  assert_int_equal(gpuarr_expr_shape(span)[1], 1);
  gpuarr_expr* parts = expr_binary("divide", square, span);
  assert_kernels(parts, 2);
  gpuarr_array* out = value_of_expr(parts);
  assert_floats(out, 6,
                (const float[]){1 / 24.f, 25 / 24.f, 4 / 24.f, 49 / 40.f, 49 / 40.f, 9 / 40.f});
  gpuarr_reduction_release(kernel);
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

static void scans_chains(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F32, 5);
  gpuarr_expr* squares = expr_binary("multiply", expr_leaf(x), expr_leaf(x));
  gpuarr_expr* sums = scanned("cumsum", squares, 0, 0);
  assert_kernels(sums, 1);
  gpuarr_expr* more = expr_binary("add", sums, expr_leaf(x));
  assert_kernels(more, 2);
  gpuarr_array* out = value_of_expr(more);
  assert_values(out, 5, (const double[]){0, 2, 7, 17, 34});
  replace(&out, value_of_expr(scanned("cumsum", expr_leaf(x), 0, 1)));
  assert_values(out, 5, (const double[]){0, 0, 1, 3, 6});
  replace(&out, value_of_expr(scanned("cummax", expr_unary("negative", expr_leaf(x)), -1, 0)));
  assert_values(out, 5, (const double[]){0, 0, 0, 0, 0});
  gpuarr_array* whole = ramp(GPUARR_I32, 4);
  gpuarr_expr* products =
      scanned("cumprod", expr_binary("add", expr_leaf(whole), expr_whole(1)), 0, 0);
  assert_int_equal(gpuarr_expr_dtype(products), GPUARR_I64);
  replace(&out, value_of_expr(products));
  assert_values(out, 4, (const double[]){1, 2, 6, 24});
  /* A reduction of what was scanned, and one that is scanned. */
  replace(&out, value_of_expr(expr_reduced("sum", scanned("cumsum", expr_leaf(x), 0, 0))));
  assert_values(out, 1, (const double[]){20});
  release_arrays((gpuarr_array*[]){x, whole, out}, 3);
}

static void are_functions_of_inputs(void** state) {
  (void)state;
  gpuarr_expr *x = NULL, *scaled = NULL, *sums = NULL, *top = NULL;
  assert_ok(gpuarr_expr_input(&x, 0));
  gpuarr_elementwise* kernel = kernel_of("T x", "T z", "z = 2 * x");
  assert_ok(gpuarr_expr_elementwise(&scaled, 1, kernel, (gpuarr_expr_list)&x, 1));
  gpuarr_elementwise_release(kernel); /* the expression keeps it */
  assert_ok(gpuarr_expr_scan(&sums, "cumsum", scaled, 0, 0));
  gpuarr_reduction* reduction = reduction_of("T x", "T out", "x", "a > b ? a : b", "", NULL);
  assert_ok(gpuarr_expr_reduction(&top, 1, reduction, (gpuarr_expr_list)&sums, 1, NULL,
                                  GPUARR_ALL_AXES, 0));
  gpuarr_reduction_release(reduction);
  gpuarr_function* f = NULL;
  assert_ok(gpuarr_function_create(&f, (gpuarr_expr_list)&top, 1));
  gpuarr_expr* all[] = {x, scaled, sums, top};
  for (int k = 0; k < 4; ++k) gpuarr_expr_release(all[k]);
  for (int k = 0; k < 2; ++k) {
    gpuarr_array *in = ramp(k == 0 ? GPUARR_F32 : GPUARR_I64, 4), *out = NULL;
    assert_ok(gpuarr_function_call(f, &out, 1, (gpuarr_arg[]){gpuarr_arg_array(in)}, 1, NULL));
    assert_values(out, 1, (const double[]){12});
    release_arrays((gpuarr_array*[]){in, out}, 2);
  }
  gpuarr_function_release(f);
}

static void tells_mistakes(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *y = ramp(GPUARR_F64, 4);
  gpuarr_expr *operands[] = {expr_leaf(x), expr_leaf(y)}, *out = NULL, *number = expr_number(1);
  gpuarr_expr_list list = (gpuarr_expr_list)operands;
  gpuarr_elementwise* kernel = kernel_of("T x, T y", "T z", "z = x + y");
  assert_status(gpuarr_expr_elementwise(&out, 1, kernel, list, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("there are 1 operands, but elementwise takes 2");
  assert_status(gpuarr_expr_elementwise(&out, 1, kernel, list, 2), GPUARR_ERR_DTYPE);
  assert_message_has("in elementwise(float32 (3,), float64 (4,))");
  assert_status(gpuarr_expr_elementwise(&out, 2, kernel, list, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("output_count is 2, but the kernel has 1 outputs");
  assert_status(gpuarr_expr_elementwise(NULL, 1, kernel, list, 2), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_expr_elementwise(&out, 1, NULL, list, 2), GPUARR_ERR_ARGUMENT);
  gpuarr_elementwise_release(kernel);
  kernel = kernel_of("T x, U y", "T z", "z = x + y");
  assert_status(gpuarr_expr_elementwise(&out, 1, kernel, list, 2), GPUARR_ERR_BROADCAST);
  gpuarr_elementwise_release(kernel);
  kernel = kernel_of("T x", "", "");
  assert_status(gpuarr_expr_elementwise(&out, 0, kernel, list, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("has no outputs");
  gpuarr_elementwise_release(kernel);
  kernel = kernel_of("T x", "T z", "z = x");
  assert_status(gpuarr_expr_elementwise(&out, 1, kernel, (gpuarr_expr_list)&number, 1),
                GPUARR_ERR_ARGUMENT);
  gpuarr_elementwise_release(kernel);
  gpuarr_reduction* reduction = reduction_of("T x", "T z", "x", "a + b", "", NULL);
  const int32_t axis = 1;
  assert_status(gpuarr_expr_reduction(&out, 1, reduction, list, 1, &axis, 1, 0), GPUARR_ERR_AXIS);
  assert_status(gpuarr_expr_reduction(&out, 1, reduction, list, 2, NULL, GPUARR_ALL_AXES, 0),
                GPUARR_ERR_ARGUMENT);
  gpuarr_array* none = line(GPUARR_F32, 0);
  gpuarr_expr* empty = expr_leaf(none);
  assert_status(gpuarr_expr_reduction(&out, 1, reduction, (gpuarr_expr_list)&empty, 1, NULL,
                                      GPUARR_ALL_AXES, 0),
                GPUARR_ERR_EMPTY);
  gpuarr_reduction_release(reduction);
  assert_status(gpuarr_expr_scan(&out, "cumsum", operands[0], 1, 0), GPUARR_ERR_AXIS);
  assert_message_has("in cumsum(float32 (3,))");
  assert_status(gpuarr_expr_scan(&out, "cumsam", operands[0], 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("there is no scan \"cumsam\"");
  assert_status(gpuarr_expr_scan(&out, "cumsum", operands[0], 0, 2), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_expr_scan(&out, "cumsum", number, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_null(out);
  for (int k = 0; k < 2; ++k) gpuarr_expr_release(operands[k]);
  gpuarr_expr_release(number);
  gpuarr_expr_release(empty);
  release_arrays((gpuarr_array*[]){x, y, none}, 3);
}

/* What does not compile is told in the user's own lines, also as a part of another kernel. */
static void tells_lines(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out = NULL;
  gpuarr_expr* leaf = expr_leaf(x);
  gpuarr_expr* fine = applied(kernel_of("T x", "T z", "z = x;\nz = 2 * x;"), &leaf, 1);
  gpuarr_expr* y = applied(kernel_of("T x", "T z", "z = x;\nz = no_such_thing;"), &fine, 1);
  gpuarr_expr* sum = expr_reduced("sum", y);
  const gpuarr_status status = gpuarr_evaluate(&out, (gpuarr_expr_list)&sum, 1, NULL);
  if (status != GPUARR_ERR_NO_COMPILER) {
    assert_status(status, GPUARR_ERR_COMPILE);
    assert_message_has("body of elementwise");
    assert_message_has("z = no_such_thing;");
  }
  gpuarr_expr_release(sum);
  gpuarr_array_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joins_chains),
      cmocka_unit_test(gives_several_outputs),
      cmocka_unit_test(keeps_preambles_apart),
      cmocka_unit_test(reduces_chains),
      cmocka_unit_test(reduces_structs_along_an_axis),
      cmocka_unit_test(scans_chains),
      cmocka_unit_test(are_functions_of_inputs),
      cmocka_unit_test(tells_mistakes),
      cmocka_unit_test(tells_lines),
  };
  return run_suite(tests);
}
