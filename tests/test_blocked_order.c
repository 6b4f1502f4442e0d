/* Tests of gpuarr/blocked_order.h against the undivided arrays. Elements of floats are small whole
 * numbers where bits are compared, so that sums are exact in any order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "whole.h"

/* Of each kind some: each has kernels of its own, which take time to compile. */
static const gpuarr_dtype order_dtypes[] = {GPUARR_F32, GPUARR_BOOL, GPUARR_I8,
                                            GPUARR_U64, GPUARR_F16,  GPUARR_C64};
enum { order_dtype_count = sizeof order_dtypes / sizeof *order_dtypes };

static gpuarr_array* random_elements(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape) {
  const int is_unsigned = dtype == GPUARR_BOOL || (dtype >= GPUARR_U8 && dtype <= GPUARR_U64);
  return random_whole(dtype, ndim, shape, is_unsigned ? 0 : -2, 2);
}

static const struct scan {
  const char* name;
  gpuarr_status (*whole)(gpuarr_array** out, const gpuarr_array* x, int32_t axis, int32_t exclusive,
                         gpuarr_stream* stream);
} scans[] = {
    {"cumsum", gpuarr_cumsum},
    {"cumprod", gpuarr_cumprod},
    {"cummin", gpuarr_cummin},
    {"cummax", gpuarr_cummax},
};

/* Into what is made, what is given in another grid, and in place. */
static void check_scan(const struct scan* scan, gpuarr_team* team, const struct grid* grid,
                       const gpuarr_array* x, int replicated) {
  const int32_t axis = (int32_t)random_between(-grid->ndim, grid->ndim - 1);
  const int32_t exclusive = (int32_t)random_between(0, 1);
  gpuarr_array* expected = NULL;
  assert_ok(scan->whole(&expected, x, axis, exclusive, NULL));
  gpuarr_blocked *from = divided(team, grid, x, replicated), *made = NULL;
  const struct grid other = random_chunks(grid->ndim, grid->shape, 4);
  gpuarr_blocked* given = divided(team, &other, expected, replicated);
  assert_ok(gpuarr_blocked_fill(given, gpuarr_arg_i64(1)));
  assert_ok(gpuarr_blocked_scan(&made, scan->name, from, axis, exclusive));
  assert_whole_values(made, expected);
  assert_ok(gpuarr_blocked_scan(&given, scan->name, from, axis, exclusive));
  assert_whole_values(given, expected);
  if (gpuarr_array_dtype(expected) == gpuarr_array_dtype(x)) {
    assert_ok(gpuarr_blocked_scan(&from, scan->name, from, axis, exclusive));
    assert_whole_values(from, expected);
  }
  gpuarr_blocked_release(given);
  gpuarr_blocked_release(made);
  gpuarr_blocked_release(from);
  gpuarr_array_release(expected);
}

static void check_random_scan(const struct scan* scan, gpuarr_dtype dtype, int replicated) {
  gpuarr_team* team = team_of((int32_t)random_between(1, 8));
  struct grid grid = random_grid();
  if (dtype == GPUARR_F32) add_random_halo(&grid);
  gpuarr_array* x = random_elements(dtype, grid.ndim, grid.shape);
  check_scan(scan, team, &grid, x, replicated);
  gpuarr_array_release(x);
  gpuarr_team_release(team);
}

static void random_scans(void** state) {
  (void)state;
  for (int round = 0; round < 14; ++round) check_random_scan(&scans[0], GPUARR_F32, round % 7 == 0);
}

static void scans_of_any_dtype(void** state) {
  (void)state;
  for (int k = 0; k < order_dtype_count; ++k) check_random_scan(&scans[k % 4], order_dtypes[k], 0);
}

/* Totals of 16-bit floats are not rounded, nor results twice. */
static void long_scans(void** state) {
  (void)state;
  const gpuarr_dtype dtypes[] = {GPUARR_F16, GPUARR_I8, GPUARR_F64};
  for (int k = 0; k < 3; ++k) {
    gpuarr_team* team = team_of((int32_t)random_between(2, 8));
    const int64_t shape[] = {30000};
    const struct grid grid = {.ndim = 1, .shape = {30000}, .chunk = {random_between(3000, 9000)}};
    gpuarr_array* x = random_whole(dtypes[k], 1, shape, -1, 2);
    check_scan(&scans[0], team, &grid, x, 0);
    gpuarr_array_release(x);
    gpuarr_team_release(team);
  }
}

static gpuarr_array* random_floats_of(int64_t rows, int64_t columns) {
  float* data = malloc((size_t)(rows * columns) * sizeof *data);
  for (int64_t k = 0; k < rows * columns; ++k) data[k] = (float)(random_unit() - 0.3);
  gpuarr_array* out = from(GPUARR_F32, 2, (int64_t[]){rows, columns}, data);
  free(data);
  return out;
}

static float* bits_of_scan(gpuarr_team* team, const struct grid* grid, const gpuarr_array* x,
                           int32_t axis) {
  gpuarr_blocked *from = NULL, *out = NULL;
  gpuarr_blocked_options* options = random_options(grid, gpuarr_team_size(team), 0);
  assert_ok(gpuarr_blocked_options_set_order(options, GPUARR_ORDER_C));
  assert_ok(gpuarr_blocked_empty(&from, team, GPUARR_F32, 2, grid->shape, grid->chunk, options));
  gpuarr_blocked_options_release(options);
  write_whole(from, x);
  assert_ok(gpuarr_blocked_scan(&out, "cumsum", from, axis, 0));
  float* bits = bytes_of_blocked(out);
  gpuarr_blocked_release(out);
  gpuarr_blocked_release(from);
  return bits;
}

static void same_bits_of_scans(void** state) {
  (void)state;
  gpuarr_array *x = random_floats_of(60, 700), *whole = NULL;
  gpuarr_device* device = open_test_device();
  for (int32_t axis = 0; axis < 2; ++axis) {
    const struct grid grid = random_chunks(2, gpuarr_array_shape(x), 8);
    gpuarr_team* alone = NULL;
    assert_ok(gpuarr_team_local(&alone, &device, 1));
    float* expected = bits_of_scan(alone, &grid, x, axis);
    assert_ok(gpuarr_cumsum(&whole, x, axis, 0, NULL));
    float* near = bytes_of(whole);
    for (int k = 0; k < 60 * 700; ++k) assert_close(expected[k], near[k], 1e-5);
    for (int32_t places = 2; places <= 8; places += 2) {
      gpuarr_team* team = team_of(places);
      float* found = bits_of_scan(team, &grid, x, axis);
      assert_memory_equal(found, expected, 60 * 700 * sizeof(float));
      free(found);
      gpuarr_team_release(team);
    }
    free(near);
    free(expected);
    gpuarr_team_release(alone);
  }
  release_arrays((gpuarr_array*[]){x, whole}, 2);
}

static void nan_stays(void** state) {
  (void)state;
  const float values[] = {3, 2, NAN, 1, -1, 5};
  gpuarr_team* team = team_of(3);
  const struct grid grid = {.ndim = 1, .shape = {6}, .chunk = {1}};
  gpuarr_array* x = floats(6, values);
  gpuarr_blocked *from = divided(team, &grid, x, 0), *out = NULL;
  assert_ok(gpuarr_blocked_scan(&out, "cummin", from, 0, 0));
  float* found = bytes_of_blocked(out);
  assert_true(found[0] == 3 && found[1] == 2);
  for (int k = 2; k < 6; ++k) assert_true(isnan(found[k]));
  free(found);
  gpuarr_blocked_release(out);
  gpuarr_blocked_release(from);
  gpuarr_array_release(x);
  gpuarr_team_release(team);
}

/* Results in a transposed view of the elements: in the same grid, blocks lie over others. */
static void scans_over_a_view(void** state) {
  (void)state;
  const struct grid grid = {.ndim = 2, .shape = {12, 12}, .chunk = {5, 5}};
  gpuarr_team* team = team_of(3);
  gpuarr_array *x = random_elements(GPUARR_I64, 2, grid.shape), *expected = NULL;
  gpuarr_blocked *from = divided(team, &grid, x, 1), *view = NULL;
  assert_ok(gpuarr_cumsum(&expected, x, 1, 0, NULL));
  assert_ok(gpuarr_blocked_transpose(&view, from, 0, NULL));
  assert_ok(gpuarr_blocked_scan(&view, "cumsum", from, 1, 0));
  assert_whole(view, expected);
  gpuarr_blocked_release(view);
  gpuarr_blocked_release(from);
  release_arrays((gpuarr_array*[]){x, expected}, 2);
  gpuarr_team_release(team);
}

static void scans_of_nothing(void** state) {
  (void)state;
  gpuarr_team* team = team_of(3);
  const int64_t shapes[][2] = {{0, 4}, {4, 0}};
  for (int k = 0; k < 4; ++k) {
    gpuarr_blocked *x = NULL, *out = NULL;
    const int64_t chunk[] = {2, 2};
    assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shapes[k / 2], chunk, NULL));
    assert_ok(gpuarr_blocked_scan(&out, "cumprod", x, k % 2, 1));
    assert_int_equal(gpuarr_blocked_extent(out, 0), shapes[k / 2][0]);
    gpuarr_blocked_release(out);
    gpuarr_blocked_release(x);
  }
  gpuarr_team_release(team);
}

/* Blocks without elements, between others. */
static void scans_past_empty_blocks(void** state) {
  (void)state;
  if (in_world() || on_all_gpus()) skip();
  gpuarr_team* team = team_of(4);
  const int64_t sizes[] = {2, 0, 3, 0}, grid[] = {4};
  const double expected[] = {1, 2, 3, 4, 5};
  gpuarr_array* parts[4];
  for (int k = 0; k < 4; ++k) {
    parts[k] = line(GPUARR_I32, sizes[k]);
    assert_ok(gpuarr_array_fill(parts[k], gpuarr_arg_i64(1), NULL));
  }
  gpuarr_blocked *x = NULL, *out = NULL;
  assert_ok(gpuarr_blocked_from_local(&x, team, parts, 4, grid, NULL));
  assert_ok(gpuarr_blocked_scan(&out, "cumsum", x, 0, 0));
  int64_t* found = bytes_of_blocked(out);
  for (int k = 0; k < 5; ++k) assert_true((double)found[k] == expected[k]);
  free(found);
  gpuarr_blocked_release(out);
  gpuarr_blocked_release(x);
  release_arrays(parts, 4);
  gpuarr_team_release(team);
}

static void refused_scans(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team *team = team_of(2), *other = team_of(2);
  gpuarr_blocked *x = NULL, *far = NULL, *shorter = NULL, *out = NULL, *one = NULL;
  const int64_t shape[] = {4, 5};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I32, 2, shape, NULL, NULL));
  assert_ok(gpuarr_blocked_empty(&far, other, GPUARR_I64, 2, shape, NULL, NULL));
  assert_ok(gpuarr_blocked_empty(&shorter, team, GPUARR_I64, 1, shape, NULL, NULL));
  assert_ok(gpuarr_blocked_empty(&one, team, GPUARR_I64, 0, NULL, NULL, NULL));
  assert_status(gpuarr_blocked_scan(&out, "cummean", x, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_blocked_scan: there is no scan \"cummean\"; give \"cumsum\"");
  assert_status(gpuarr_blocked_scan(&out, NULL, x, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("name is NULL");
  assert_status(gpuarr_blocked_scan(&out, "cumsum", x, 2, 0), GPUARR_ERR_AXIS);
  assert_message_has("axis is 2");
  assert_status(gpuarr_blocked_scan(&out, "cumsum", one, 0, 0), GPUARR_ERR_AXIS);
  assert_status(gpuarr_blocked_scan(&out, "cumsum", x, 0, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("exclusive is 2; give 1 or 0");
  assert_status(gpuarr_blocked_scan(&x, "cumsum", x, 0, 0), GPUARR_ERR_DTYPE);
  assert_message_has("out is int32, but the result is int64; give such an array");
  assert_status(gpuarr_blocked_scan(&shorter, "cumsum", x, 0, 0), GPUARR_ERR_SHAPE);
  assert_message_has("out has shape (4,), but the result has (4, 5); give such an array");
  assert_status(gpuarr_blocked_scan(&far, "cumsum", x, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is of another team than the inputs");
  assert_status(gpuarr_blocked_scan(NULL, "cumsum", x, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_blocked_scan(&out, "cumsum", NULL, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("x is NULL");
  assert_null(out);
  for (gpuarr_blocked** b = (gpuarr_blocked*[]){x, far, shorter, one, NULL}; *b != NULL; ++b)
    gpuarr_blocked_release(*b);
  gpuarr_team_release(other);
  gpuarr_team_release(team);
}

/* Numbers with all kinds of bits: NaN of several payloads, infinities, 0 and -0, ties. */
static gpuarr_array* random_bits_of(gpuarr_dtype dtype, int64_t count) {
  const int64_t part = dtype == GPUARR_C64    ? 4
                       : dtype == GPUARR_C128 ? 8
                                              : gpuarr_dtype_size(dtype);
  const int64_t bytes = count * gpuarr_dtype_size(dtype);
  const int is_float = dtype >= GPUARR_F16;
  char* data = malloc((size_t)bytes + 8);
  const int digits = part == 8 ? 52 : part == 4 ? 23 : dtype == GPUARR_F16 ? 10 : 7;
  for (int64_t at = 0; at < bytes; at += part) {
    uint64_t bits = random_bits();
    const uint64_t sign = bits & 1, top = (UINT64_C(1) << (8 * part - 1)) - 1;
    if (is_float && random_between(0, 4) == 0) /* NaN or infinity */
      bits = (top & ~((UINT64_C(1) << digits) - 1)) + (uint64_t)random_between(0, 2);
    else if (is_float && random_between(0, 2) == 0)
      bits = 0;
    else if (random_between(0, 1) == 0)
      bits = (uint64_t)random_between(0, 3);
    if (is_float) bits = (bits & top) | sign << (8 * part - 1);
    if (dtype == GPUARR_BOOL) bits &= 1;
    memcpy(data + at, &bits, (size_t)part);
  }
  gpuarr_array* out = from(dtype, 1, &count, data);
  free(data);
  return out;
}

static void check_sort(const gpuarr_array* x, const struct grid* grid, int replicated) {
  gpuarr_team* team = team_of((int32_t)random_between(1, 8));
  const int32_t descending = (int32_t)random_between(0, 1);
  gpuarr_array* expected = NULL;
  assert_ok(gpuarr_sort(&expected, x, 0, descending, NULL));
  gpuarr_blocked *from = divided(team, grid, x, replicated), *made = NULL;
  const struct grid other = random_chunks(1, grid->shape, 6);
  gpuarr_blocked* given = divided(team, &other, x, random_between(0, 4) == 0);
  assert_ok(gpuarr_blocked_sort(&made, from, descending));
  assert_whole(made, expected);
  assert_ok(gpuarr_blocked_sort(&given, from, descending));
  assert_whole(given, expected);
  assert_whole(from, x);
  assert_ok(gpuarr_blocked_sort(&from, from, descending));
  assert_whole(from, expected);
  gpuarr_blocked_release(given);
  gpuarr_blocked_release(made);
  gpuarr_blocked_release(from);
  gpuarr_array_release(expected);
  gpuarr_team_release(team);
}

static void random_sorts(void** state) {
  (void)state;
  for (int round = 0; round < 15; ++round) {
    const gpuarr_dtype dtype = order_dtypes[round % order_dtype_count];
    const int64_t count = random_between(1, round % 3 == 0 ? 30 : 3000);
    struct grid grid = random_chunks(1, &count, 10);
    if (dtype == GPUARR_F32) add_random_halo(&grid);
    gpuarr_array* x = random_bits_of(dtype, count);
    check_sort(x, &grid, round % 9 == 0);
    gpuarr_array_release(x);
  }
}

static void sorts_of_equals_and_of_what_is_sorted(void** state) {
  (void)state;
  const int64_t count = 5000;
  for (int round = 0; round < 6; ++round) {
    const struct grid grid = random_chunks(1, &count, 9);
    gpuarr_array* x = round < 3 ? line(GPUARR_F32, count) : ramp(GPUARR_F32, count);
    check_sort(x, &grid, 0);
    gpuarr_array_release(x);
  }
}

static void few_elements(void** state) {
  (void)state;
  for (int64_t count = 0; count < 12; ++count) {
    const struct grid grid = random_chunks(1, &count, 4);
    gpuarr_array* x = random_bits_of(GPUARR_F32, count);
    check_sort(x, &grid, 0);
    gpuarr_array_release(x);
  }
}

static void refused_sorts(void** state) {
  (void)state;
  gpuarr_team* team = team_of(2);
  gpuarr_blocked *x = NULL, *matrix = NULL, *out = NULL;
  const int64_t shape[] = {4, 5};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F32, 1, shape, NULL, NULL));
  assert_ok(gpuarr_blocked_empty(&matrix, team, GPUARR_F32, 2, shape, NULL, NULL));
  assert_status(gpuarr_blocked_sort(&out, matrix, 0), GPUARR_ERR_SHAPE);
  assert_message_has("gpuarr_blocked_sort: x has 2 axes; give a vector");
  assert_status(gpuarr_blocked_sort(&out, x, -1), GPUARR_ERR_ARGUMENT);
  assert_message_has("descending is -1; give 1 or 0");
  assert_status(gpuarr_blocked_sort(&matrix, x, 0), GPUARR_ERR_SHAPE);
  assert_message_has("out has shape (4, 5), but the result has (4,); give such an array");
  assert_status(gpuarr_blocked_sort(&out, NULL, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("x is NULL");
  assert_null(out);
  gpuarr_blocked_release(matrix);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_scans),
      cmocka_unit_test(scans_of_any_dtype),
      cmocka_unit_test(long_scans),
      cmocka_unit_test(same_bits_of_scans),
      cmocka_unit_test(nan_stays),
      cmocka_unit_test(scans_over_a_view),
      cmocka_unit_test(scans_of_nothing),
      cmocka_unit_test(scans_past_empty_blocks),
      cmocka_unit_test(refused_scans),
      cmocka_unit_test(random_sorts),
      cmocka_unit_test(sorts_of_equals_and_of_what_is_sorted),
      cmocka_unit_test(few_elements),
      cmocka_unit_test(refused_sorts),
  };
  return run_team_suite(tests);
}
