/* Tests of gpuarr/blocked_files.h: saving and loading in every format, by any grid. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blocks.h"

static char folder[64];

/* The same name in all processes, which have one parent. */
static const char* in_folder(const char* name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static const char* name_of(int32_t format) {
  return format == GPUARR_FILE_NPY ? "x.npy" : "x.zarr";
}

static int32_t random_format(void) {
  return (int32_t)random_between(GPUARR_FILE_NPY, GPUARR_FILE_ZARR3);
}

/* With the file's chunks, with others, and by one array that NumPy's format is read as. */
static void there_and_back(void** state) {
  (void)state;
  for (int round = 0; round < 40; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid grid = random_grid(), other = grid;
    add_random_halo(&grid);
    for (int32_t axis = 0; axis < grid.ndim; ++axis)
      other.chunk[axis] = random_between(1, grid.shape[axis]);
    const int32_t format = random_format();
    const char* path = in_folder(name_of(format));
    gpuarr_blocked *x = blocked_of(team, &grid, GPUARR_I64, round % 5 == 0), *same = NULL,
                   *y = NULL;
    int64_t* values = random_numbers(elements(grid.ndim, grid.shape));
    write_all(x, values);
    assert_ok(gpuarr_blocked_save(path, x, format));
    assert_ok(gpuarr_blocked_load(&same, team, path, 0, NULL, NULL));
    assert_all(team, same, values);
    for (int32_t axis = 0; axis < grid.ndim && format != GPUARR_FILE_NPY; ++axis)
      assert_int_equal(gpuarr_blocked_count(same, axis), gpuarr_blocked_count(x, axis));
    gpuarr_blocked_options* options =
        random_options(&other, gpuarr_team_size(team), round % 7 == 0);
    assert_ok(gpuarr_blocked_load(&y, team, path, other.ndim, other.chunk, options));
    assert_all(team, y, values);
    gpuarr_blocked_options_release(options);
    gpuarr_blocked_release(y);
    gpuarr_blocked_release(same);
    gpuarr_blocked_release(x);
    free(values);
    gpuarr_team_release(team);
  }
}

/* A file that is written slab by slab, and read so. */
static void in_parts(void** state) {
  (void)state;
  for (int32_t format = GPUARR_FILE_NPY; format <= GPUARR_FILE_ZARR3; ++format) {
    gpuarr_team* team = team_of(3);
    const char* path = in_folder(name_of(format));
    const int64_t whole[] = {20, 6}, slab[] = {5, 6}, chunk[] = {5, 3};
    gpuarr_blocked* x = NULL;
    assert_ok(gpuarr_file_create(team, path, format, GPUARR_I64, 2, whole, chunk));
    assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, 2, slab, chunk, NULL));
    for (int64_t row = 0; row < 15; row += 5) {
      assert_ok(gpuarr_blocked_arange(x, gpuarr_arg_i64(row * 6), gpuarr_arg_i64(1)));
      assert_ok(gpuarr_blocked_save_part(path, x, (int64_t[]){row, 0}));
    }
    int64_t expected[30];
    for (int64_t row = 0; row < 20; row += 5) {
      for (int k = 0; k < 30; ++k) expected[k] = row < 15 ? row * 6 + k : 0;
      assert_ok(gpuarr_blocked_load_part(x, path, (int64_t[]){row, 0}));
      assert_all(team, x, expected);
    }
    gpuarr_blocked_release(x);
    gpuarr_team_release(team);
  }
}

static void refused(void** state) {
  (void)state;
  if (in_world() || on_all_gpus()) skip();
  gpuarr_team* team = team_of(2);
  gpuarr_blocked *x = NULL, *y = NULL, *uneven = NULL;
  const int64_t shape[] = {6}, chunk[] = {3}, off[] = {1}, two[] = {2};
  const char* path = in_folder("y.zarr");
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, 1, shape, chunk, NULL));
  assert_ok(gpuarr_blocked_fill(x, gpuarr_arg_i64(1)));
  assert_status(gpuarr_blocked_save(NULL, x, GPUARR_FILE_NPY), GPUARR_ERR_ARGUMENT);
  assert_message_has("path is NULL");
  assert_status(gpuarr_blocked_save("x", x, 4), GPUARR_ERR_ARGUMENT);
  assert_message_has("format is 4");
  assert_status(gpuarr_blocked_save("/nowhere/x.npy", x, GPUARR_FILE_NPY), GPUARR_ERR_IO);
  assert_status(gpuarr_blocked_load(&y, team, in_folder("none"), 0, NULL, NULL), GPUARR_ERR_IO);
  assert_null(y);
  assert_ok(gpuarr_file_create(team, path, GPUARR_FILE_ZARR, GPUARR_I64, 1, (int64_t[]){12}, two));
  assert_status(gpuarr_blocked_save_part(path, x, NULL), GPUARR_ERR_LAYOUT);
  assert_message_has("a block has the indices 0 to 3 of axis 0 in the file, which are not whole");
  assert_status(gpuarr_blocked_load_part(x, path, (int64_t[]){7}), GPUARR_ERR_SHAPE);
  assert_message_has("start[0] is 7");
  assert_ok(gpuarr_blocked_load_part(x, path, off));
  assert_status(gpuarr_blocked_load(&y, team, path, 2, (int64_t[]){2, 2}, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("ndim is 2, but the array in the file has shape (12,)");
  assert_status(gpuarr_blocked_load(&y, team, path, 1, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("chunk is NULL, but ndim is 1; give as many extents, or 0");
  assert_status(gpuarr_file_create(team, path, GPUARR_FILE_ZARR, GPUARR_I64, 1, shape, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("chunk is NULL");
  gpuarr_array* arrays[2];
  for (int k = 0; k < 2; ++k) {
    const int64_t extent = 2 + k;
    assert_ok(gpuarr_array_zeros(&arrays[k], open_test_device(), GPUARR_I64, 1, &extent, 0, NULL));
  }
  assert_ok(gpuarr_blocked_from_local(&uneven, team, arrays, 2, two, NULL));
  gpuarr_blocked* three = NULL;
  gpuarr_team* more = team_of(3);
  gpuarr_array* all[] = {arrays[0], arrays[1], arrays[0]};
  assert_ok(gpuarr_blocked_from_local(&three, more, all, 3, (int64_t[]){3}, NULL));
  assert_status(gpuarr_blocked_save(path, three, GPUARR_FILE_ZARR), GPUARR_ERR_LAYOUT);
  assert_message_has("have different extents");
  assert_ok(gpuarr_blocked_save(in_folder("x.npy"), three, GPUARR_FILE_NPY));
  for (int k = 0; k < 2; ++k) gpuarr_array_release(arrays[k]);
  gpuarr_blocked_release(three);
  gpuarr_blocked_release(uneven);
  gpuarr_blocked_release(x);
  gpuarr_team_release(more);
  gpuarr_team_release(team);
}

int main(void) {
  snprintf(folder, sizeof folder, "/tmp/gpuarr_blocked_files_%d",
           (int)(in_world() ? getppid() : getpid()));
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(in_parts),
      cmocka_unit_test(refused),
  };
  const int failed = run_team_suite(tests);
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) return 1;
  return failed;
}
