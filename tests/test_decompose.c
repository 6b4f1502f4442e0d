/* Factorisations: what they make of small matrices, what they refuse, and what they say. NumPy's
 * results for random ones are in tests/numpy/decompositions.py. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrays.h"
#include "factors.h"

static const double symmetric[] = {4, 2, 2, 2, 5, 3, 2, 3, 6};

static void cholesky(void** state) {
  (void)state;
  gpuarr_array *a = matrix(GPUARR_F64, 3, 3, symmetric), *l = NULL, *u = NULL, *back = NULL;
  assert_ok(gpuarr_cholesky(&l, a, 0, NULL, NULL));
  assert_near(l, (double[]){2, 0, 0, 1, 2, 0, 1, 1, 2}, 9);
  assert_ok(gpuarr_cholesky(&u, a, 1, NULL, NULL));
  assert_near(u, (double[]){2, 1, 1, 0, 2, 1, 0, 0, 2}, 9);
  assert_ok(gpuarr_array_transpose(&back, l, 0, NULL)); /* into a view, in place of what it reads */
  gpuarr_array* out = back;
  assert_ok(gpuarr_cholesky(&out, a, 1, NULL, NULL));
  assert_ptr_equal(out, back);
  assert_near(l, (double[]){2, 0, 0, 1, 2, 0, 1, 1, 2}, 9);
  assert_ok(gpuarr_cholesky(&a, a, 0, NULL, NULL));
  assert_near(a, (double[]){2, 0, 0, 1, 2, 0, 1, 1, 2}, 9);
  release_arrays((gpuarr_array*[]){a, l, u, back}, 4);
}

static void whole_numbers_become_float64(void** state) {
  (void)state;
  gpuarr_array *a = from(GPUARR_I32, 2, (int64_t[]){2, 2}, (int32_t[]){4, 2, 2, 5}), *l = NULL;
  assert_ok(gpuarr_cholesky(&l, a, 0, NULL, NULL));
  assert_int_equal(gpuarr_array_dtype(l), GPUARR_F64);
  assert_near(l, (double[]){2, 0, 1, 2}, 4);
  release_arrays((gpuarr_array*[]){a, l}, 2);
}

static void lu(void** state) {
  (void)state;
  const double values[] = {1, 2, 4, 6, 2, 8};
  gpuarr_array *a = matrix(GPUARR_F64, 3, 2, values), *p = NULL, *l = NULL, *u = NULL;
  assert_ok(gpuarr_lu(&p, &l, &u, a, NULL));
  assert_values(p, 3, (double[]){2, 0, 1});
  assert_near(l, (double[]){1, 0, 0.5, 1, 0.25, 0.1}, 6);
  assert_near(u, (double[]){4, 6, 0, 5}, 4);
  gpuarr_array *packed = NULL, *pivots = NULL;
  assert_ok(gpuarr_lu_factor(&packed, &pivots, a, NULL, NULL));
  assert_near(packed, (double[]){4, 6, 0.5, 5, 0.25, 0.1}, 6);
  assert_values(pivots, 2, (double[]){1, 2});
  assert_int_equal(gpuarr_array_dtype(pivots), GPUARR_I32);
  release_arrays((gpuarr_array*[]){a, p, l, u, packed, pivots}, 6);
}

/* All or none of these; the array is released. */
static int32_t answer_of(gpuarr_status (*ask)(gpuarr_array**, const gpuarr_array*, const int32_t*,
                                              int32_t, int32_t, gpuarr_stream*),
                         gpuarr_array* array) {
  gpuarr_array* out = NULL;
  assert_ok(ask(&out, array, NULL, GPUARR_ALL_AXES, 0, NULL));
  const int32_t answer = (int32_t)value_of(out);
  release_arrays((gpuarr_array*[]){array, out}, 2);
  return answer;
}

/* Nothing is divided by pivots that are 0: neither in stacks of zeros, nor behind the first column
 * where all elements are equal. */
static void lu_of_singular_stacks(void** state) {
  (void)state;
  const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_F64, GPUARR_C64, GPUARR_C128};
  const int64_t shapes[][3] = {{5, 1, 1}, {4, 3, 3}, {3, 20, 20}};
  for (int d = 0; d < 4; ++d)
    for (int s = 0; s < 3; ++s)
      for (int value = 0; value < 2; ++value) {
        gpuarr_array *a = zeros(dtypes[d], 3, shapes[s]), *p = NULL, *l = NULL, *u = NULL;
        gpuarr_array *product = NULL, *finite = NULL;
        assert_ok(gpuarr_array_fill(a, gpuarr_arg_i64(value), NULL));
        assert_ok(gpuarr_lu(&p, &l, &u, a, NULL));
        assert_ok(gpuarr_isfinite(&finite, l, NULL));
        assert_true(answer_of(gpuarr_all, finite));
        assert_ok(gpuarr_matmul(&product, l, u, 0, NULL)); /* rows are alike: p does not matter */
        assert_ok(gpuarr_subtract(&product, gpuarr_arg_array(product), gpuarr_arg_array(a), NULL));
        assert_false(answer_of(gpuarr_any, product));
        release_arrays((gpuarr_array*[]){a, p, l, u}, 4);
      }
}

static void qr(void** state) {
  (void)state;
  gpuarr_array *a = matrix(GPUARR_F64, 2, 1, (double[]){3, 4}), *q = NULL, *r = NULL, *all = NULL;
  assert_ok(gpuarr_qr(&q, &r, a, 0, NULL));
  assert_shape(q, 2, (int64_t[]){2, 1});
  assert_near_abs(q, (double[]){0.6, 0.8}, 2);
  assert_near_abs(r, (double[]){5}, 1);
  assert_ok(gpuarr_qr(&all, NULL, a, 1, NULL));
  assert_near_abs(all, (double[]){0.6, 0.8, 0.8, 0.6}, 4);
  gpuarr_array* alone = NULL;
  assert_ok(gpuarr_qr(NULL, &alone, a, 0, NULL));
  assert_near_abs(alone, (double[]){5}, 1);
  release_arrays((gpuarr_array*[]){a, q, r, all, alone}, 5);
}

static void svd(void** state) {
  (void)state;
  gpuarr_array *a = matrix(GPUARR_F64, 2, 3, (double[]){0, 3, 0, 0, 0, -2}), *u = NULL, *s = NULL;
  gpuarr_array *vh = NULL, *only = NULL;
  assert_ok(gpuarr_svd(&u, &s, &vh, a, 1, NULL, NULL));
  assert_near(s, (double[]){3, 2}, 2);
  assert_near_abs(u, (double[]){1, 0, 0, 1}, 4);
  assert_near_abs(vh, (double[]){0, 1, 0, 0, 0, 1, 1, 0, 0}, 9);
  assert_ok(gpuarr_svdvals(&only, a, NULL, NULL));
  assert_near(only, (double[]){3, 2}, 2);
  release_arrays((gpuarr_array*[]){a, u, s, vh, only}, 5);
}

static void eigenvalues(void** state) {
  (void)state;
  const double turn[] = {0, -2, 2, 0};
  gpuarr_array *a = matrix(GPUARR_F64, 2, 2, (double[]){2, 9, 1, 2}), *w = NULL, *v = NULL;
  gpuarr_array *only = NULL, *c = matrix(GPUARR_F64, 2, 2, turn), *cw = NULL, *cv = NULL;
  assert_ok(gpuarr_eigh(&w, &v, a, 0, NULL, NULL)); /* the 9 is not read */
  assert_near(w, (double[]){1, 3}, 2);
  const double root = sqrt(0.5);
  assert_near_abs(v, (double[]){root, root, root, root}, 4);
  assert_ok(gpuarr_eigvalsh(&only, a, 1, NULL, NULL)); /* nor the 1 */
  assert_near(only, (double[]){-7, 11}, 2);
  assert_ok(gpuarr_eig(&cw, &cv, c, NULL, NULL));
  assert_int_equal(gpuarr_array_dtype(cw), GPUARR_C128);
  double values[4];
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, cw, NULL));
  assert_close(values[0], 0, 1e-14);
  assert_close(fabs(values[1]), 2, 1e-14);
  assert_close(values[3], -values[1], 1e-14);
  gpuarr_array* alone = NULL;
  assert_ok(gpuarr_eigvals(&alone, c, NULL, NULL));
  release_arrays((gpuarr_array*[]){a, w, v, only, c, cw, cv, alone}, 8);
}

static void codes_instead_of_errors(void** state) {
  (void)state;
  const double values[] = {1, 0, 0, 1, 1, 2, 2, 1, 4, 0, 0, 9};
  gpuarr_array* a = from(GPUARR_F64, 3, (int64_t[]){3, 2, 2}, values);
  gpuarr_array *l = NULL, *info = NULL;
  assert_ok(gpuarr_cholesky(&l, a, 0, &info, NULL));
  assert_int_equal(gpuarr_array_dtype(info), GPUARR_I32);
  assert_values(info, 3, (double[]){0, 2, 0});
  gpuarr_array* given = info;
  const double bad[] = {1, 2, 3, NAN, 5, 6, 7, 8, 9, 1, 1, INFINITY};
  replace(&a, from(GPUARR_F64, 3, (int64_t[]){3, 2, 2}, bad));
  gpuarr_array* s = NULL;
  assert_ok(gpuarr_svdvals(&s, a, &info, NULL));
  assert_ptr_equal(info, given);
  assert_values(info, 3, (double[]){-1, 0, -1});
  release_arrays((gpuarr_array*[]){a, l, s, info}, 4);
}

static void errors_of_matrices(void** state) {
  (void)state;
  const double values[] = {1, 0, 0, 1, 1, 2, 2, 1};
  gpuarr_array *a = from(GPUARR_F64, 4, (int64_t[]){2, 1, 2, 2}, values), *out = NULL, *p = NULL;
  assert_status(gpuarr_cholesky(&out, a, 0, NULL, NULL), GPUARR_ERR_NOT_POSITIVE_DEFINITE);
  assert_message_has(
      "gpuarr_cholesky: matrix (1, 0) of the stack a is not positive definite: its "
      "leading minor of order 2 is not positive");
  assert_null(out);
  replace(&a, matrix(GPUARR_F64, 2, 2, (double[]){1, 2, 2, 4}));
  assert_status(gpuarr_lu_factor(&out, &p, a, NULL, NULL), GPUARR_ERR_SINGULAR);
  assert_message_has("gpuarr_lu_factor: a is singular: U(2,2) is 0");
  replace(&a, matrix(GPUARR_F64, 2, 2, (double[]){1, NAN, 2, 4}));
  assert_status(gpuarr_svdvals(&out, a, NULL, NULL), GPUARR_ERR_NOT_FINITE);
  assert_message_has("gpuarr_svdvals: a has an element that is infinite or NaN");
  assert_status(gpuarr_eigvals(&out, a, NULL, NULL), GPUARR_ERR_NOT_FINITE);
  assert_ok(gpuarr_eigvalsh(&out, a, 0, NULL, NULL)); /* it is not read */
  release_arrays((gpuarr_array*[]){a, out}, 2);
}

static void refused(void** state) {
  (void)state;
  const int64_t flat[] = {4}, wide[] = {2, 3}, square[] = {2, 2};
  gpuarr_array *x = zeros(GPUARR_F64, 1, flat), *out = NULL, *other = NULL;
  assert_status(gpuarr_qr(&out, NULL, x, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("a has shape (4,); give a matrix, or a stack of them, of two axes or more");
  replace(&x, zeros(GPUARR_F64, 2, wide));
  assert_status(gpuarr_cholesky(&out, x, 0, NULL, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("a has shape (2, 3), but its matrices must be square");
  assert_status(gpuarr_svd(NULL, NULL, NULL, x, 0, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_svd: s is NULL; give the address of a variable");
  assert_status(gpuarr_svd(NULL, &out, NULL, x, 2, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("full_matrices is 2; give 1 or 0");
  replace(&x, zeros(GPUARR_F16, 2, square));
  assert_status(gpuarr_eigvalsh(&out, x, 0, NULL, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("a is float16, in which matrices cannot be factorised; convert it to float32");
  replace(&x, zeros(GPUARR_F32, 2, square));
  out = zeros(GPUARR_F64, 2, square);
  assert_status(gpuarr_cholesky(&out, x, 0, NULL, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("out is float64, but the result is float32; give such an array");
  replace(&out, zeros(GPUARR_F32, 2, wide));
  assert_status(gpuarr_cholesky(&out, x, 0, NULL, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("out has shape (2, 3), but the result has (2, 2)");
  replace(&out, zeros(GPUARR_F32, 2, square));
  assert_ok(gpuarr_array_transpose(&other, out, 0, NULL));
  assert_status(gpuarr_qr(&out, &other, x, 0, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("q and r share memory; give arrays that do not");
  release_arrays((gpuarr_array*[]){x, out, other}, 3);
}

static void in_a_graph(void** state) {
  (void)state;
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  gpuarr_graph_exec* exec = NULL;
  gpuarr_array *a = matrix(GPUARR_F64, 3, 3, symmetric), *l = NULL, *info = NULL;
  assert_ok(gpuarr_cholesky(&l, a, 0, &info, NULL)); /* compiles what it takes, opens the library */
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  assert_ok(gpuarr_device_synchronize(open_test_device()));
  assert_ok(gpuarr_stream_begin_capture(stream));
  gpuarr_array* out = NULL;
  assert_status(gpuarr_cholesky(&out, a, 0, NULL, stream), GPUARR_ERR_UNSUPPORTED);
  assert_message_has("give info, which receives a code for each when the graph runs");
  assert_ok(gpuarr_cholesky(&l, a, 0, &info, stream));
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  const double twice[] = {16, 8, 8, 8, 20, 12, 8, 12, 24};
  assert_ok(gpuarr_array_write(a, NULL, twice, sizeof twice, stream));
  assert_ok(gpuarr_graph_exec_launch(exec, stream));
  assert_ok(gpuarr_stream_synchronize(stream));
  assert_near(l, (double[]){4, 0, 0, 2, 4, 0, 2, 2, 4}, 9);
  assert_values(info, 1, (double[]){0});
  gpuarr_graph_exec_release(exec);
  gpuarr_graph_release(graph);
  gpuarr_stream_release(stream);
  release_arrays((gpuarr_array*[]){a, l, info}, 3);
}

/* Libraries are opened once in a process: these are others. */
static void without_lapack(const char* file, const char* says) {
  pid_t child = fork();
  if (child == 0) {
    gpuarr_array *a = matrix(GPUARR_F64, 3, 3, symmetric), *out = NULL;
    setenv("GPUARR_LAPACK", file, 1);
    gpuarr_status status = gpuarr_cholesky(&out, a, 0, NULL, NULL);
    const int right = status == GPUARR_ERR_NO_LIBRARY && strstr(gpuarr_last_error(), says) != NULL;
    if (!right) fprintf(stderr, "%d: %s\n", status, gpuarr_last_error());
    _exit(right ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
}

static void no_library(void** state) {
  (void)state;
  if (!test_device_is_host()) skip();
  without_lapack("/nowhere/liblapack.so", "apt install libopenblas0 or liblapack3");
  without_lapack("libm.so.6", "so it is not a current LAPACK");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_library), /* first: nothing is open yet */
      cmocka_unit_test(cholesky),
      cmocka_unit_test(whole_numbers_become_float64),
      cmocka_unit_test(lu),
      cmocka_unit_test(lu_of_singular_stacks),
      cmocka_unit_test(qr),
      cmocka_unit_test(svd),
      cmocka_unit_test(eigenvalues),
      cmocka_unit_test(codes_instead_of_errors),
      cmocka_unit_test(errors_of_matrices),
      cmocka_unit_test(refused),
      cmocka_unit_test(in_a_graph),
  };
  skip_without_solver();
  return run_suite(tests);
}
