/* Gufuncs that people write, against naive loops: a cross product, running means, eigenvalues,
 * small systems. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gufuncs.h"

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

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cross_product),
      cmocka_unit_test(a_running_mean),
      cmocka_unit_test(eigenvalues_of_small_matrices),
      cmocka_unit_test(small_systems),
  };
  return run_suite(tests);
}
