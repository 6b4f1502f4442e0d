/* Ready-made reductions of arrays that several threads, or blocks, share: along rows and columns of
 * each memory order, with many ties. */
#include <math.h>
#include <stdlib.h>

#include "arrays.h"
#include "reducers.h"

enum { rows = 300, columns = 701 };

/* Element (r, c) is values[r * columns + c], wherever it lies. */
static gpuarr_array* lay(const float* values, int transposed) {
  const int64_t shape[] = {rows, columns};
  gpuarr_array *x = from(GPUARR_F32, 2, shape, values), *other = NULL;
  if (!transposed) return x;
  assert_ok(gpuarr_array_contiguous(&other, x, GPUARR_ORDER_F, NULL));
  gpuarr_array_release(x);
  return other;
}

static void compare(const struct reducer* r, const float* values, int32_t axis, int transposed) {
  gpuarr_array *x = lay(values, transposed), *out = NULL;
  const int64_t results = axis == 0 ? columns : rows, length = axis == 0 ? rows : columns;
  assert_ok(r->call(&out, x, &axis, 1, 0, NULL));
  assert_int_equal(gpuarr_array_size(out), results);
  double *actual = doubles_of(out), gathered[rows + columns];
  for (int64_t k = 0; k < results; ++k) {
    for (int64_t j = 0; j < length; ++j)
      gathered[j] = values[axis == 0 ? j * columns + k : k * columns + j];
    double expected = r->expected(gathered, length);
    if (!(fabs(actual[k] - expected) <= 1e-5 * fmax(1, fabs(expected))))
      fail_msg("%s along axis %d, transposed %d, result %d: %.9g, expected %.9g", r->name, axis,
               transposed, (int)k, actual[k], expected);
  }
  free(actual);
  gpuarr_array_release(x);
  gpuarr_array_release(out);
}

static void compare_whole(const struct reducer* r, const float* values, int transposed) {
  static double all[rows * columns];
  gpuarr_array* x = lay(values, transposed);
  for (int k = 0; k < rows * columns; ++k) all[k] = values[k];
  assert_close(reduced(r->name, x), r->expected(all, rows * columns), 1e-5);
  gpuarr_array_release(x);
}

static void both_axes_of_both_orders(void** state) {
  (void)state;
  static const char* const names[] = {"argmin", "argmax", "var", "logsumexp", "norm_2"};
  static float values[rows * columns];
  for (int k = 0; k < rows * columns; ++k) values[k] = (float)random_between(-20, 20);
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    for (int transposed = 0; transposed < 2; ++transposed) {
      compare(reducer_called(names[k]), values, 0, transposed);
      compare(reducer_called(names[k]), values, 1, transposed);
      compare_whole(reducer_called(names[k]), values, transposed);
    }
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_axes_of_both_orders)};
  return run_suite(tests);
}
