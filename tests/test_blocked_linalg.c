/* Tests of gpuarr/blocked_linalg.h: products of blocked matrices against gpuarr_matmul of the
 * undivided ones. Elements are small whole numbers, so that sums are exact in any order. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "whole.h"

static const gpuarr_dtype all_dtypes[] = {GPUARR_F32, GPUARR_BOOL, GPUARR_I8,  GPUARR_I16,
                                          GPUARR_I32, GPUARR_I64,  GPUARR_U8,  GPUARR_U16,
                                          GPUARR_F64, GPUARR_U32,  GPUARR_U64, GPUARR_F16,
                                          GPUARR_C64, GPUARR_C128, GPUARR_BF16};
enum { dtype_count = sizeof all_dtypes / sizeof *all_dtypes };

static gpuarr_dtype random_dtype(void) { return all_dtypes[random_between(0, dtype_count - 1)]; }

/* A factor with the inner extent `k`: some are vectors. */
static gpuarr_array* random_factor(gpuarr_dtype dtype, int is_left, int is_vector, int64_t k) {
  const int64_t other = random_between(1, 40);
  const int64_t shape[] = {is_left ? other : k, is_left ? k : other};
  const int is_unsigned = dtype == GPUARR_BOOL || (dtype >= GPUARR_U8 && dtype <= GPUARR_U64);
  return random_whole(dtype, is_vector ? 1 : 2, is_vector ? &k : shape, is_unsigned ? 0 : -1, 1);
}

static gpuarr_blocked* divided_at_random(gpuarr_team* team, const gpuarr_array* whole,
                                         int64_t most) {
  struct grid grid = random_chunks(gpuarr_array_ndim(whole), gpuarr_array_shape(whole), most);
  if (gpuarr_array_dtype(whole) == GPUARR_F32) add_random_halo(&grid);
  return divided(team, &grid, whole, random_between(0, 4) == 0);
}

/* A product of any dtypes, grids and places, into an array that is made or given. */
static void check_product(gpuarr_dtype left, gpuarr_dtype right, int64_t k, int vectors) {
  gpuarr_team* team = team_of((int32_t)random_between(1, 8));
  gpuarr_array* x = random_factor(left, 1, (vectors & 1) != 0, k);
  gpuarr_array* y = random_factor(right, 0, (vectors & 2) != 0, k);
  gpuarr_array* expected = NULL;
  assert_ok(gpuarr_matmul(&expected, x, y, 0, NULL));
  gpuarr_blocked* a = divided_at_random(team, x, 5);
  gpuarr_blocked* b = divided_at_random(team, y, 5);
  gpuarr_blocked *made = NULL, *given = divided_at_random(team, expected, 4);
  assert_ok(gpuarr_blocked_fill(given, gpuarr_arg_i64(1)));
  assert_ok(gpuarr_blocked_matmul(&made, a, b));
  assert_whole_values(made, expected);
  assert_ok(gpuarr_blocked_matmul(&given, a, b));
  assert_whole_values(given, expected);
  gpuarr_blocked_release(given);
  gpuarr_blocked_release(made);
  gpuarr_blocked_release(b);
  gpuarr_blocked_release(a);
  release_arrays((gpuarr_array*[]){x, y, expected}, 3);
  gpuarr_team_release(team);
}

static void random_products(void** state) {
  (void)state;
  require_blas();
  for (int round = 0; round < 4 * dtype_count; ++round) {
    const gpuarr_dtype dtype = all_dtypes[round % dtype_count];
    check_product(dtype, dtype, random_between(1, round % 2 == 0 ? 700 : 20), 0);
  }
}

static void dtypes_that_differ(void** state) {
  (void)state;
  require_blas();
  for (int round = 0; round < 20; ++round)
    check_product(random_dtype(), random_dtype(), random_between(1, 300), 0);
}

static void vectors(void** state) {
  (void)state;
  require_blas();
  for (int round = 0; round < 18; ++round)
    check_product(all_dtypes[round % 3], all_dtypes[round % 3], random_between(1, 400),
                  1 + round % 3);
}

static void no_elements(void** state) {
  (void)state;
  require_blas();
  gpuarr_team* team = team_of(3);
  const int64_t shapes[][3] = {{5, 0, 4}, {0, 6, 4}, {5, 6, 0}, {0, 0, 0}};
  for (int k = 0; k < 4; ++k) {
    const int64_t *s = shapes[k], left[] = {s[0], s[1]}, right[] = {s[1], s[2]};
    gpuarr_array *x = zeros(GPUARR_F32, 2, left), *y = zeros(GPUARR_F32, 2, right);
    gpuarr_array* expected = zeros(GPUARR_F32, 2, (int64_t[]){s[0], s[2]});
    gpuarr_blocked *a = divided_at_random(team, x, 1), *b = divided_at_random(team, y, 1);
    gpuarr_blocked *out = NULL, *given = divided_at_random(team, expected, 2);
    assert_ok(gpuarr_blocked_matmul(&out, a, b));
    assert_whole_values(out, expected);
    assert_ok(gpuarr_blocked_fill(given, gpuarr_arg_i64(1)));
    assert_ok(gpuarr_blocked_matmul(&given, a, b));
    assert_whole_values(given, expected);
    gpuarr_blocked_release(given);
    gpuarr_blocked_release(out);
    gpuarr_blocked_release(b);
    gpuarr_blocked_release(a);
    release_arrays((gpuarr_array*[]){x, y, expected}, 3);
  }
  gpuarr_team_release(team);
}

/* x = x x, y = y^T y into y, and x by its own transpose. */
static void results_over_operands(void** state) {
  (void)state;
  require_blas();
  const int64_t shape[] = {300, 300};
  for (int round = 0; round < 6; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 6));
    gpuarr_array* x = random_whole(GPUARR_F64, 2, shape, -2, 2);
    gpuarr_array *turned = NULL, *expected = NULL;
    gpuarr_blocked *a = divided_at_random(team, x, 4), *view = NULL, *square = NULL;
    assert_ok(gpuarr_array_transpose(&turned, x, 0, NULL));
    assert_ok(gpuarr_matmul(&expected, turned, x, 0, NULL));
    assert_ok(gpuarr_blocked_transpose(&view, a, 0, NULL));
    assert_ok(gpuarr_blocked_matmul(&square, view, a));
    assert_whole_values(square, expected);
    assert_ok(gpuarr_blocked_matmul(round % 2 == 0 ? &a : &view, view, a));
    assert_whole_values(round % 2 == 0 ? a : view, expected);
    gpuarr_blocked_release(square);
    gpuarr_blocked_release(view);
    gpuarr_blocked_release(a);
    release_arrays((gpuarr_array*[]){x, turned, expected}, 3);
    gpuarr_team_release(team);
  }
}

static gpuarr_array* random_floats(int64_t rows, int64_t columns) {
  float* data = malloc((size_t)(rows * columns) * sizeof *data);
  for (int64_t k = 0; k < rows * columns; ++k) data[k] = (float)random_unit();
  gpuarr_array* out = from(GPUARR_F32, 2, (int64_t[]){rows, columns}, data);
  free(data);
  return out;
}

static gpuarr_blocked* in_c_order(gpuarr_team* team, const struct grid* grid, int replicated) {
  gpuarr_blocked* out = NULL;
  gpuarr_blocked_options* options = random_options(grid, gpuarr_team_size(team), replicated);
  assert_ok(gpuarr_blocked_options_set_order(options, GPUARR_ORDER_C));
  assert_ok(gpuarr_blocked_empty(&out, team, GPUARR_F32, 2, grid->shape, grid->chunk, options));
  gpuarr_blocked_options_release(options);
  return out;
}

/* Of x by y, or of x transposed by itself where y is null. */
static void* bits_of_product(gpuarr_team* team, const struct grid* grids, const gpuarr_array* x,
                             const gpuarr_array* y, int replicated) {
  gpuarr_blocked *a = in_c_order(team, &grids[0], replicated), *b = in_c_order(team, &grids[1], 0);
  gpuarr_blocked *out = in_c_order(team, &grids[2], 0), *view = NULL;
  write_whole(a, x);
  if (y != NULL) write_whole(b, y);
  assert_ok(gpuarr_blocked_transpose(&view, a, 0, NULL));
  assert_ok(gpuarr_blocked_matmul(&out, y != NULL ? a : view, y != NULL ? b : a));
  void* bits = bytes_of_blocked(out);
  gpuarr_blocked_release(view);
  gpuarr_blocked_release(out);
  gpuarr_blocked_release(b);
  gpuarr_blocked_release(a);
  return bits;
}

static void check_bits(const struct grid* grids, const gpuarr_array* x, const gpuarr_array* y) {
  gpuarr_device* device = open_test_device();
  gpuarr_team* alone = NULL;
  assert_ok(gpuarr_team_local(&alone, &device, 1));
  void* expected = bits_of_product(alone, grids, x, y, 0);
  for (int32_t places = 2; places <= 8; ++places) {
    gpuarr_team* team = team_of(places);
    void* found = bits_of_product(team, grids, x, y, places % 3 == 0);
    const size_t count = (size_t)elements(2, grids[2].shape);
    assert_memory_equal(found, expected, count * sizeof(float));
    free(found);
    gpuarr_team_release(team);
  }
  free(expected);
  gpuarr_team_release(alone);
}

static void same_bits_at_any_number_of_places(void** state) {
  (void)state;
  require_blas();
  const int64_t shapes[][2] = {{130, 500}, {500, 90}, {130, 90}, {500, 500}};
  gpuarr_array* x = random_floats(shapes[0][0], shapes[0][1]);
  gpuarr_array* y = random_floats(shapes[1][0], shapes[1][1]);
  for (int round = 0; round < 4; ++round) {
    struct grid grids[3];
    for (int k = 0; k < 3; ++k) grids[k] = random_chunks(2, shapes[k], 4);
    check_bits(grids, x, y);
  }
  const struct grid whole = {.ndim = 2, .shape = {130, 500}, .chunk = {130, 500}};
  const struct grid square = {.ndim = 2, .shape = {500, 500}, .chunk = {500, 500}};
  check_bits((struct grid[]){whole, whole, square}, x, NULL);
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

/* Where the blocks of a product are made: (4, 4) by (4, 4) in 2 x 2 blocks each. */
static void places_of_products(void** state) {
  (void)state;
  if (in_world()) skip();
  require_blas();
  gpuarr_team* team = team_of(4);
  const int64_t shape[] = {4, 4}, chunk[] = {2, 2}, rows[] = {1, 4}, one[] = {4, 4};
  const int32_t turned[] = {3, 2, 1, 0};
  gpuarr_blocked *x = NULL, *y = NULL, *z = NULL, *all = NULL, *out = NULL;
  gpuarr_blocked_options* options = NULL;
  assert_ok(gpuarr_blocked_options_create(&options));
  assert_ok(gpuarr_blocked_options_set_owners(options, turned, 4));
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, chunk, options));
  assert_ok(gpuarr_blocked_empty(&y, team, GPUARR_F32, 2, shape, rows, options));
  assert_ok(gpuarr_blocked_empty(&z, team, GPUARR_F32, 2, shape, one, NULL));
  assert_ok(gpuarr_blocked_options_set_placement(options, GPUARR_PLACEMENT_REPLICATED));
  assert_ok(gpuarr_blocked_empty(&all, team, GPUARR_F32, 2, shape, one, options));
  gpuarr_blocked_options_release(options);
  for (gpuarr_blocked** b = (gpuarr_blocked*[]){x, y, z, all, NULL}; *b != NULL; ++b)
    assert_ok(gpuarr_blocked_fill(*b, gpuarr_arg_i64(1)));
  struct {
    gpuarr_blocked *x, *y;
    int64_t blocks;
    int32_t owners[4];
  } cases[] = {
      {x, x, 4, {3, 2, 1, 0}},   /* as both have it */
      {y, all, 4, {3, 2, 1, 0}}, /* nothing is sent */
      {y, z, 4, {3, 2, 1, 0}},   /* not where z is: there the others would have nothing to do */
      {all, all, 1, {0}},
  };
  for (int k = 0; k < 4; ++k, out = NULL) {
    assert_ok(gpuarr_blocked_matmul(&out, cases[k].x, cases[k].y));
    assert_int_equal(gpuarr_blocked_count(out, 0) * gpuarr_blocked_count(out, 1), cases[k].blocks);
    for (int64_t block = 0; block < cases[k].blocks; ++block)
      assert_int_equal(gpuarr_blocked_owner(out, block), cases[k].owners[block]);
    assert_int_equal(gpuarr_blocked_local_count(out), 4);
    gpuarr_blocked_release(out);
  }
  for (gpuarr_blocked** b = (gpuarr_blocked*[]){x, y, z, all, NULL}; *b != NULL; ++b)
    gpuarr_blocked_release(*b);
  gpuarr_team_release(team);
}

/* Blocks of arrays that lie as BLAS takes none. */
static void blocks_of_any_strides(void** state) {
  (void)state;
  if (in_world() || on_all_gpus()) skip();
  require_blas();
  gpuarr_team* team = team_of(2);
  const int64_t shape[] = {6, 10}, grid[] = {2, 1};
  const int32_t axes[] = {0, 1};
  gpuarr_array *whole[2], *parts[2], *out_parts[2];
  gpuarr_array *x = NULL, *turned = NULL, *expected = NULL;
  for (int k = 0; k < 2; ++k) {
    whole[k] = random_whole(GPUARR_F32, 2, shape, -3, 3);
    gpuarr_array *some = NULL, *memory = zeros(GPUARR_F32, 2, (int64_t[]){6, 24});
    assert_ok(gpuarr_array_slice(&some, whole[k], 1, 0, 10, 3)); /* (6, 4) */
    parts[k] = NULL;
    assert_ok(gpuarr_flip(&parts[k], some, 2, axes));
    gpuarr_array_release(some);
    out_parts[k] = NULL;
    assert_ok(gpuarr_array_slice(&out_parts[k], memory, 1, 0, 24, 2)); /* (6, 12) */
    gpuarr_array_release(memory);
  }
  assert_ok(gpuarr_concatenate(&x, (const gpuarr_array* const*)parts, 2, 0, NULL));
  assert_ok(gpuarr_array_transpose(&turned, x, 0, NULL));
  assert_ok(gpuarr_matmul(&expected, x, turned, 0, NULL));
  gpuarr_blocked *a = NULL, *view = NULL, *out = NULL;
  assert_ok(gpuarr_blocked_from_local(&a, team, parts, 2, grid, NULL));
  assert_ok(gpuarr_blocked_from_local(&out, team, out_parts, 2, grid, NULL));
  assert_ok(gpuarr_blocked_transpose(&view, a, 0, NULL));
  assert_ok(gpuarr_blocked_matmul(&out, a, view));
  assert_whole_values(out, expected);
  gpuarr_blocked_release(out);
  gpuarr_blocked_release(view);
  gpuarr_blocked_release(a);
  release_arrays(whole, 2);
  release_arrays(parts, 2);
  release_arrays(out_parts, 2);
  release_arrays((gpuarr_array*[]){x, turned, expected}, 3);
  gpuarr_team_release(team);
}

static gpuarr_blocked* empty_blocked(gpuarr_team* team, gpuarr_dtype dtype, int32_t ndim,
                                     const int64_t* shape) {
  gpuarr_blocked* out = NULL;
  assert_ok(gpuarr_blocked_empty(&out, team, dtype, ndim, shape, NULL, NULL));
  return out;
}

static void refused_products(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team *team = team_of(2), *other = team_of(2);
  const int64_t shape[] = {4, 5, 6};
  gpuarr_blocked* x = empty_blocked(team, GPUARR_F32, 2, shape);
  gpuarr_blocked* y = empty_blocked(team, GPUARR_F32, 2, shape + 1);
  gpuarr_blocked* cube = empty_blocked(team, GPUARR_F32, 3, shape);
  gpuarr_blocked* one = empty_blocked(team, GPUARR_F32, 0, NULL);
  gpuarr_blocked* far = empty_blocked(other, GPUARR_F32, 2, shape + 1);
  gpuarr_blocked* doubles = empty_blocked(team, GPUARR_F64, 2, (int64_t[]){4, 6});
  gpuarr_blocked* out = NULL;
  assert_status(gpuarr_blocked_matmul(&out, x, x), GPUARR_ERR_SHAPE);
  assert_message_has(
      "gpuarr_blocked_matmul: x has shape (4, 5) and y (4, 5): the last axis of x "
      "has extent 5, but the first of y has 4; they must be equal");
  assert_status(gpuarr_blocked_matmul(&out, cube, y), GPUARR_ERR_SHAPE);
  assert_message_has("x has 3 axes; give a vector or a matrix");
  assert_status(gpuarr_blocked_matmul(&out, x, one), GPUARR_ERR_SHAPE);
  assert_message_has("y has 0 axes; give a vector or a matrix");
  assert_status(gpuarr_blocked_matmul(&out, x, far), GPUARR_ERR_ARGUMENT);
  assert_message_has("x and y are of different teams");
  assert_status(gpuarr_blocked_matmul(NULL, x, y), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL; give the address of a variable");
  assert_status(gpuarr_blocked_matmul(&out, NULL, y), GPUARR_ERR_ARGUMENT);
  assert_message_has("x is NULL; give a live object");
  assert_null(out);
  assert_status(gpuarr_blocked_matmul(&x, x, y), GPUARR_ERR_SHAPE);
  assert_message_has("out has shape (4, 5), but the result has (4, 6); give such an array");
  assert_status(gpuarr_blocked_matmul(&doubles, x, y), GPUARR_ERR_DTYPE);
  assert_message_has("out is float64, but the result is float32; give such an array");
  assert_status(gpuarr_blocked_matmul(&far, x, y), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is of another team than the inputs");
  for (gpuarr_blocked** b = (gpuarr_blocked*[]){x, y, cube, one, far, doubles, NULL}; *b != NULL;
       ++b)
    gpuarr_blocked_release(*b);
  gpuarr_team_release(other);
  gpuarr_team_release(team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_products),
      cmocka_unit_test(dtypes_that_differ),
      cmocka_unit_test(vectors),
      cmocka_unit_test(no_elements),
      cmocka_unit_test(results_over_operands),
      cmocka_unit_test(same_bits_at_any_number_of_places),
      cmocka_unit_test(places_of_products),
      cmocka_unit_test(blocks_of_any_strides),
      cmocka_unit_test(refused_products),
  };
  return run_team_suite(tests);
}
