/* Gufuncs that people write, against naive loops: a cross product, running means, eigenvalues,
 * small systems; and what calls make of their arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"

static gpuarr_device* device;

static gpuarr_gufunc* make_in(const char* signature, const char* in, const char* out,
                              const char* body, int32_t group, int32_t order) {
  gpuarr_gufunc* f = NULL;
  assert_ok(gpuarr_gufunc_create(&f, signature, in, out, body, group, order, NULL));
  return f;
}

static gpuarr_gufunc* make(const char* signature, const char* in, const char* out,
                           const char* body) {
  return make_in(signature, in, out, body, GPUARR_GROUP_AUTO, GPUARR_ORDER_C);
}

/* Runs a gufunc of one output that it makes, and drops the gufunc. */
static gpuarr_array* run_once(gpuarr_gufunc* f, const gpuarr_arg* inputs, int32_t count) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_gufunc_call(f, &out, 1, inputs, count, NULL));
  gpuarr_gufunc_release(f);
  return out;
}

static gpuarr_array* random_array(int32_t ndim, const int64_t* shape, int64_t count, double* data) {
  for (int64_t k = 0; k < count; ++k) data[k] = 2 * random_unit() - 1;
  return from(GPUARR_F64, ndim, shape, data);
}

static void a_cross_product(void** state) {
  (void)state;
  enum { count = 1000 };
  static double x[3 * count], y[3], expected[3 * count];
  const int64_t shape[] = {count, 3};
  gpuarr_array *a = random_array(2, shape, 3 * count, x), *b = random_array(1, &shape[1], 3, y);
  for (int k = 0; k < count; ++k)
    for (int j = 0; j < 3; ++j)
      expected[3 * k + j] =
          x[3 * k + (j + 1) % 3] * y[(j + 2) % 3] - x[3 * k + (j + 2) % 3] * y[(j + 1) % 3];
  const gpuarr_arg inputs[] = {gpuarr_arg_array(a), gpuarr_arg_array(b)};
  gpuarr_array* c = run_once(make("(3),(3)->(3)", "T a, T b", "T c",
                                  "for (int j = 0; j < 3; ++j)\n"
                                  "  c(j) = a((j + 1) % 3) * b((j + 2) % 3)\n"
                                  "       - a((j + 2) % 3) * b((j + 1) % 3);"),
                             inputs, 2);
  assert_shape(c, 2, shape);
  double* got = doubles_of(c);
  for (int k = 0; k < 3 * count; ++k) assert_close(got[k], expected[k], 1e-14);
  free(got);
  release_arrays((gpuarr_array*[]){a, b, c}, 3);
}

static void a_running_mean(void** state) {
  (void)state;
  enum { rows = 20, columns = 100, width = 5 };
  static double x[rows * columns];
  const int64_t shape[] = {rows, columns};
  gpuarr_array* a = random_array(2, shape, (int64_t)rows * columns, x);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(a), gpuarr_arg_i32(width)};
  gpuarr_array* c = run_once(make("(n),()->(n)", "T x, int32 width", "T y",
                                  "T sum = 0;\n"
                                  "for (int j = 0; j < n; ++j) {\n"
                                  "  sum += x(j);\n"
                                  "  if (j >= width) sum -= x(j - width);\n"
                                  "  y(j) = sum / (j < width ? j + 1 : width);\n"
                                  "}"),
                             inputs, 2);
  assert_shape(c, 2, shape);
  double* got = doubles_of(c);
  for (int row = 0; row < rows; ++row)
    for (int j = 0; j < columns; ++j) {
      const int first = j < width ? 0 : j - width + 1;
      double sum = 0;
      for (int l = first; l <= j; ++l) sum += x[row * columns + l];
      assert_close(got[row * columns + j], sum / (j - first + 1), 1e-12);
    }
  free(got);
  release_arrays((gpuarr_array*[]){a, c}, 2);
}

/* Of symmetric 3 x 3 matrices, by the angle of the characteristic polynomial; the naive way finds
 * the polynomial's value to be 0 there, and their sum the trace. */
static const char* const eigenvalues =
    "const T q = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;\n"
    "const T d0 = a(0, 0) - q, d1 = a(1, 1) - q, d2 = a(2, 2) - q;\n"
    "const T s = a(0, 1), t = a(0, 2), u = a(1, 2);\n"
    "const T p = sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2 * (s * s + t * t + u * u)) / 6);\n"
    "const T det = d0 * (d1 * d2 - u * u) - s * (s * d2 - u * t) + t * (s * u - d1 * t);\n"
    "const T r = p > 0 ? det / (2 * p * p * p) : 0;\n"
    "const T angle = acos(r > 1 ? T(1) : r < -1 ? T(-1) : r) / 3;\n"
    "w(2) = q + 2 * p * cos(angle);\n"
    "w(0) = q + 2 * p * cos(angle + T(2.0943951023931954923));\n"
    "w(1) = 3 * q - w(0) - w(2);";

static double characteristic(const double* a, double w) {
  const double x = a[0] - w, y = a[4] - w, z = a[8] - w;
  return x * (y * z - a[5] * a[7]) - a[1] * (a[3] * z - a[5] * a[6]) +
         a[2] * (a[3] * a[7] - y * a[6]);
}

static void eigenvalues_of_small_matrices(void** state) {
  (void)state;
  enum { count = 500 };
  static double x[9 * count];
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) x[9 * k + 3 * i + j] = x[9 * k + 3 * j + i] = random_unit();
  const int64_t shape[] = {count / 5, 5, 3, 3};
  gpuarr_array* a = from(GPUARR_F64, 4, shape, x);
  const gpuarr_arg input = gpuarr_arg_array(a);
  gpuarr_array* w = run_once(make("(3,3)->(3)", "T a", "T w", eigenvalues), &input, 1);
  assert_shape(w, 3, shape);
  double* got = doubles_of(w);
  for (int k = 0; k < count; ++k) {
    for (int j = 0; j < 3; ++j) assert_close(characteristic(&x[9 * k], got[3 * k + j]), 0, 1e-12);
    assert_close(got[3 * k] + got[3 * k + 1] + got[3 * k + 2],
                 x[9 * k] + x[9 * k + 4] + x[9 * k + 8], 1e-13);
    assert_true(got[3 * k] <= got[3 * k + 1] && got[3 * k + 1] <= got[3 * k + 2]);
  }
  free(got);
  release_arrays((gpuarr_array*[]){a, w}, 2);
}

/* Gaussian elimination with pivots, in an array of the thread's own. */
static void small_systems(void** state) {
  (void)state;
  enum { count = 200, size = 4 };
  static double a[count * size * size], b[count * size];
  const int64_t shape[] = {count, size, size};
  gpuarr_array* m = random_array(3, shape, count * size * size, a);
  gpuarr_array* v = random_array(2, shape, count * size, b);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(m), gpuarr_arg_array(v)};
  gpuarr_array* x = run_once(
      make("(n,n),(n)->(n)", "T a, T b", "T x",
           "T m[n][n + 1];\n"
           "for (int i = 0; i < n; ++i) {\n"
           "  for (int j = 0; j < n; ++j) m[i][j] = a(i, j);\n"
           "  m[i][n] = b(i);\n"
           "}\n"
           "for (int c = 0; c < n; ++c) {\n"
           "  int p = c;\n"
           "  for (int i = c + 1; i < n; ++i) if (fabs(m[i][c]) > fabs(m[p][c])) p = i;\n"
           "  for (int j = c; j <= n; ++j) { T t = m[c][j]; m[c][j] = m[p][j]; m[p][j] = t; }\n"
           "  for (int i = c + 1; i < n; ++i) {\n"
           "    const T by = m[i][c] / m[c][c];\n"
           "    for (int j = c; j <= n; ++j) m[i][j] -= by * m[c][j];\n"
           "  }\n"
           "}\n"
           "for (int i = n - 1; i >= 0; --i) {\n"
           "  T s = m[i][n];\n"
           "  for (int j = i + 1; j < n; ++j) s -= m[i][j] * x(j);\n"
           "  x(i) = s / m[i][i];\n"
           "}"),
      inputs, 2);
  double* got = doubles_of(x);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < size; ++i) {
      double sum = -b[size * k + i], scale = 1;
      for (int j = 0; j < size; ++j) {
        sum += a[(k * size + i) * size + j] * got[size * k + j];
        scale = fmax(scale, fabs(got[size * k + j]));
      }
      assert_close(sum / scale, 0, 1e-11);
    }
  free(got);
  release_arrays((gpuarr_array*[]){m, v, x}, 3);
}

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
      cmocka_unit_test(a_cross_product),
      cmocka_unit_test(a_running_mean),
      cmocka_unit_test(eigenvalues_of_small_matrices),
      cmocka_unit_test(small_systems),
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
