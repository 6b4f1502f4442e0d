/* Reductions along one axis: the Euclidean norm of every row and of every column of a matrix. */
#include "formula.h"

enum { ROWS = 1000, COLUMNS = 257 };

static float matrix[ROWS][COLUMNS];

/* The same by plain loops: of the columns for axis 0, of the rows for axis 1. */
static void plain_norms(double* norms, int axis) {
  for (int k = 0; k < (axis == 0 ? COLUMNS : ROWS); ++k) norms[k] = 0;
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j)
      norms[axis == 0 ? j : i] += (double)matrix[i][j] * matrix[i][j];
  for (int k = 0; k < (axis == 0 ? COLUMNS : ROWS); ++k) norms[k] = sqrt(norms[k]);
}

static void check_norms(const gpuarr_array* array, int axis) {
  float norms[ROWS];
  double wanted[ROWS];
  plain_norms(wanted, axis);
  check(gpuarr_array_read(norms, sizeof norms, NULL, array, NULL));
  for (int k = 0; k < (axis == 0 ? COLUMNS : ROWS); ++k)
    expect(norms[k], wanted[k], 1e-5 * wanted[k], axis == 0 ? "column" : "row", k);
}

int main(void) {
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) matrix[i][j] = (float)((7 * i + 3 * j) % 23 - 11);

  gpuarr_device* device;
  gpuarr_reduction* norm;
  gpuarr_array *x, *transposed, *of_columns = NULL, *of_rows = NULL, *again = NULL;
  gpuarr_array* of_squares = NULL;
  int64_t shape[] = {ROWS, COLUMNS};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_reduction_create(&norm, "T x", "T y", "x * x", "a + b", "y = sqrt(a)", NULL, NULL));
  check(
      gpuarr_array_from_host(&x, device, GPUARR_F32, 2, shape, NULL, matrix, sizeof matrix, NULL));

  int32_t first = 0, last = -1;
  gpuarr_arg input = gpuarr_arg_array(x);
  check(gpuarr_reduction_call(norm, &of_columns, 1, &input, 1, &first, 1, 0, NULL));
  check(gpuarr_reduction_call(norm, &of_rows, 1, &input, 1, &last, 1, 0, NULL));
  check_norms(of_columns, 0);
  check_norms(of_rows, 1);

  /* A view is as good as an array, and as fast: the transpose's first axis is the matrix' last. */
  check(gpuarr_array_transpose(&transposed, x, 0, NULL));
  input = gpuarr_arg_array(transposed);
  check(gpuarr_reduction_call(norm, &again, 1, &input, 1, &first, 1, 0, NULL));
  check_norms(again, 1);

  /* The same as an expression, also one pass over the matrix. */
  Expr squares = reduce_rows("sum", call("square", of(x), NULL), 0);
  Expr root = call("sqrt", squares, NULL);
  expect_kernels(&root, 1, 1);
  evaluate(&of_squares, &root, 1);
  check_norms(of_squares, 1);

  printf("ok: norms of %d rows and %d columns on %s\n", ROWS, COLUMNS, gpuarr_device_name(device));
  gpuarr_array_release(of_squares);
  gpuarr_array_release(again);
  gpuarr_array_release(transposed);
  gpuarr_array_release(of_rows);
  gpuarr_array_release(of_columns);
  gpuarr_array_release(x);
  gpuarr_reduction_release(norm);
  return 0;
}
