/* Equations, least squares, inverses, determinants and ranks of small matrices, and what is
 * refused. NumPy's results for random ones are in tests/numpy/decompositions.py. */
#include <math.h>

#include "arrays.h"
#include "factors.h"

static const double regular[] = {2, 1, 1, 3};

static void equations(void** state) {
  (void)state;
  gpuarr_array *a = matrix(GPUARR_F64, 2, 2, regular), *x = NULL, *many = NULL;
  gpuarr_array* b = from(GPUARR_F64, 1, (int64_t[]){2}, (double[]){3, 4});
  assert_ok(gpuarr_solve(&x, a, b, NULL, NULL));
  assert_shape(x, 1, (int64_t[]){2});
  assert_near(x, (double[]){1, 1}, 2);
  assert_ok(gpuarr_solve(&b, a, b, NULL, NULL)); /* in place */
  assert_near(b, (double[]){1, 1}, 2);
  /* one matrix for a stack of right sides */
  replace(&b, from(GPUARR_F64, 3, (int64_t[]){2, 2, 1}, (double[]){3, 4, 5, 5}));
  assert_ok(gpuarr_solve(&many, a, b, NULL, NULL));
  assert_shape(many, 3, (int64_t[]){2, 2, 1});
  assert_near(many, (double[]){1, 1, 2, 1}, 4);
  /* several for one right side, and codes for each */
  replace(&a, from(GPUARR_F64, 3, (int64_t[]){2, 2, 2}, (double[]){2, 1, 1, 3, 1, 2, 2, 4}));
  replace(&b, matrix(GPUARR_F64, 2, 1, (double[]){3, 4}));
  gpuarr_array *info = NULL, *some = NULL;
  assert_ok(gpuarr_solve(&some, a, b, &info, NULL));
  assert_values(info, 2, (double[]){0, 2});
  double* values = doubles_of(some);
  assert_close(values[0], 1, 1e-13);
  assert_close(values[1], 1, 1e-13);
  free(values);
  release_arrays((gpuarr_array*[]){a, b, x, many, info, some}, 6);
}

static void mixed_types(void** state) {
  (void)state;
  gpuarr_array* a = from(GPUARR_I32, 2, (int64_t[]){2, 2}, (int32_t[]){2, 0, 0, 4});
  gpuarr_array* b = from(GPUARR_C64, 1, (int64_t[]){2}, (float[]){2, 4, 4, 8});
  gpuarr_array* x = NULL;
  assert_ok(gpuarr_solve(&x, a, b, NULL, NULL));
  assert_int_equal(gpuarr_array_dtype(x), GPUARR_C128);
  double values[4];
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, x, NULL));
  const double expected[] = {1, 2, 1, 2};
  for (int k = 0; k < 4; ++k) assert_close(values[k], expected[k], 1e-13);
  release_arrays((gpuarr_array*[]){a, b, x}, 3);
}

static void triangles(void** state) {
  (void)state;
  gpuarr_array *a = matrix(GPUARR_F64, 2, 2, (double[]){2, 9, 1, 4}), *x = NULL, *turned = NULL;
  gpuarr_array* b = from(GPUARR_F64, 1, (int64_t[]){2}, (double[]){4, 6});
  assert_ok(gpuarr_solve_triangular(&x, a, b, 0, GPUARR_MATRIX_AS_IT_IS, 0, NULL, NULL));
  assert_near(x, (double[]){2, 1}, 2);
  assert_ok(gpuarr_solve_triangular(&x, a, b, 0, GPUARR_MATRIX_TRANSPOSED, 0, NULL, NULL));
  assert_near(x, (double[]){1.25, 1.5}, 2);
  assert_ok(gpuarr_array_transpose(&turned, a, 0, NULL)); /* read as it lies */
  assert_ok(gpuarr_solve_triangular(&x, turned, b, 1, GPUARR_MATRIX_TRANSPOSED, 0, NULL, NULL));
  assert_near(x, (double[]){2, 1}, 2);
  assert_ok(gpuarr_solve_triangular(&x, a, b, 0, GPUARR_MATRIX_AS_IT_IS, 1, NULL, NULL));
  assert_near(x, (double[]){4, 2}, 2);
  replace(&a, matrix(GPUARR_F64, 2, 2, (double[]){2, 9, 1, 0}));
  assert_status(gpuarr_solve_triangular(&x, a, b, 1, 0, 0, NULL, NULL), GPUARR_ERR_SINGULAR);
  assert_message_has("a is singular: its diagonal element (2,2) is 0");
  release_arrays((gpuarr_array*[]){a, b, x, turned}, 4);
}

static void with_factors(void** state) {
  (void)state;
  gpuarr_array *a = matrix(GPUARR_F64, 2, 2, regular), *l = NULL, *lu = NULL, *pivots = NULL;
  gpuarr_array *b = from(GPUARR_F64, 1, (int64_t[]){2}, (double[]){3, 4}), *x = NULL;
  assert_ok(gpuarr_cholesky(&l, a, 0, NULL, NULL));
  assert_ok(gpuarr_cholesky_solve(&x, l, b, 0, NULL));
  assert_near(x, (double[]){1, 1}, 2);
  replace(&a, matrix(GPUARR_F64, 2, 2, (double[]){1, 3, 2, 1}));
  assert_ok(gpuarr_lu_factor(&lu, &pivots, a, NULL, NULL));
  assert_ok(gpuarr_lu_solve(&x, lu, pivots, b, GPUARR_MATRIX_TRANSPOSED, NULL));
  assert_near(x, (double[]){1, 1}, 2);
  gpuarr_array* wrong = zeros(GPUARR_F64, 1, (int64_t[]){2});
  assert_status(gpuarr_lu_solve(&x, lu, wrong, b, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("pivots is float64; give int32, as lu_factor makes them, or int64");
  replace(&wrong, zeros(GPUARR_I32, 1, (int64_t[]){3}));
  assert_status(gpuarr_lu_solve(&x, lu, wrong, b, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("pivots has shape (3,), but lu has (2, 2), so that it must have (2,)");
  release_arrays((gpuarr_array*[]){a, l, lu, pivots, b, x, wrong}, 7);
}

/* On a GPU the next call that waits tells of it. */
static void pivots_that_are_no_rows(void** state) {
  (void)state;
  const int64_t stack[] = {2, 2};
  gpuarr_array *a = zeros(GPUARR_F64, 3, (int64_t[]){2, 2, 2}), *x = NULL, *pivots;
  gpuarr_array* b = from(GPUARR_F64, 1, (int64_t[]){2}, (double[]){3, 4});
  const int64_t wrong[][4] = {{0, 1, 2, 1}, {0, -1, 0, 1}};
  const char* const says[] = {"pivots has 2 in place 0 of matrix 1, which is no row; give rows",
                              "pivots has -1 in place 1 of matrix 0, which is no row; give rows"};
  assert_ok(gpuarr_array_fill(a, gpuarr_arg_f64(1), NULL));
  for (int k = 0; k < 2; ++k) {
    pivots = from(GPUARR_I64, 2, stack, wrong[k]);
    gpuarr_status status = gpuarr_lu_solve(&x, a, pivots, b, 0, NULL);
    if (status == GPUARR_OK) status = gpuarr_device_synchronize(gpuarr_array_device(a));
    assert_status(status, GPUARR_ERR_INDEX);
    assert_message_has("gpuarr_lu_solve");
    assert_message_has(says[k]);
    gpuarr_array_release(pivots);
  }
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  gpuarr_array_release(x);
}

static void inverses_and_determinants(void** state) {
  (void)state;
  gpuarr_array *a = matrix(GPUARR_F64, 2, 2, regular), *out = NULL, *det = NULL, *log = NULL;
  assert_ok(gpuarr_inv(&out, a, NULL, NULL));
  assert_near(out, (double[]){0.6, -0.2, -0.2, 0.4}, 4);
  assert_ok(gpuarr_det(&det, a, NULL));
  assert_near(det, (double[]){5}, 1);
  replace(&a, matrix(GPUARR_F64, 2, 2, (double[]){0, 1, 1, 0}));
  gpuarr_array* sign = det;
  assert_ok(gpuarr_slogdet(&sign, &log, a, NULL)); /* into a given array, and a new one */
  assert_near(sign, (double[]){-1}, 1);
  assert_near(log, (double[]){0}, 1);
  replace(&a, zeros(GPUARR_F64, 2, (int64_t[]){0, 0}));
  assert_ok(gpuarr_det(&det, a, NULL));
  assert_near(det, (double[]){1}, 1);
  replace(&a, matrix(GPUARR_F64, 2, 2, (double[]){1, 2, 2, 4}));
  assert_status(gpuarr_inv(&out, a, NULL, NULL), GPUARR_ERR_SINGULAR);
  assert_message_has("gpuarr_inv: a is singular: U(2,2) is 0");
  release_arrays((gpuarr_array*[]){a, out, det, log}, 4);
}

static void least_squares(void** state) {
  (void)state;
  gpuarr_array* a = matrix(GPUARR_F64, 3, 2, (double[]){1, 0, 1, 1, 1, 2});
  gpuarr_array* b = from(GPUARR_F64, 1, (int64_t[]){3}, (double[]){1, 2, 4});
  gpuarr_array *x = NULL, *rest = NULL, *rank = NULL, *s = NULL;
  assert_ok(gpuarr_lstsq(&x, &rest, &rank, &s, a, b, -1, NULL, NULL));
  assert_near(x, (double[]){5.0 / 6, 1.5}, 2);
  assert_near(rest, (double[]){1.0 / 6}, 1);
  assert_values(rank, 1, (double[]){2});
  assert_int_equal(gpuarr_array_size(s), 2);
  gpuarr_array *other = NULL, *inverse = NULL;
  assert_ok(gpuarr_lstsq(&other, NULL, NULL, NULL, a, b, 0.9, NULL, NULL));
  assert_ok(gpuarr_matrix_rank(&rank, a, 1.9, NULL, NULL));
  assert_values(rank, 1, (double[]){1});
  assert_ok(gpuarr_pinv(&inverse, a, -1, NULL, NULL));
  assert_near(inverse, (double[]){5.0 / 6, 1.0 / 3, -1.0 / 6, -0.5, 0, 0.5}, 6);
  assert_status(gpuarr_pinv(&inverse, a, NAN, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("rcond is NaN; give a number");
  assert_status(gpuarr_matrix_rank(&rank, a, NAN, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("tol is NaN; give a number");
  release_arrays((gpuarr_array*[]){a, b, x, rest, rank, s, other, inverse}, 8);
}

static void assert_solve_refused(const gpuarr_array* a, const gpuarr_array* b, gpuarr_status status,
                                 const char* says) {
  gpuarr_array* out = NULL;
  assert_status(gpuarr_solve(&out, a, b, NULL, NULL), status);
  assert_message_has("gpuarr_solve: ");
  assert_message_has(says);
  assert_null(out);
}

static void refused(void** state) {
  (void)state;
  const int64_t stack[] = {3, 2, 2}, other[] = {2, 2, 1};
  gpuarr_array *a = zeros(GPUARR_F64, 2, (int64_t[]){2, 3}), *b = line(GPUARR_F64, 2), *out = NULL;
  assert_solve_refused(a, b, GPUARR_ERR_SHAPE,
                       "a has shape (2, 3), but its matrices must be square");
  replace(&a, matrix(GPUARR_F64, 2, 2, (double[]){1, 2, 2, 4}));
  assert_solve_refused(a, b, GPUARR_ERR_SINGULAR, "a is singular: U(2,2) is 0");
  assert_solve_refused(a, NULL, GPUARR_ERR_ARGUMENT, "b is NULL");
  assert_status(gpuarr_solve_triangular(&out, a, b, 0, 3, 0, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("op is 3; give 0, 1 (transposed) or 2 (conjugate transposed)");
  assert_status(gpuarr_solve_triangular(&out, a, b, 2, 0, 0, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("upper is 2; give 1 or 0");
  replace(&b, line(GPUARR_F64, 3));
  assert_solve_refused(a, b, GPUARR_ERR_SHAPE,
                       "b has shape (3,), but a has (2, 2), so that b must have 2 elements");
  replace(&b, zeros(GPUARR_F64, 0, NULL));
  assert_solve_refused(a, b, GPUARR_ERR_SHAPE, "b has shape ()");
  replace(&b, line(GPUARR_BF16, 2));
  assert_solve_refused(a, b, GPUARR_ERR_DTYPE, "b is bfloat16");
  replace(&a, zeros(GPUARR_F64, 3, stack));
  replace(&b, zeros(GPUARR_F64, 3, other));
  assert_solve_refused(a, b, GPUARR_ERR_BROADCAST,
                       "the stacks of a, of shape (3, 2, 2), and of b, of shape (2, 2, 1), do not");
  release_arrays((gpuarr_array*[]){a, b}, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations),
      cmocka_unit_test(mixed_types),
      cmocka_unit_test(triangles),
      cmocka_unit_test(with_factors),
      cmocka_unit_test(pivots_that_are_no_rows),
      cmocka_unit_test(inverses_and_determinants),
      cmocka_unit_test(least_squares),
      cmocka_unit_test(refused),
  };
  skip_without_solver();
  return run_suite(tests);
}
