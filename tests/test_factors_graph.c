/* Factorisations and what is solved with them, captured in a graph: they see what is in the arrays
 * when the graph runs, or say that they cannot be captured and leave the stream usable. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "factors.h"

enum { SIZE = 576, OUTPUTS = 3 };

/* One function of matrices: what it makes of a, into arrays that are given or made. */
typedef struct {
  const char* name;
  gpuarr_status (*call)(gpuarr_array** out, const gpuarr_array* a, gpuarr_array** info,
                        gpuarr_stream* stream);
} Case;

typedef const gpuarr_array* In;

static gpuarr_status cholesky(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_cholesky(&out[0], a, 0, info, s);
}
static gpuarr_status lu(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  (void)info;
  return gpuarr_lu(&out[0], &out[1], &out[2], a, s);
}
static gpuarr_status lu_factor(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_lu_factor(&out[0], &out[1], a, info, s);
}
static gpuarr_status qr(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  (void)info;
  return gpuarr_qr(&out[0], &out[1], a, 0, s);
}
static gpuarr_status svd(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_svd(&out[0], &out[1], &out[2], a, 0, info, s);
}
static gpuarr_status svdvals(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_svdvals(&out[0], a, info, s);
}
static gpuarr_status eigh(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_eigh(&out[0], &out[1], a, 0, info, s);
}
static gpuarr_status eigvalsh(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_eigvalsh(&out[0], a, 0, info, s);
}
static gpuarr_status eigvals(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_eigvals(&out[0], a, info, s);
}
static gpuarr_status solve(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_solve(&out[0], a, a, info, s);
}
static gpuarr_status triangular(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_solve_triangular(&out[0], a, a, 0, GPUARR_MATRIX_AS_IT_IS, 0, info, s);
}
static gpuarr_status inverse(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_inv(&out[0], a, info, s);
}
static gpuarr_status determinant(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  (void)info;
  return gpuarr_det(&out[0], a, s);
}
static gpuarr_status slogdet(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  (void)info;
  return gpuarr_slogdet(&out[0], &out[1], a, s);
}
static gpuarr_status lstsq(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_lstsq(&out[0], NULL, NULL, NULL, a, a, -1, info, s);
}
static gpuarr_status pinv(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_pinv(&out[0], a, -1, info, s);
}
static gpuarr_status rank(gpuarr_array** out, In a, gpuarr_array** info, gpuarr_stream* s) {
  return gpuarr_matrix_rank(&out[0], a, -1, info, s);
}

static const Case cases[] = {
    {"cholesky", cholesky},
    {"lu", lu},
    {"lu_factor", lu_factor},
    {"qr", qr},
    {"svd", svd},
    {"svdvals", svdvals},
    {"eigh", eigh},
    {"eigvalsh", eigvalsh},
    {"eigvals", eigvals},
    {"solve", solve},
    {"solve_triangular", triangular},
    {"inv", inverse},
    {"det", determinant},
    {"slogdet", slogdet},
    {"lstsq", lstsq},
    {"pinv", pinv},
    {"matrix_rank", rank},
};

/* Symmetric, well-conditioned matrices of n rows; others for each seed. */
static void draw(double* values, int n, double seed) {
  for (int k = 0; k < SIZE; ++k) {
    const int row = k / n % n, column = k % n;
    values[k] = (row == column ? 3 + row : 0) + 0.1 * sin(seed * (row + 1) * (column + 1));
  }
}

static void assert_same_results(const Case* tried, gpuarr_array* const* got,
                                gpuarr_array* const* wanted) {
  for (int k = 0; k < OUTPUTS && wanted[k] != NULL; ++k) {
    int32_t same = 0;
    assert_ok(gpuarr_allclose(&same, got[k], wanted[k], 1e-9, 1e-12, 0, NULL));
    if (!same) fail_msg("%s: output %d of the graph differs", tried->name, k);
  }
}

static void run(const Case* tried, gpuarr_graph* graph, gpuarr_array* a, gpuarr_array** out, int n,
                gpuarr_stream* stream) {
  gpuarr_array* wanted[OUTPUTS] = {NULL};
  gpuarr_array* info = NULL;
  gpuarr_graph_exec* exec = NULL;
  double values[SIZE];
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  for (int seed = 2; seed < 4; ++seed) {
    draw(values, n, seed);
    assert_ok(gpuarr_array_write(a, NULL, values, sizeof values, stream));
    assert_ok(gpuarr_graph_exec_launch(exec, stream));
    assert_ok(gpuarr_stream_synchronize(stream));
    assert_ok(tried->call(wanted, a, &info, stream));
    assert_ok(gpuarr_stream_synchronize(stream));
    assert_same_results(tried, out, wanted);
  }
  gpuarr_graph_exec_release(exec);
  gpuarr_graph_release(graph);
  release_arrays(wanted, OUTPUTS);
  gpuarr_array_release(info);
}

/* 1 if it fails in another way than by saying that it cannot be captured. */
static int capture(const Case* tried, int n, gpuarr_stream* stream) {
  gpuarr_array *out[OUTPUTS] = {NULL}, *info = NULL;
  gpuarr_graph* graph = NULL;
  double values[SIZE];
  draw(values, n, 1);
  gpuarr_array* a = from(GPUARR_F64, 3, (int64_t[]){SIZE / n / n, n, n}, values);
  assert_ok(tried->call(out, a, &info, stream)); /* compiles what it takes, opens the library */
  assert_ok(gpuarr_stream_synchronize(stream));
  assert_ok(gpuarr_stream_begin_capture(stream));
  const gpuarr_status status = tried->call(out, a, &info, stream);
  if (status == GPUARR_OK) {
    assert_ok(gpuarr_stream_end_capture(&graph, stream));
    run(tried, graph, a, out, n, stream);
  } else {
    print_message("%s, n = %d, is not captured: %s\n", tried->name, n, gpuarr_last_error());
    gpuarr_stream_end_capture(&graph, stream);
    gpuarr_graph_release(graph);
    assert_ok(tried->call(out, a, &info, stream));
    assert_ok(gpuarr_stream_synchronize(stream));
  }
  release_arrays(out, OUTPUTS);
  release_arrays((gpuarr_array*[]){a, info}, 2);
  return status != GPUARR_OK && (status != GPUARR_ERR_UNSUPPORTED || test_device_is_host());
}

static void captured(void** state) {
  (void)state;
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  int wrong = 0;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    for (int n = 24; n > 0; n -= 18) wrong += capture(&cases[k], n, stream); /* one; a stack */
  assert_int_equal(wrong, 0);
  gpuarr_stream_release(stream);
}

int main(void) {
  skip_without_solver();
  const struct CMUnitTest tests[] = {cmocka_unit_test(captured)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
