/* Kernels of rows and small matrices: the principal stresses of many stress tensors, by one thread
 * each, and running means of rows, by whatever the rows' length suits. */
#include "example.h"

enum { POINTS = 20000, ROWS = 50, COLUMNS = 2000, WIDTH = 7 };

static double stress[POINTS][3][3], principal[POINTS][3];
static float series[ROWS][COLUMNS], means[ROWS][COLUMNS];

/* Eigenvalues of a symmetric matrix, by the angle that its characteristic polynomial gives. */
static const char* const eigenvalues =
    "const T q = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;\n"
    "const T d0 = a(0, 0) - q, d1 = a(1, 1) - q, d2 = a(2, 2) - q;\n"
    "const T s = a(0, 1), t = a(0, 2), u = a(1, 2);\n"
    "const T p = sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2 * (s * s + t * t + u * u)) / 6);\n"
    "const T det = d0 * (d1 * d2 - u * u) - s * (s * d2 - u * t) + t * (s * u - d1 * t);\n"
    "const T r = p > 0 ? det / (2 * p * p * p) : 0;\n"
    "const T angle = acos(r > 1 ? T(1) : r < -1 ? T(-1) : r) / 3;\n"
    "w(2) = q + 2 * p * cos(angle);\n"
    "w(0) = q + 2 * p * cos(angle + T(2.0943951023931954923)); // 2/3 pi\n"
    "w(1) = 3 * q - w(0) - w(2);";

/* Each thread of the group has some of a row's elements. */
static const char* const running_mean =
    "for (int j = group.rank(); j < n; j += group.size()) {\n"
    "  const int first = j < width ? 0 : j - width + 1;\n"
    "  T sum = 0;\n"
    "  for (int k = first; k <= j; ++k) sum += x(k);\n"
    "  y(j) = sum / (j - first + 1);\n"
    "}";

static double characteristic(double (*a)[3], double w) {
  double x = a[0][0] - w, y = a[1][1] - w, z = a[2][2] - w;
  return x * (y * z - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * z - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - y * a[2][0]);
}

static void check_answers(void) {
  for (int k = 0; k < POINTS; ++k)
    for (int j = 0; j < 3; ++j)
      expect(characteristic(stress[k], principal[k][j]), 0, 1e-10, "characteristic polynomial", k);
  for (int row = 0; row < ROWS; ++row)
    for (int j = 0; j < COLUMNS; ++j) {
      int first = j < WIDTH ? 0 : j - WIDTH + 1;
      double sum = 0;
      for (int k = first; k <= j; ++k) sum += series[row][k];
      expect(means[row][j], sum / (j - first + 1), 1e-4, "running mean", row * COLUMNS + j);
    }
}

int main(void) {
  for (int k = 0; k < POINTS; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j)
        stress[k][i][j] = stress[k][j][i] = sin(k + 3 * i + j) + (i == j ? 2 : 0);
  for (int k = 0; k < ROWS * COLUMNS; ++k) series[k / COLUMNS][k % COLUMNS] = (float)(k * 7 % 31);
  gpuarr_device* device;
  gpuarr_gufunc *eigen, *mean;
  gpuarr_array *a, *x, *w = NULL, *y = NULL;
  int64_t tensors[] = {POINTS, 3, 3}, rows[] = {ROWS, COLUMNS};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_array_from_host(&a, device, GPUARR_F64, 3, tensors, NULL, stress, sizeof stress,
                               NULL));
  check(gpuarr_array_from_host(&x, device, GPUARR_F32, 2, rows, NULL, series, sizeof series, NULL));

  check(gpuarr_gufunc_create(&eigen, "(3,3)->(3)", "T a", "T w", eigenvalues, GPUARR_GROUP_THREAD,
                             GPUARR_ORDER_C, NULL));
  check(gpuarr_gufunc_create(&mean, "(n),()->(n)", "T x, int32 width", "T y", running_mean,
                             GPUARR_GROUP_AUTO, GPUARR_ORDER_C, NULL));
  gpuarr_arg of_tensors[] = {gpuarr_arg_array(a)};
  gpuarr_arg of_rows[] = {gpuarr_arg_array(x), gpuarr_arg_i32(WIDTH)};
  check(gpuarr_gufunc_call(eigen, &w, 1, of_tensors, 1, NULL));
  check(gpuarr_gufunc_call(mean, &y, 1, of_rows, 2, NULL));
  check(gpuarr_array_read(principal, sizeof principal, NULL, w, NULL));
  check(gpuarr_array_read(means, sizeof means, NULL, y, NULL));

  check_answers();
  printf("the first: %.4f %.4f %.4f\n", principal[0][0], principal[0][1], principal[0][2]);
  printf("ok: principal stresses of %d tensors and running means of %d series on %s\n", POINTS,
         ROWS, gpuarr_device_name(device));
  gpuarr_gufunc_release(eigen);
  gpuarr_gufunc_release(mean);
  gpuarr_array* const arrays[] = {a, x, w, y};
  for (int k = 0; k < 4; ++k) gpuarr_array_release(arrays[k]);
  return 0;
}
