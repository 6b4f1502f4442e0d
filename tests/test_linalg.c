/* Products of matrices: what they come to, in which layouts, without which copies, and what is
 * refused. tests/numpy/products.py compares all of them with NumPy. */
#include <stdlib.h>

#include "arrays.h"
#include "support.h"

static gpuarr_device* device;
static gpuarr_array *a, *b; /* float64 (2, 3) and (3, 2) */

static const int64_t two_by_three[] = {2, 3}, three_by_two[] = {3, 2}, two_by_two[] = {2, 2};

static gpuarr_array* turned(const gpuarr_array* x) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_array_transpose(&out, x, 0, NULL));
  return out;
}

static void matrices(void** state) {
  (void)state;
  require_blas();
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_matmul(&out, a, b, 0, NULL));
  assert_shape(out, 2, two_by_two);
  assert_values(out, 4, (double[]){22, 28, 49, 64});
  assert_int_equal(gpuarr_array_is_contiguous(out, GPUARR_ORDER_C), 1);
  gpuarr_array_release(out);
}

static void vectors(void** state) {
  (void)state;
  require_blas();
  const int64_t three = 3, two = 2;
  gpuarr_array *x = from(GPUARR_F64, 1, &three, (double[]){1, 2, 3}), *out = NULL;
  assert_ok(gpuarr_matmul(&out, a, x, 0, NULL));
  assert_shape(out, 1, &two);
  assert_values(out, 2, (double[]){14, 32});
  replace(&out, NULL);
  assert_ok(gpuarr_matmul(&out, x, b, 0, NULL));
  assert_values(out, 2, (double[]){22, 28});
  replace(&out, NULL);
  assert_ok(gpuarr_matmul(&out, x, x, 0, NULL));
  assert_shape(out, 0, NULL);
  assert_close(value_of(out), 14, 0);
  gpuarr_array_release(out);
  gpuarr_array_release(x);
}

/* Fortran's order in gives Fortran's order out. */
static void fortran_order(void** state) {
  (void)state;
  require_blas();
  gpuarr_array *x = NULL, *y = NULL, *out = NULL;
  assert_ok(gpuarr_array_copy(&x, a, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_array_copy(&y, b, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_matmul(&out, x, y, 0, NULL));
  assert_int_equal(gpuarr_array_is_contiguous(out, GPUARR_ORDER_F), 1);
  assert_values(out, 4, (double[]){22, 28, 49, 64});
  release_arrays((gpuarr_array*[]){x, y, out}, 3);
}

static int64_t allocations(void) {
  int64_t count = 0;
  assert_ok(gpuarr_memory_statistic(&count, device, GPUARR_MEMORY_ALLOCATIONS));
  return count;
}

/* Views whose rows or columns lie one after the other are multiplied as they lie: the memory of the
 * result, and on a GPU the workspace, is all that is asked for. */
static void transposed_views_are_not_copied(void** state) {
  (void)state;
  require_blas();
  const int64_t stack[] = {5, 2, 3};
  gpuarr_array *left = turned(a), *right = turned(b), *repeated = NULL;
  gpuarr_array *columns = NULL, *rows = NULL;
  assert_ok(gpuarr_array_broadcast(&repeated, a, 3, stack));
  assert_ok(gpuarr_array_slice(&columns, a, 1, 1, 3, 1));
  assert_ok(gpuarr_array_slice(&rows, b, 0, 1, 3, 1));
  gpuarr_array* const pairs[][2] = {{a, b},    {left, right}, {right, left},
                                    {a, left}, {repeated, b}, {columns, rows}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
    gpuarr_array *given = NULL, *other = NULL;
    assert_ok(gpuarr_matmul(&given, pairs[k][0], pairs[k][1], 0, NULL));
    assert_ok(gpuarr_array_copy(&other, given, GPUARR_ORDER_F, NULL));
    for (int fortran = 0; fortran < (gpuarr_array_ndim(given) == 2 ? 2 : 1); ++fortran) {
      const int64_t before = allocations();
      assert_ok(gpuarr_matmul(fortran ? &other : &given, pairs[k][0], pairs[k][1], 0, NULL));
      assert_int_equal(allocations() - before, test_device_is_host() ? 0 : 1);
    }
    release_arrays((gpuarr_array*[]){given, other}, 2);
  }
  release_arrays((gpuarr_array*[]){left, right, repeated, columns, rows}, 5);
}

static void results_in_any_place(void** state) {
  (void)state;
  require_blas();
  const int64_t four = 4, size[] = {4, 4};
  gpuarr_array *square = NULL, *out = NULL, *base = zeros(GPUARR_F64, 2, size);
  gpuarr_array* x = ramp(GPUARR_F64, four);
  assert_ok(gpuarr_array_reshape(&square, x, 2, two_by_two));
  gpuarr_array* same = square;
  assert_ok(gpuarr_matmul(&same, square, square, 0, NULL)); /* in place */
  assert_values(square, 4, (double[]){2, 3, 6, 11});
  gpuarr_array* other = turned(square);
  gpuarr_array* kept = other;
  assert_ok(gpuarr_matmul(&kept, square, square, 0, NULL)); /* into its own transpose */
  assert_values(other, 4, (double[]){22, 39, 78, 139});
  gpuarr_array *rows = NULL, *window = NULL; /* every other row and column, backwards */
  assert_ok(gpuarr_array_slice(&rows, base, 0, GPUARR_NONE, GPUARR_NONE, -2));
  assert_ok(gpuarr_array_slice(&window, rows, 1, GPUARR_NONE, GPUARR_NONE, 2));
  out = window;
  assert_ok(gpuarr_matmul(&out, a, b, 0, NULL));
  assert_ptr_equal(out, window);
  assert_values(window, 4, (double[]){22, 28, 49, 64});
  assert_values(base, 16, (double[]){0, 0, 0, 0, 49, 0, 64, 0, 0, 0, 0, 0, 22, 0, 28, 0});
  release_arrays((gpuarr_array*[]){x, square, other, base, rows, window}, 6);
}

static void dtypes_are_promoted(void** state) {
  (void)state;
  require_blas();
  gpuarr_array *half = NULL, *whole = NULL, *out = NULL;
  assert_ok(gpuarr_array_astype(&half, a, GPUARR_F16, NULL));
  assert_ok(gpuarr_array_astype(&whole, b, GPUARR_I16, NULL));
  assert_ok(gpuarr_matmul(&out, half, whole, 0, NULL));
  assert_int_equal(gpuarr_array_dtype(out), GPUARR_F32);
  assert_values(out, 4, (double[]){22, 28, 49, 64});
  replace(&out, NULL);
  gpuarr_array* other = turned(half);
  assert_ok(gpuarr_matmul(&out, half, other, GPUARR_MATMUL_TF32, NULL));
  assert_int_equal(gpuarr_array_dtype(out), GPUARR_F16);
  assert_values(out, 4, (double[]){14, 32, 32, 77});
  release_arrays((gpuarr_array*[]){half, whole, other, out}, 4);
}

static void whole_numbers(void** state) {
  (void)state;
  gpuarr_array *x = NULL, *y = NULL, *out = NULL;
  assert_ok(gpuarr_array_astype(&x, a, GPUARR_I8, NULL));
  assert_ok(gpuarr_array_astype(&y, b, GPUARR_I8, NULL));
  assert_ok(gpuarr_matmul(&out, x, y, 0, NULL));
  assert_int_equal(gpuarr_array_dtype(out), GPUARR_I8);
  assert_values(out, 4, (double[]){22, 28, 49, 64});
  assert_ok(gpuarr_matrix_power(&out, out, 3, 0, NULL)); /* modulo 256 */
  assert_values(out, 4, (double[]){(int8_t)158824, (int8_t)206080, (int8_t)360640, (int8_t)467944});
  release_arrays((gpuarr_array*[]){x, y, out}, 3);
}

static void nothing_to_add_up(void** state) {
  (void)state;
  const int64_t none[] = {2, 0}, other[] = {0, 3};
  gpuarr_array *x = zeros(GPUARR_F32, 2, none), *y = zeros(GPUARR_F32, 2, other), *out = NULL;
  assert_ok(gpuarr_matmul(&out, x, y, 0, NULL));
  assert_shape(out, 2, two_by_three);
  assert_values(out, 6, (double[]){0, 0, 0, 0, 0, 0});
  release_arrays((gpuarr_array*[]){x, y, out}, 3);
}

static void in_a_graph(void** state) {
  (void)state;
  require_blas();
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  gpuarr_graph_exec* exec = NULL;
  gpuarr_array* out = zeros(GPUARR_F64, 2, two_by_two);
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  assert_ok(gpuarr_device_synchronize(device));
  assert_ok(gpuarr_stream_begin_capture(stream));
  gpuarr_array *target = out, *x = NULL, *wide = NULL;
  assert_ok(gpuarr_array_astype(&x, a, GPUARR_F32, stream)); /* a copy of the graph's own */
  assert_ok(gpuarr_matmul(&target, x, b, 0, stream));
  assert_ok(gpuarr_matmul(&wide, target, target, 0, stream));
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  for (int k = 0; k < 3; ++k) {
    assert_ok(gpuarr_array_fill(out, gpuarr_arg_i32(0), stream));
    assert_ok(gpuarr_graph_exec_launch(exec, stream));
    assert_ok(gpuarr_stream_synchronize(stream));
    assert_values(out, 4, (double[]){22, 28, 49, 64});
    assert_values(wide, 4, (double[]){1856, 2408, 4214, 5468});
  }
  gpuarr_graph_exec_release(exec);
  gpuarr_graph_release(graph);
  release_arrays((gpuarr_array*[]){out, x, wide}, 3);
  gpuarr_stream_release(stream);
}

static void other_products(void** state) {
  (void)state;
  const int64_t two = 2, six[] = {6, 6};
  const float pairs[] = {1, 2, 3, 4};
  gpuarr_array *x = from(GPUARR_F64, 1, &two, (double[]){1, 2}), *out = NULL;
  gpuarr_array* z = from(GPUARR_C64, 1, &two, pairs);
  assert_ok(gpuarr_vdot(&out, z, z, NULL));
  float sum[2];
  assert_ok(gpuarr_array_read(sum, sizeof sum, NULL, out, NULL));
  assert_close(sum[0], 30, 0);
  assert_close(sum[1], 0, 0);
  replace(&out, NULL);
  assert_ok(gpuarr_outer(&out, x, x, NULL));
  assert_values(out, 4, (double[]){1, 2, 2, 4});
  replace(&out, NULL);
  assert_ok(gpuarr_kron(&out, a, b, NULL));
  assert_shape(out, 2, six);
  replace(&out, NULL);
  assert_ok(gpuarr_kron(&out, x, x, NULL));
  assert_values(out, 4, (double[]){1, 2, 2, 4});
  replace(&out, NULL);
  assert_ok(gpuarr_trace(&out, a, 1, 0, 1, NULL));
  assert_close(value_of(out), 8, 0);
  replace(&out, NULL);
  assert_ok(gpuarr_matrix_norm(&out, a, GPUARR_NORM_INF, 0, NULL));
  assert_close(value_of(out), 15, 0);
  replace(&out, NULL);
  assert_ok(gpuarr_einsum(&out, "ij,kl->ikjl", a, a, 0, NULL));
  assert_int_equal(gpuarr_array_size(out), 36);
  replace(&out, NULL);
  require_blas();
  assert_ok(gpuarr_inner(&out, a, a, 0, NULL));
  assert_values(out, 4, (double[]){14, 32, 32, 77});
  replace(&out, NULL);
  assert_ok(gpuarr_tensordot(&out, a, a, (int32_t[]){0}, (int32_t[]){-2}, 1, 0, NULL));
  assert_values(out, 9, (double[]){17, 22, 27, 22, 29, 36, 27, 36, 45});
  replace(&out, NULL);
  assert_ok(gpuarr_einsum(&out, "ij,jk->ki", a, b, 0, NULL));
  assert_values(out, 4, (double[]){22, 49, 28, 64});
  release_arrays((gpuarr_array*[]){x, z, out}, 3);
}

#define refused(call, status, part) \
  do {                              \
    gpuarr_array* out = NULL;       \
    assert_status(call, status);    \
    assert_message_has(part);       \
    assert_null(out);               \
  } while (0)

static void shapes_that_do_not_fit(void** state) {
  (void)state;
  const int64_t three[] = {3, 2, 3}, many[] = {4, 3, 2};
  gpuarr_array *x = zeros(GPUARR_F64, 3, three), *y = zeros(GPUARR_F64, 3, many);
  gpuarr_array* scalar = zeros(GPUARR_F64, 0, NULL);
  refused(gpuarr_matmul(&out, a, a, 0, NULL), GPUARR_ERR_SHAPE,
          "the last axis of x has extent 3, but the last axis but one of y has 2");
  refused(gpuarr_matmul(&out, x, y, 0, NULL), GPUARR_ERR_BROADCAST, "x has shape (3, 2, 3)");
  refused(gpuarr_matmul(&out, scalar, a, 0, NULL), GPUARR_ERR_SHAPE, "x has no axes");
  refused(gpuarr_vdot(&out, a, x, NULL), GPUARR_ERR_SHAPE, "the same number of elements");
  refused(gpuarr_inner(&out, a, b, 0, NULL), GPUARR_ERR_SHAPE,
          "axis 1 of x has extent 3, but axis 1 of y has 2");
  refused(gpuarr_tensordot(&out, a, b, NULL, NULL, 3, 0, NULL), GPUARR_ERR_AXIS,
          "axis_count is 3, but x has 2 axes and y 2");
  const int32_t zero = 0, twice[] = {0, 0}, far = 2;
  refused(gpuarr_tensordot(&out, a, b, &zero, NULL, 1, 0, NULL), GPUARR_ERR_ARGUMENT,
          "y_axes is NULL, but x_axes is not");
  refused(gpuarr_tensordot(&out, a, a, twice, (int32_t[]){0, 1}, 2, 0, NULL), GPUARR_ERR_AXIS,
          "x_axes has axis 0 twice");
  refused(gpuarr_tensordot(&out, a, a, (int32_t[]){0, 1}, twice, 2, 0, NULL), GPUARR_ERR_AXIS,
          "y_axes has axis 0 twice");
  refused(gpuarr_tensordot(&out, a, a, &zero, &far, 1, 0, NULL), GPUARR_ERR_AXIS, "y_axes");
  refused(gpuarr_matrix_power(&out, a, 2, 0, NULL), GPUARR_ERR_SHAPE, "x has shape (2, 3)");
  refused(gpuarr_matrix_power(&out, x, -1, 0, NULL), GPUARR_ERR_SHAPE, "must be equal");
  refused(gpuarr_trace(&out, scalar, 0, 0, 1, NULL), GPUARR_ERR_AXIS, "axis1");
  refused(gpuarr_matrix_norm(&out, scalar, GPUARR_NORM_1, 0, NULL), GPUARR_ERR_SHAPE,
          "a matrix has two axes");
  release_arrays((gpuarr_array*[]){x, y, scalar}, 3);
}

static void axes_beyond_the_most(void** state) {
  (void)state;
  int64_t ones[32];
  for (int k = 0; k < 32; ++k) ones[k] = 1;
  gpuarr_array *x = zeros(GPUARR_F32, 20, ones), *y = zeros(GPUARR_F32, 17, ones);
  refused(gpuarr_kron(&out, x, a, NULL), GPUARR_ERR_SHAPE, "has 20 axes; the most");
  refused(gpuarr_tensordot(&out, x, y, NULL, NULL, 0, 0, NULL), GPUARR_ERR_SHAPE,
          "would have 37 axes");
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

static void arguments(void** state) {
  (void)state;
  gpuarr_array *small = zeros(GPUARR_F64, 2, two_by_two), *given = NULL;
  gpuarr_array *single = zeros(GPUARR_F32, 2, two_by_two), *repeated = NULL;
  const int64_t one = 1;
  gpuarr_array* line_of_one = zeros(GPUARR_F64, 1, &one);
  refused(gpuarr_matmul(&out, NULL, a, 0, NULL), GPUARR_ERR_ARGUMENT, "x is NULL");
  refused(gpuarr_matmul(&out, a, NULL, 0, NULL), GPUARR_ERR_ARGUMENT, "y is NULL");
  refused(gpuarr_matmul(&out, a, b, 6, NULL), GPUARR_ERR_ARGUMENT, "flags is 6; give 0 or");
  assert_status(gpuarr_matmul(NULL, a, b, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  given = a;
  assert_status(gpuarr_matmul(&given, a, b, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("out has shape (2, 3), but the result has (2, 2)");
  given = single;
  assert_status(gpuarr_matmul(&given, a, b, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("out is float32, but the result is float64");
  assert_ok(gpuarr_array_broadcast(&repeated, line_of_one, 2, two_by_two));
  given = repeated;
  assert_status(gpuarr_matmul(&given, a, b, 0, NULL), GPUARR_ERR_OVERLAP);
  refused(gpuarr_matrix_power(&out, small, INT64_MIN, 0, NULL), GPUARR_ERR_ARGUMENT,
          "n is -9223372036854775808; it must be above that");
  refused(gpuarr_matrix_norm(&out, a, 7, 0, NULL), GPUARR_ERR_ARGUMENT, "ord is 7");
  refused(gpuarr_matrix_norm(&out, a, GPUARR_NORM_1, 2, NULL), GPUARR_ERR_ARGUMENT,
          "keepdims is 2");
  release_arrays((gpuarr_array*[]){small, single, repeated, line_of_one}, 4);
}

static void subscripts(void** state) {
  (void)state;
  static const struct {
    const char *text, *part;
  } rows[] = {
      {"ij,j$->i", "subscripts, character 5: the term has 1 letter, but y has shape (3, 2)"},
      {"ij,jk$->i", "character 6: '$' is not expected here"},
      {"ij,jk->iz", "character 9: 'z' is in no operand\n  ij,jk->iz\n          ^"},
      {"ij,jk->ii", "character 9: 'i' is twice in the result"},
      {"ij->i", "character 3: a ',' is expected, and a term for y"},
      {"ij,ik->k", "character 4: 'i' has extent 3 here, but 2 before"},
      {"ijk,jk", "the term has 3 letters, but x has shape (2, 3)"},
      {"......,ij", "character 4: a second ellipsis"},
      {"i...,jk->ik", "the result leaves out the axes of the ellipsis"},
      {"ii,jk", "'i' stands for extents 2 and 3"},
      {"ij,jk,kl", "character 6: ',' is not expected here; there are two operands"},
      {"ij,jk->ik,", "character 10: ',' is not expected here; the result"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    refused(gpuarr_einsum(&out, rows[k].text, a, b, 0, NULL), GPUARR_ERR_SYNTAX, rows[k].part);
  refused(gpuarr_einsum(&out, "ij,jk", a, NULL, 0, NULL), GPUARR_ERR_SYNTAX,
          "there is one operand");
  refused(gpuarr_einsum(&out, NULL, a, b, 0, NULL), GPUARR_ERR_ARGUMENT, "subscripts is NULL");
}

/* The library is opened once in a process: this one has not opened it yet. */
static void missing_libraries(void** state) {
  (void)state;
  int on_host = test_device_is_host();
  assert_int_equal(setenv(on_host ? "GPUARR_BLAS" : "GPUARR_CUBLAS", "/nowhere", 1), 0);
  refused(gpuarr_matmul(&out, a, b, 0, NULL), GPUARR_ERR_NO_LIBRARY,
          on_host ? "$GPUARR_BLAS cannot be opened: /nowhere" : "$GPUARR_CUBLAS cannot be opened");
  assert_message_has(on_host ? "libopenblas0" : "libcublas.so.12");
  unsetenv(on_host ? "GPUARR_BLAS" : "GPUARR_CUBLAS");
}

int main(void) {
  device = open_test_device();
  a = from(GPUARR_F64, 2, two_by_three, (double[]){1, 2, 3, 4, 5, 6});
  b = from(GPUARR_F64, 2, three_by_two, (double[]){1, 2, 3, 4, 5, 6});
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(missing_libraries), /* first */
      cmocka_unit_test(matrices),
      cmocka_unit_test(vectors),
      cmocka_unit_test(fortran_order),
      cmocka_unit_test(transposed_views_are_not_copied),
      cmocka_unit_test(results_in_any_place),
      cmocka_unit_test(dtypes_are_promoted),
      cmocka_unit_test(whole_numbers),
      cmocka_unit_test(nothing_to_add_up),
      cmocka_unit_test(in_a_graph),
      cmocka_unit_test(other_products),
      cmocka_unit_test(shapes_that_do_not_fit),
      cmocka_unit_test(axes_beyond_the_most),
      cmocka_unit_test(arguments),
      cmocka_unit_test(subscripts),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  return finish_tests(failed);
}
