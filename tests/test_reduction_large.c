/* Reductions at the limits: 32 parameters, 32 axes, more than 2^31 elements, memory far apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

static void thirty_two_parameters(void** state) {
  (void)state;
  char list[800] = "", terms[800] = "0";
  gpuarr_arg inputs[31];
  gpuarr_array* arrays[31];
  const int64_t shape[] = {3, 50};
  for (int k = 0; k < 31; ++k) {
    (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%sint32 x%d", k ? ", " : "",
                   k);
    (void)snprintf(terms + strlen(terms), sizeof terms - strlen(terms), " + x%d", k);
    arrays[k] = NULL;
    if (k % 4 != 0)
      assert_ok(gpuarr_array_full(&arrays[k], device, GPUARR_I32, k % 2 + 1, shape + (k % 2 == 0),
                                  GPUARR_ORDER_C, gpuarr_arg_i32(k), NULL));
    inputs[k] = arrays[k] != NULL ? gpuarr_arg_array(arrays[k]) : gpuarr_arg_i32(k);
  }
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){.in = list,
                                                                      .out = "int64 y",
                                                                      .map = terms,
                                                                      .reduce = "a + b",
                                                                      .post = "y = a",
                                                                      .identity = "0"});
  const double sum = 31.0 * 30 / 2;
  gpuarr_array *rows = reduce_along(kernel, inputs, 31, 1), *all = reduce_all(kernel, inputs, 31);
  assert_values(rows, 3, (const double[]){50 * sum, 50 * sum, 50 * sum});
  assert_close(value_of(all), 150 * sum, 0);
  release_arrays(arrays, 31);
  release_arrays((gpuarr_array*[]){rows, all}, 2);
  gpuarr_reduction_release(kernel);
}

/* Axes of 2 where none can be joined with the next: every second index of each. */
static void many_axes(void** state) {
  (void)state;
  enum { axes = 12 };
  int64_t shape[GPUARR_MAX_NDIM];
  for (int axis = 0; axis < GPUARR_MAX_NDIM; ++axis) shape[axis] = axis < axes ? 3 : 1;
  gpuarr_array *view = zeros(GPUARR_I64, GPUARR_MAX_NDIM, shape), *base = view;
  for (int axis = 0; axis < axes; ++axis) {
    gpuarr_array* part = NULL;
    assert_ok(gpuarr_array_slice(&part, view, axis, GPUARR_NONE, GPUARR_NONE, 2));
    if (view != base) gpuarr_array_release(view);
    view = part;
  }
  gpuarr_elementwise* number = make_elementwise("", "int64 y", "y = i");
  assert_ok(gpuarr_elementwise_call(number, &view, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
  gpuarr_reduction* kernel = make_reduction(
      &(struct reduction_texts){.in = "T x",
                                .out = "T y",
                                .map = "x == i ? _J + _in_ind.get()[31] : -100000",
                                .reduce = "a + b",
                                .post = "y = 10000 * a + i + _out_ind.get()[_out_ind.ndim - 1]"});
  gpuarr_arg input = gpuarr_arg_array(view);
  const int32_t every_second[] = {0, 2, 4, 6, 8, 10};
  gpuarr_array *half = NULL, *last = NULL, *all = NULL;
  assert_ok(gpuarr_reduction_call(kernel, &half, 1, &input, 1, every_second, 6, 0, NULL));
  assert_ok(gpuarr_reduction_call(kernel, &all, 1, &input, 1, NULL, GPUARR_ALL_AXES, 1, NULL));
  assert_int_equal(gpuarr_array_ndim(half), 26);
  assert_int_equal(gpuarr_array_size(half), 64);
  const int64_t flat = 64;
  assert_ok(gpuarr_array_reshape(&last, half, 1, &flat));
  double expected[64];
  for (int k = 0; k < 64; ++k) expected[k] = 10000 * (64 * 63 / 2) + k;
  assert_values(last, 64, expected);
  assert_int_equal(gpuarr_array_ndim(all), GPUARR_MAX_NDIM);
  assert_close(value_of(all), 10000.0 * (4096.0 * 4095 / 2), 0);
  release_arrays((gpuarr_array*[]){base, view, half, last, all}, 5);
  gpuarr_elementwise_release(number);
  gpuarr_reduction_release(kernel);
}

/* The input is one element, seen as 2^31 and some through strides of 0. */
static void more_elements_than_31_bits_count(void** state) {
  (void)state;
  if (sanitized) skip();
  const int64_t shape[] = {(1 << 15) + 1, 1 << 16}, size = shape[0] * shape[1];
  gpuarr_array *seven = NULL, *x = NULL;
  assert_ok(gpuarr_array_full(&seven, device, GPUARR_I8, 0, NULL, GPUARR_ORDER_C, gpuarr_arg_i8(7),
                              NULL));
  assert_ok(gpuarr_array_broadcast(&x, seven, 2, shape));
  gpuarr_reduction* sum = make_reduction(&(struct reduction_texts){
      .in = "T x", .out = "int64 y", .map = "x", .reduce = "a + b", .post = "y = a"});
  gpuarr_reduction* last = make_reduction(&(struct reduction_texts){.in = "T x",
                                                                    .out = "int64 y",
                                                                    .map = "_J == i ? i : -1",
                                                                    .reduce = "max(a, b)",
                                                                    .post = "y = a"});
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_array *all = reduce_all(sum, &input, 1), *largest = reduce_all(last, &input, 1);
  assert_close(value_of(all), (double)(7 * size), 0);
  assert_close(value_of(largest), (double)(size - 1), 0);
  gpuarr_array *rows = reduce_along(sum, &input, 1, 1), *row = NULL;
  assert_ok(gpuarr_array_slice(&row, rows, 0, -1, GPUARR_NONE, 1));
  assert_close(value_of(row), (double)(7 * shape[1]), 0);
  release_arrays((gpuarr_array*[]){seven, x, all, largest, rows, row}, 6);
  gpuarr_reduction_release(sum);
  gpuarr_reduction_release(last);
}

/* What takes gigabytes or seconds on a CPU runs there if asked for. */
static int is_worth_it(void) {
  return !sanitized && (!test_device_is_host() || getenv("GPUARR_TEST_MORE") != NULL);
}

/* Along an axis of two, and across one; the last of the results are looked at. */
static void more_results_than_31_bits_count(void** state) {
  (void)state;
  if (!is_worth_it()) skip();
  const int64_t count = (INT64_C(1) << 31) + 19;
  gpuarr_array *bytes = NULL, *out = NULL, *last = NULL;
  assert_ok(gpuarr_array_arange(&bytes, device, GPUARR_U8, gpuarr_arg_i64(0), gpuarr_arg_i64(200),
                                gpuarr_arg_i64(100), NULL));
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){
      .in = "T x", .out = "T y", .map = "x", .reduce = "a + b", .post = "y = a + i % 50"});
  for (int32_t axis = 0; axis < 2; ++axis) {
    const int64_t shape[] = {axis == 0 ? 2 : count, axis == 0 ? count : 2};
    gpuarr_array *pair = NULL, *x = NULL;
    assert_ok(gpuarr_array_reshape(&pair, bytes, 2, (int64_t[]){2 - axis, axis + 1}));
    assert_ok(gpuarr_array_broadcast(&x, pair, 2, shape));
    gpuarr_arg input = gpuarr_arg_array(x);
    const gpuarr_status status =
        gpuarr_reduction_call(kernel, &out, 1, &input, 1, &axis, 1, 0, NULL);
    if (status == GPUARR_ERR_OUT_OF_MEMORY) skip();
    assert_ok(status);
    assert_ok(gpuarr_array_slice(&last, out, 0, -3, GPUARR_NONE, 1));
    const double end = (double)((count - 3) % 50);
    assert_values(last, 3, (const double[]){100 + end, 101 + end, 102 + end});
    release_arrays((gpuarr_array*[]){pair, x, last}, 3);
    last = NULL; /* out is given the second time */
  }
  release_arrays((gpuarr_array*[]){bytes, out}, 2);
  assert_ok(gpuarr_memory_trim(device));
  gpuarr_reduction_release(kernel);
}

/* Columns that are repeated: the last row, where the greatest elements are, begins past 2^32. */
static void more_elements_than_32_bits_count(void** state) {
  (void)state;
  if (!is_worth_it()) skip();
  const int64_t edge = (1 << 16) + 1, shape[] = {edge, edge}, tall[] = {edge, 1};
  gpuarr_array *ramp = NULL, *column = NULL, *x = NULL, *place = NULL, *spread = NULL;
  assert_ok(gpuarr_array_arange(&ramp, device, GPUARR_F32, gpuarr_arg_i64(0), gpuarr_arg_i64(edge),
                                gpuarr_arg_i64(1), NULL));
  assert_ok(gpuarr_array_reshape(&column, ramp, 2, tall));
  assert_ok(gpuarr_array_broadcast(&x, column, 2, shape));
  assert_ok(gpuarr_argmax(&place, x, NULL, GPUARR_ALL_AXES, 0, NULL));
  assert_close(value_of(place), (double)(edge * (edge - 1)), 0);
  assert_ok(gpuarr_std(&spread, x, 0, NULL, GPUARR_ALL_AXES, 0, NULL));
  assert_close(value_of(spread), sqrt(((double)edge * (double)edge - 1) / 12), 1e-3);
  release_arrays((gpuarr_array*[]){ramp, column, x, place, spread}, 5);
}

/* Elements that lie further apart than 31 bits count; the memory between them is never touched. */
static void memory_far_apart(void** state) {
  (void)state;
  if (sanitized) skip();
  const int64_t shape[] = {5, 1 << 30};
  gpuarr_array *base = NULL, *x = NULL;
  gpuarr_status status =
      gpuarr_array_empty(&base, device, GPUARR_I8, 2, shape, GPUARR_ORDER_C, NULL);
  if (status == GPUARR_ERR_OUT_OF_MEMORY) skip();
  assert_ok(status);
  assert_ok(gpuarr_array_slice(&x, base, 1, 0, 3, 1));
  assert_ok(gpuarr_array_fill(x, gpuarr_arg_i8(1), NULL));
  gpuarr_reduction* sum = make_reduction(&(struct reduction_texts){
      .in = "T x", .out = "int32 y", .map = "x", .reduce = "a + b", .post = "y = a"});
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_array *columns = reduce_along(sum, &input, 1, 0), *rows = reduce_along(sum, &input, 1, 1);
  gpuarr_array *all = reduce_all(sum, &input, 1), *row = NULL;
  assert_ok(gpuarr_array_slice(&row, rows, 0, -1, GPUARR_NONE, 1));
  assert_values(columns, 3, (const double[]){5, 5, 5});
  assert_close(value_of(row), 3, 0);
  assert_close(value_of(all), 15, 0);
  release_arrays((gpuarr_array*[]){base, x, columns, rows, all, row}, 6);
  assert_ok(gpuarr_memory_trim(device));
  gpuarr_reduction_release(sum);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thirty_two_parameters),
      cmocka_unit_test(many_axes),
      cmocka_unit_test(more_elements_than_31_bits_count),
      cmocka_unit_test(more_results_than_31_bits_count),
      cmocka_unit_test(more_elements_than_32_bits_count),
      cmocka_unit_test(memory_far_apart),
  };
  return run_suite(tests);
}
