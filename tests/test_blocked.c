/* Tests of gpuarr/blocked.h: grids, places, halos, and what moves between blocks, on teams of one
 * process with 1 to 8 places. */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"

static void grid_of_blocks(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team* team = team_of(4);
  gpuarr_blocked* x = NULL;
  const int64_t shape[] = {1000, 300}, chunk[] = {400, 100};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, chunk, NULL));
  assert_int_equal(gpuarr_blocked_dtype(x), GPUARR_F32);
  assert_int_equal(gpuarr_blocked_ndim(x), 2);
  assert_int_equal(gpuarr_blocked_extent(x, -1), 300);
  assert_int_equal(gpuarr_blocked_count(x, 0), 3);
  assert_int_equal(gpuarr_blocked_count(x, 2), 0);
  assert_int_equal(gpuarr_blocked_start(x, 7, 0), 800);
  assert_int_equal(gpuarr_blocked_stop(x, 7, 0), 1000);
  assert_int_equal(gpuarr_blocked_start(x, 7, 1), 100);
  assert_int_equal(gpuarr_blocked_start(x, 9, 0), -1);
  assert_int_equal(gpuarr_blocked_local_count(x), 9);
  const int32_t owners[] = {0, 0, 0, 1, 1, 2, 2, 3, 3};
  for (int64_t k = 0; k < 9; ++k) {
    assert_int_equal(gpuarr_blocked_owner(x, k), owners[k]);
    assert_int_equal(gpuarr_blocked_local_number(x, k), k);
    assert_int_equal(gpuarr_blocked_local_place(x, k), owners[k]);
  }
  assert_int_equal(gpuarr_blocked_owner(x, 9), -1);
  gpuarr_array* last = NULL;
  assert_ok(gpuarr_blocked_local(&last, x, 8, 0));
  assert_int_equal(gpuarr_array_shape(last)[0], 200);
  gpuarr_array_release(last);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

static void more_places_than_blocks(void** state) {
  (void)state;
  gpuarr_team* team = team_of(8);
  gpuarr_blocked* x = NULL;
  const int64_t shape[] = {3};
  const int64_t values[] = {5, 6, 7};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, 1, shape, NULL, NULL));
  if (gpuarr_team_size(team) >= 3) assert_int_equal(gpuarr_blocked_count(x, 0), 3);
  write_all(x, values);
  assert_all(team, x, values);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

static void no_elements_and_no_axes(void** state) {
  (void)state;
  gpuarr_team* team = team_of(3);
  gpuarr_blocked *none = NULL, *one = NULL;
  const int64_t shape[] = {0, 4}, value = 42;
  assert_ok(gpuarr_blocked_empty(&none, team, GPUARR_I64, 2, shape, NULL, NULL));
  write_all(none, &value);
  assert_all(team, none, &value);
  assert_ok(gpuarr_blocked_empty(&one, team, GPUARR_I64, 0, NULL, NULL, NULL));
  assert_ok(gpuarr_blocked_fill(one, gpuarr_arg_i64(42)));
  assert_all(team, one, &value);
  gpuarr_blocked_release(one);
  gpuarr_blocked_release(none);
  gpuarr_team_release(team);
}

static void random_slabs(void** state) {
  (void)state;
  for (int round = 0; round < 60; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid grid = random_grid();
    add_random_halo(&grid);
    const int64_t count = elements(grid.ndim, grid.shape);
    gpuarr_blocked* x = blocked_of(team, &grid, GPUARR_I64, round % 7 == 0);
    int64_t* values = random_numbers(count);
    write_all(x, values);
    assert_all(team, x, values);
    int64_t start[most_axes], stop[most_axes], shape[most_axes], at[most_axes] = {0};
    for (int32_t axis = 0; axis < grid.ndim; ++axis) {
      start[axis] = random_between(0, grid.shape[axis] - 1);
      stop[axis] = random_between(start[axis] + 1, grid.shape[axis]);
      shape[axis] = stop[axis] - start[axis];
    }
    const int64_t part = elements(grid.ndim, shape);
    int64_t *given = random_numbers(part), *found = random_numbers(part);
    assert_ok(gpuarr_blocked_write(x, start, stop, 0, given, part * 8, NULL));
    assert_ok(gpuarr_blocked_read(found, part * 8, NULL, x, start, stop, -1));
    assert_memory_equal(found, given, (size_t)part * 8);
    do {
      int64_t whole[most_axes];
      for (int32_t axis = 0; axis < grid.ndim; ++axis) whole[axis] = start[axis] + at[axis];
      values[offset_in(grid.ndim, grid.shape, whole)] = given[offset_in(grid.ndim, shape, at)];
    } while (next_index(grid.ndim, shape, at));
    assert_all(team, x, values);
    free(found);
    free(given);
    free(values);
    gpuarr_blocked_release(x);
    gpuarr_team_release(team);
  }
}

static void random_redistributions(void** state) {
  (void)state;
  for (int round = 0; round < 60; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid from = random_grid(), to = from;
    for (int32_t axis = 0; axis < to.ndim; ++axis)
      to.chunk[axis] = random_between(1, to.shape[axis]);
    add_random_halo(&from);
    add_random_halo(&to);
    gpuarr_blocked* x = blocked_of(team, &from, GPUARR_I64, round % 5 == 0);
    gpuarr_blocked* y = blocked_of(team, &to, GPUARR_I64, round % 6 == 0);
    int64_t* values = random_numbers(elements(from.ndim, from.shape));
    write_all(x, values);
    assert_ok(gpuarr_redistribute(y, x));
    assert_all(team, y, values);
    free(values);
    gpuarr_blocked_release(y);
    gpuarr_blocked_release(x);
    gpuarr_team_release(team);
  }
}

static void check_ghosts(gpuarr_blocked* x, const struct grid* grid, const int64_t* values) {
  for (int64_t k = 0; k < gpuarr_blocked_local_count(x); ++k) {
    const int64_t number = gpuarr_blocked_local_number(x, k);
    int64_t shape[most_axes], at[most_axes] = {0}, first[most_axes];
    int64_t* found = read_local(x, k, 1, shape);
    for (int32_t axis = 0; axis < grid->ndim; ++axis) {
      const int64_t start = gpuarr_blocked_start(x, number, axis);
      first[axis] = start - grid->low[axis];
      if (grid->boundary[axis] == GPUARR_BOUNDARY_NONE && first[axis] < 0) first[axis] = 0;
    }
    do {
      int64_t source[most_axes];
      int constant = 0;
      for (int32_t axis = 0; axis < grid->ndim; ++axis) {
        source[axis] =
            source_index(first[axis] + at[axis], grid->shape[axis], grid->boundary[axis]);
        constant |= source[axis] < 0;
      }
      const int64_t expected = constant ? -7 : values[offset_in(grid->ndim, grid->shape, source)];
      assert_int_equal(found[offset_in(grid->ndim, shape, at)], expected);
    } while (next_index(grid->ndim, shape, at));
    free(found);
  }
}

static void random_halos(void** state) {
  (void)state;
  for (int round = 0; round < 100; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid grid = random_grid();
    add_random_halo(&grid);
    gpuarr_blocked* x = blocked_of(team, &grid, GPUARR_I64, round % 9 == 0);
    for (int again = 0; again < 2; ++again) {
      int64_t* values = random_numbers(elements(grid.ndim, grid.shape));
      write_all(x, values);
      if (round % 2 == 0) {
        assert_ok(gpuarr_halo_exchange(x));
      } else {
        assert_ok(gpuarr_halo_begin(x));
        assert_ok(gpuarr_halo_end(x));
      }
      check_ghosts(x, &grid, values);
      assert_all(team, x, values);
      free(values);
    }
    gpuarr_blocked_release(x);
    gpuarr_team_release(team);
  }
}

/* y[j, k, i] = x[i, j, k]. */
static void transposed_views(void** state) {
  (void)state;
  for (int round = 0; round < 20; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 5));
    struct grid grid = {.ndim = 3, .shape = {5, 7, 4}, .chunk = {2, 3, 3}};
    add_random_halo(&grid);
    gpuarr_blocked *x = blocked_of(team, &grid, GPUARR_I64, round % 4 == 0), *y = NULL;
    int64_t* values = random_numbers(140);
    int64_t expected[140], at[most_axes] = {0};
    const int32_t axes[] = {1, -1, 0};
    write_all(x, values);
    assert_ok(gpuarr_blocked_transpose(&y, x, 3, axes));
    const int64_t turned[] = {7, 4, 5};
    do {
      const int64_t to[] = {at[1], at[2], at[0]};
      expected[offset_in(3, turned, to)] = values[offset_in(3, grid.shape, at)];
    } while (next_index(3, grid.shape, at));
    assert_all(team, y, expected);
    assert_int_equal(gpuarr_blocked_count(y, 1), 2);
    values[0] = 77; /* the same memory */
    write_all(x, values);
    int64_t first = 0;
    assert_ok(gpuarr_blocked_read(&first, 8, NULL, y, NULL, (int64_t[]){1, 1, 1}, -1));
    assert_int_equal(first, 77);
    free(values);
    gpuarr_blocked_release(y);
    gpuarr_blocked_release(x);
    gpuarr_team_release(team);
  }
}

static gpuarr_array* local_array(const int64_t* shape, gpuarr_arg value) {
  gpuarr_array* out = NULL;
  assert_ok(
      gpuarr_array_empty(&out, open_test_device(), GPUARR_I64, 2, shape, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_array_fill(out, value, NULL));
  return out;
}

static void arrays_that_are_there(void** state) {
  (void)state;
  if (in_world() || on_all_gpus()) skip();
  gpuarr_team* team = team_of(4);
  /* Two by two blocks of 3 + 2 rows and 4 + 1 columns. */
  const int64_t shapes[][2] = {{3, 4}, {3, 1}, {2, 4}, {2, 1}}, grid[] = {2, 2};
  gpuarr_array* arrays[4];
  for (int k = 0; k < 4; ++k) arrays[k] = local_array(shapes[k], gpuarr_arg_i64(k));
  gpuarr_blocked *x = NULL, *bad = NULL;
  assert_ok(gpuarr_blocked_from_local(&x, team, arrays, 4, grid, NULL));
  assert_int_equal(gpuarr_blocked_extent(x, 0), 5);
  int64_t expected[25];
  for (int k = 0; k < 25; ++k) expected[k] = (k / 5 < 3 ? 0 : 2) + (k % 5 < 4 ? 0 : 1);
  assert_all(team, x, expected);
  assert_ok(gpuarr_array_fill(arrays[3], gpuarr_arg_i64(9), NULL)); /* no copy */
  expected[19] = expected[24] = 9;
  assert_all(team, x, expected);
  gpuarr_array* wrong[] = {arrays[0], arrays[1], arrays[2], arrays[1]};
  assert_status(gpuarr_blocked_from_local(&bad, team, wrong, 4, grid, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("the array of place 3 has extent 3 along axis 0, but those beside it make it");
  assert_null(bad);
  assert_status(gpuarr_blocked_from_local(&bad, team, arrays, 4, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("grid is NULL; give 2 numbers of blocks");
  assert_status(
      gpuarr_blocked_from_local(&bad, team, arrays, 4, (int64_t[]){1, INT64_C(1) << 62}, NULL),
      GPUARR_ERR_ARGUMENT);
  assert_message_has("grid[1] is 4611686018427387904; give a number of blocks, 1 to 4");
  assert_status(gpuarr_blocked_from_local(&bad, team, arrays, 4, (int64_t[]){3, 1}, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("grid is (3, 1), which is 3 blocks, but the team has 4 places");
  assert_status(gpuarr_blocked_from_local(&bad, team, arrays, 3, grid, NULL), GPUARR_ERR_ARGUMENT);
  for (int k = 0; k < 4; ++k) gpuarr_array_release(arrays[k]);
  assert_all(team, x, expected);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

static void counts_through_many_axes(void** state) {
  (void)state;
  gpuarr_team* team = team_of(2);
  gpuarr_blocked* x = NULL;
  int64_t shape[GPUARR_MAX_NDIM], chunk[GPUARR_MAX_NDIM], expected[60];
  for (int axis = 0; axis < GPUARR_MAX_NDIM; ++axis) shape[axis] = chunk[axis] = 1;
  shape[0] = 3, shape[15] = 4, shape[31] = 5;
  chunk[0] = 2, chunk[15] = 3, chunk[31] = 5;
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, GPUARR_MAX_NDIM, shape, chunk, NULL));
  assert_ok(gpuarr_blocked_arange(x, gpuarr_arg_i64(7), gpuarr_arg_i64(2)));
  for (int k = 0; k < 60; ++k) expected[k] = 7 + 2 * k;
  assert_all(team, x, expected);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

/* What is made like it is in their order. */
static void order_of_arrays_that_are_there(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team* team = team_of(2);
  const int64_t shape[] = {3, 2}, grid[] = {1, 2};
  for (int fortran = 0; fortran < 3; ++fortran) {
    gpuarr_array *arrays[2], *made = NULL;
    gpuarr_blocked *x = NULL, *like = NULL;
    for (int k = 0; k < 2; ++k)
      assert_ok(gpuarr_array_empty(&arrays[k], gpuarr_team_device(team, k), GPUARR_I64, 2, shape,
                                   fortran > k ? GPUARR_ORDER_F : GPUARR_ORDER_C, NULL));
    assert_ok(gpuarr_blocked_from_local(&x, team, arrays, 2, grid, NULL));
    assert_ok(gpuarr_blocked_empty_like(&like, x, 0));
    assert_ok(gpuarr_blocked_local(&made, like, 0, 0));
    assert_int_equal(gpuarr_array_strides(made)[0], fortran == 2 ? 1 : 2);
    for (int k = 0; k < 2; ++k) gpuarr_array_release(arrays[k]);
    gpuarr_array_release(made);
    gpuarr_blocked_release(like);
    gpuarr_blocked_release(x);
  }
  gpuarr_team_release(team);
}

/* One block of one element, and three ghost cells on either side. */
static void halo_of_arrays_that_are_there(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team* team = team_of(1);
  gpuarr_array* array = NULL;
  gpuarr_blocked* x = NULL;
  gpuarr_blocked_options* o = NULL;
  const int64_t shape[] = {7}, three[] = {3}, grid[] = {1};
  assert_ok(
      gpuarr_array_empty(&array, open_test_device(), GPUARR_I64, 1, shape, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_blocked_options_create(&o));
  assert_ok(gpuarr_blocked_options_set_halo(o, 1, three, three,
                                            (const int32_t[]){GPUARR_BOUNDARY_REFLECT}));
  assert_status(gpuarr_blocked_from_local(&x, team, &array, 1, grid, o), GPUARR_ERR_SHAPE);
  assert_message_has("the halo of axis 0 is 3 and 3 wide, but the axis has 1 elements");
  gpuarr_blocked_options_release(o);
  gpuarr_array_release(array);
  gpuarr_team_release(team);
}

static void begun_and_not_ended(void** state) {
  (void)state;
  gpuarr_team* team = team_of(3);
  struct grid grid = {.ndim = 1, .shape = {12}, .chunk = {2}, .low = {2}, .high = {1}};
  grid.boundary[0] = GPUARR_BOUNDARY_PERIODIC;
  gpuarr_blocked* x = blocked_of(team, &grid, GPUARR_I64, 0);
  assert_ok(gpuarr_blocked_fill(x, gpuarr_arg_i64(1)));
  assert_status(gpuarr_halo_end(x), GPUARR_ERR_ARGUMENT);
  assert_message_has("there was no gpuarr_halo_begin of this array; call gpuarr_halo_begin first");
  assert_ok(gpuarr_halo_begin(x));
  assert_status(gpuarr_halo_begin(x), GPUARR_ERR_ARGUMENT);
  assert_message_has("there was a gpuarr_halo_begin of this array; call gpuarr_halo_end first");
  assert_status(gpuarr_halo_exchange(x), GPUARR_ERR_ARGUMENT);
  assert_ok(gpuarr_halo_end(x));
  assert_status(gpuarr_halo_end(x), GPUARR_ERR_ARGUMENT);
  assert_ok(gpuarr_halo_exchange(x));
  assert_ok(gpuarr_halo_begin(x)); /* and never ended */
  gpuarr_blocked_release(x);
  assert_ok(gpuarr_team_synchronize(team));
  gpuarr_team_release(team);
}

static void counting_through_the_whole(void** state) {
  (void)state;
  for (int round = 0; round < 20; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid grid = random_grid();
    gpuarr_blocked* x = blocked_of(team, &grid, GPUARR_I64, 0);
    const int64_t count = elements(grid.ndim, grid.shape);
    int64_t* expected = random_numbers(count);
    for (int64_t k = 0; k < count; ++k) expected[k] = 100 - 3 * k;
    assert_ok(gpuarr_blocked_arange(x, gpuarr_arg_i64(100), gpuarr_arg_i64(-3)));
    assert_all(team, x, expected);
    free(expected);
    gpuarr_blocked_release(x);
    gpuarr_team_release(team);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grid_of_blocks),
      cmocka_unit_test(more_places_than_blocks),
      cmocka_unit_test(no_elements_and_no_axes),
      cmocka_unit_test(random_slabs),
      cmocka_unit_test(random_redistributions),
      cmocka_unit_test(random_halos),
      cmocka_unit_test(transposed_views),
      cmocka_unit_test(arrays_that_are_there),
      cmocka_unit_test(counts_through_many_axes),
      cmocka_unit_test(order_of_arrays_that_are_there),
      cmocka_unit_test(halo_of_arrays_that_are_there),
      cmocka_unit_test(begun_and_not_ended),
      cmocka_unit_test(counting_through_the_whole),
  };
  return run_team_suite(tests);
}
