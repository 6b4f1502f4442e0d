/* What calls of gufuncs make of their arrays: dimensions that are missing, outputs, work in place,
 * prepared calls, threads, the source. */
#include <string.h>

#include "gufuncs.h"

static gpuarr_device* device;

/* matmul's four forms by which dimensions are there. */
static void dimensions_that_are_missing(void** state) {
  (void)state;
  const float data[] = {1, 2, 3, 4, 5, 6};
  const int64_t two_three[] = {2, 3}, three_two[] = {3, 2};
  gpuarr_array *a = from(GPUARR_F32, 2, two_three, data), *b = from(GPUARR_F32, 2, three_two, data);
  gpuarr_array* v = floats(3, data);
  gpuarr_array* const forms[][2] = {{a, b}, {v, b}, {a, v}, {v, v}};
  const float expected[][4] = {{22, 28, 49, 64}, {22, 28}, {14, 32}, {14}};
  const int64_t shapes[][2] = {{2, 2}, {2}, {2}, {0}};
  const int32_t ndims[] = {2, 1, 1, 0}, counts[] = {4, 2, 2, 1};
  for (int form = 0; form < 4; ++form) {
    const gpuarr_arg inputs[] = {gpuarr_arg_array(forms[form][0]),
                                 gpuarr_arg_array(forms[form][1])};
    gpuarr_array* c = run_once(make(" ( m? , k ) , ( k , n? ) -> ( m? , n? ) ", "T a, T b", "T c",
                                    "for (int i = 0; i < m; ++i)\n"
                                    "  for (int j = 0; j < n; ++j) {\n"
                                    "    T s = 0;\n"
                                    "    for (int l = 0; l < k; ++l) s += a(i, l) * b(l, j);\n"
                                    "    c(i, j) = s;\n"
                                    "  }"),
                               inputs, 2);
    assert_shape(c, ndims[form], shapes[form]);
    assert_floats(c, counts[form], expected[form]);
    gpuarr_array_release(c);
  }
  release_arrays((gpuarr_array*[]){a, b, v}, 3);
}

static void scalars_and_constants(void** state) {
  (void)state;
  /* A fixed size and a small one are constants, a view tells its shape. */
  gpuarr_array* x = ramp(GPUARR_F32, 6);
  gpuarr_array* rows = NULL;
  const int64_t shape[] = {2, 3};
  assert_ok(gpuarr_array_reshape(&rows, x, 2, shape));
  const gpuarr_arg inputs[] = {gpuarr_arg_array(rows), gpuarr_arg_f64(0.5)};
  gpuarr_array* y =
      run_once(make("(n),()->(2)", "float32 x, float32 a", "float32 y",
                    "static_assert(n == 3, \"\");\ny(0) = x.shape()[0] + x.size() + y.shape()[0];\n"
                    "if (x(0) > 0) { y(1) = a; return; }\ny(1) = x(n - 1) * x.strides()[0];"),
               inputs, 2);
  assert_floats(y, 4, (const float[]){8, 2, 8, 0.5F});
  release_arrays((gpuarr_array*[]){x, rows, y}, 3);
}

/* Names that no input has; one that is given with another size than the inputs would have. */
static void outputs_that_are_given(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 4), *y = line(GPUARR_F32, 3);
  gpuarr_gufunc* f = make("(n)->(p)", "T x", "T y",
                          "for (int j = 0; j < p; ++j) { y(j) += j; for (int l = 0; l < n; ++l) "
                          "y(j) += x(l); }");
  const gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_array* made = NULL;
  assert_status(gpuarr_gufunc_call(f, &made, 1, &input, 1, NULL), GPUARR_ERR_SHAPE);
  assert_message_has(
      "output 0 (\"y\") has the core (p), and no array tells the size of p; give that output");
  assert_ok(gpuarr_gufunc_call(f, &y, 1, &input, 1, NULL));
  assert_floats(y, 3, (const float[]){6, 7, 8});
  gpuarr_gufunc_release(f);
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

/* Cores in C order, the outer axes as the inputs have them. */
static void where_outputs_lie(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3, 4}, order_f[] = {4, 2, 3};
  for (int32_t order = 0; order < 2; ++order) {
    gpuarr_array *x = NULL, *turned = NULL;
    assert_ok(gpuarr_array_zeros(&x, device, GPUARR_F32, 3, shape, order, NULL));
    const int32_t axes[] = {1, 0, 2}, first[] = {2, 1, 0};
    assert_ok(gpuarr_array_transpose(&turned, x, 3, order == 0 ? axes : first));
    const gpuarr_arg input = gpuarr_arg_array(turned);
    gpuarr_gufunc* f =
        make_in("(n)->(n,2)", "T x", "T y", "for (int j = 0; j < n; ++j) y(j, 0) = y(j, 1) = x(j);",
                GPUARR_GROUP_AUTO, order);
    gpuarr_array* y = run_once(f, &input, 1);
    assert_int_equal(gpuarr_array_ndim(y), 4);
    if (order == GPUARR_ORDER_C) { /* (3, 2, 4, 2); axis 1 is the outermost in memory */
      assert_int_equal(gpuarr_array_strides(y)[0], 8);
      assert_int_equal(gpuarr_array_strides(y)[1], 24);
      assert_int_equal(gpuarr_array_strides(y)[3], 1);
    } else { /* (4, 2, 3, 2), the core first */
      assert_int_equal(gpuarr_array_shape(y)[1], 2);
      assert_int_equal(gpuarr_array_strides(y)[0], 1);
      assert_int_equal(gpuarr_array_strides(y)[1], order_f[0]);
    }
    release_arrays((gpuarr_array*[]){x, turned, y}, 3);
  }
}

static void empty_loops_and_cores(void** state) {
  (void)state;
  const int64_t no_rows[] = {0, 3}, no_columns[] = {2, 0};
  gpuarr_array *x = zeros(GPUARR_F32, 2, no_rows), *y = zeros(GPUARR_F32, 2, no_columns);
  const char* const body = "T s = 7; for (int j = 0; j < n; ++j) s += x(j); y = s;";
  const gpuarr_arg first = gpuarr_arg_array(x), second = gpuarr_arg_array(y);
  gpuarr_array* none = run_once(make("(n)->()", "T x", "T y", body), &first, 1);
  gpuarr_array* sums = run_once(make("(n)->()", "T x", "T y", body), &second, 1);
  assert_shape(none, 1, (const int64_t[]){0});
  assert_floats(sums, 2, (const float[]){7, 7});
  for (int32_t group = -1; group <= 32; group += 33) {
    gpuarr_array* again =
        run_once(make_in("(n)->()", "T x", "T y", body, group, GPUARR_ORDER_C), &second, 1);
    assert_floats(again, 2, (const float[]){7, 7});
    gpuarr_array_release(again);
  }
  release_arrays((gpuarr_array*[]){x, y, none, sums}, 4);
}

/* Each row is turned round in the memory that it is read from. */
static void outputs_on_inputs(void** state) {
  (void)state;
  for (int32_t group = -1; group <= 32; group += 33) {
    gpuarr_array* x = ramp(GPUARR_F32, 6);
    gpuarr_array *low = NULL, *high = NULL;
    const gpuarr_arg input = gpuarr_arg_array(x);
    gpuarr_gufunc* turn = make_in("(n)->(n)", "T x", "T y",
                                  "for (int j = 0; j < n; ++j) y(j) = x(n - 1 - j);", group, 0);
    assert_ok(gpuarr_gufunc_call(turn, &x, 1, &input, 1, NULL));
    assert_floats(x, 6, (const float[]){5, 4, 3, 2, 1, 0});
    gpuarr_call* call = NULL;
    assert_status(gpuarr_gufunc_prepare(&call, turn, &x, 1, &input, 1), GPUARR_ERR_OVERLAP);
    assert_message_has("output 0 (\"y\") overlaps input 0 (\"x\")");
    assert_ok(gpuarr_array_slice(&low, x, 0, 0, 5, 1));
    assert_ok(gpuarr_array_slice(&high, x, 0, 1, 6, 1));
    const gpuarr_arg part = gpuarr_arg_array(low);
    gpuarr_gufunc* add = make_in("()->()", "T x", "T y", "y = x + 10;", group, 0);
    assert_ok(gpuarr_gufunc_call(add, &high, 1, &part, 1, NULL));
    assert_floats(x, 6, (const float[]){5, 15, 14, 13, 12, 11});
    const gpuarr_arg same = gpuarr_arg_array(high);
    assert_ok(gpuarr_gufunc_call(add, &high, 1, &same, 1, NULL));
    assert_floats(x, 6, (const float[]){5, 25, 24, 23, 22, 21});
    gpuarr_gufunc_release(turn);
    gpuarr_gufunc_release(add);
    release_arrays((gpuarr_array*[]){x, low, high}, 3);
  }
}

static void prepared_calls(void** state) {
  (void)state;
  for (int32_t group = -1; group <= 32; group += 33) {
    gpuarr_gufunc* f = make_in("(n),()->()", "T x, T a", "T y",
                               "T s = 0; for (int j = 0; j < n; ++j) s += x(j); y = a * s;", group,
                               GPUARR_ORDER_C);
    const int64_t shape[] = {2, 3};
    const float data[] = {1, 2, 3, 4, 5, 6};
    gpuarr_array *x = from(GPUARR_F32, 2, shape, data), *y = line(GPUARR_F32, 2);
    const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_f32(2)};
    gpuarr_call* call = NULL;
    assert_ok(gpuarr_gufunc_prepare(&call, f, &y, 1, inputs, 2));
    gpuarr_gufunc_release(f);
    assert_ok(gpuarr_call_launch(call, NULL));
    assert_floats(y, 2, (const float[]){12, 30});
    assert_ok(gpuarr_call_set_scalar(call, 1, gpuarr_arg_f32(-1)));
    assert_ok(gpuarr_call_launch(call, NULL));
    assert_floats(y, 2, (const float[]){-6, -15});
    gpuarr_call_release(call);
    release_arrays((gpuarr_array*[]){x, y}, 2);
  }
}

/* Without an array there is one place, on the default device; without inputs the outputs' own. */
static void no_arrays(void** state) {
  (void)state;
  const gpuarr_arg scalar = gpuarr_arg_f32(3);
  gpuarr_array* y =
      run_once(make("()->(2)", "float32 x", "float32 y", "y(0) = x; y(1) = -x;"), &scalar, 1);
  assert_floats(y, 2, (const float[]){3, -3});
  gpuarr_array* z =
      run_once(make("->(3)", "", "float32 z", "for (int j = 0; j < 3; ++j) z(j) = j;"), NULL, 0);
  assert_floats(z, 3, (const float[]){0, 1, 2});
  release_arrays((gpuarr_array*[]){y, z}, 2);
}

static void threads_of_a_block(void** state) {
  (void)state;
  const int sizes[] = {1, 33, 300, 8192, 8193, 16384, 16385, 100000};
  const int32_t threads[] = {32, 64, 256, 256, 512, 512, 1024, 1024};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    gpuarr_array* x = ramp(GPUARR_F32, sizes[k]);
    const gpuarr_arg input = gpuarr_arg_array(x);
    gpuarr_array* y =
        run_once(make_in("(n)->()", "T x", "int32 y", "y = group.sum(1);", GPUARR_GROUP_BLOCK, 0),
                 &input, 1);
    int32_t found = 0;
    assert_ok(gpuarr_array_read(&found, sizeof found, NULL, y, NULL));
    assert_int_equal(found, threads[k]);
    release_arrays((gpuarr_array*[]){x, y}, 2);
  }
}

static void the_source(void** state) {
  (void)state;
  gpuarr_gufunc* f = make("(n)->()", "T x", "T y", "y = group.sum(x[group.rank()]);");
  gpuarr_array *x = ramp(GPUARR_F32, 3), *y = NULL;
  const gpuarr_arg input = gpuarr_arg_array(x);
  const char* source = NULL;
  assert_ok(gpuarr_gufunc_source(&source, f, &y, 1, &input, 1));
  assert_null(y);
  assert_non_null(strstr(source, "y = group.sum(x[group.rank()]);"));
  assert_non_null(strstr(source, "const long long n = 3;"));
  gpuarr_gufunc_release(f);
  f = make_in("(n)->()", "T x", "T y", "y = group.sum(x[group.rank()]);", GPUARR_GROUP_BLOCK, 0);
  assert_ok(gpuarr_gufunc_source(&source, f, &y, 1, &input, 1));
  assert_non_null(strstr(source, "__global__ void __launch_bounds__(256)\ngufunc_kernel("));
  gpuarr_gufunc_release(f);
  gpuarr_array_release(x);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dimensions_that_are_missing),
      cmocka_unit_test(scalars_and_constants),
      cmocka_unit_test(outputs_that_are_given),
      cmocka_unit_test(where_outputs_lie),
      cmocka_unit_test(empty_loops_and_cores),
      cmocka_unit_test(outputs_on_inputs),
      cmocka_unit_test(prepared_calls),
      cmocka_unit_test(no_arrays),
      cmocka_unit_test(threads_of_a_block),
      cmocka_unit_test(the_source),
  };
  return run_suite(tests);
}
