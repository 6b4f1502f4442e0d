/* See blocks.h. */
#include "blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int in_world(void) {
  const char* team = getenv("GPUARR_TEST_TEAM");
  return team != NULL && strcmp(team, "world") == 0;
}

int on_all_gpus(void) {
  const char* team = getenv("GPUARR_TEST_TEAM");
  return team != NULL && strcmp(team, "gpus") == 0;
}

static gpuarr_device* device_of(int32_t place) {
  if (!on_all_gpus()) return open_test_device();
  int32_t count = 0;
  char name[24];
  gpuarr_device* device = NULL;
  assert_ok(gpuarr_device_count(&count, GPUARR_DEVICE_CUDA));
  snprintf(name, sizeof name, "cuda:%d", (int)(place % count));
  assert_ok(gpuarr_device_open(&device, name));
  return device;
}

int has_first(gpuarr_team* team) { return gpuarr_team_first(team) == 0; }

static gpuarr_team* world;

int end_of_world(void** state) {
  gpuarr_team_release(world);
  return check_nothing_lives(state);
}

gpuarr_team* team_of(int32_t places) {
  gpuarr_device* devices[16];
  gpuarr_team* team = NULL;
  if (in_world()) { /* connecting GPUs takes half a second */
    if (world == NULL) assert_ok(gpuarr_team_world(&world, NULL));
    return gpuarr_team_retain(world);
  }
  for (int32_t k = 0; k < places; ++k) devices[k] = device_of(k);
  assert_ok(gpuarr_team_local(&team, devices, places));
  return team;
}

int64_t elements(int32_t ndim, const int64_t* shape) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < ndim; ++axis) count *= shape[axis];
  return count;
}

int64_t offset_in(int32_t ndim, const int64_t* shape, const int64_t* index) {
  int64_t offset = 0;
  for (int32_t axis = 0; axis < ndim; ++axis) offset = offset * shape[axis] + index[axis];
  return offset;
}

int next_index(int32_t ndim, const int64_t* shape, int64_t* index) {
  for (int32_t axis = ndim - 1; axis >= 0; --axis) {
    if (++index[axis] < shape[axis]) return 1;
    index[axis] = 0;
  }
  return 0;
}

struct grid random_grid(void) {
  struct grid grid = {.ndim = (int32_t)random_between(1, 3)};
  for (int32_t axis = 0; axis < grid.ndim; ++axis) {
    grid.shape[axis] = random_between(1, 13);
    grid.chunk[axis] = random_between(1, grid.shape[axis] + 2);
  }
  return grid;
}

void add_random_halo(struct grid* grid) {
  for (int32_t axis = 0; axis < grid->ndim; ++axis) {
    const int64_t most = grid->shape[axis] < 4 ? grid->shape[axis] : 4;
    grid->low[axis] = random_between(0, most);
    grid->high[axis] = random_between(0, most);
    grid->boundary[axis] = (int32_t)random_between(GPUARR_BOUNDARY_NONE, GPUARR_BOUNDARY_REFLECT);
  }
}

static void set_random_owners(gpuarr_blocked_options* options, const struct grid* grid,
                              int32_t places) {
  int64_t blocks = 1;
  for (int32_t axis = 0; axis < grid->ndim; ++axis)
    if (grid->shape[axis] > 0)
      blocks *= (grid->shape[axis] + grid->chunk[axis] - 1) / grid->chunk[axis];
  int32_t* owners = malloc((size_t)blocks * sizeof *owners);
  for (int64_t k = 0; k < blocks; ++k) owners[k] = (int32_t)random_between(0, places - 1);
  assert_ok(gpuarr_blocked_options_set_owners(options, owners, blocks));
  free(owners);
}

gpuarr_blocked_options* random_options(const struct grid* grid, int32_t places, int replicated) {
  gpuarr_blocked_options* options = NULL;
  assert_ok(gpuarr_blocked_options_create(&options));
  const int64_t kind = replicated ? 3 : random_between(0, 2);
  if (kind == 0)
    set_random_owners(options, grid, places);
  else
    assert_ok(gpuarr_blocked_options_set_placement(options, (int32_t)kind));
  assert_ok(gpuarr_blocked_options_set_order(options, (int32_t)random_between(0, 1)));
  assert_ok(
      gpuarr_blocked_options_set_halo(options, grid->ndim, grid->low, grid->high, grid->boundary));
  for (int32_t axis = 0; axis < grid->ndim; ++axis)
    if (grid->boundary[axis] == GPUARR_BOUNDARY_CONSTANT)
      assert_ok(gpuarr_blocked_options_set_fill(options, gpuarr_arg_i64(-7)));
  return options;
}

gpuarr_blocked* blocked_of(gpuarr_team* team, const struct grid* grid, gpuarr_dtype dtype,
                           int replicated) {
  gpuarr_blocked* out = NULL;
  gpuarr_blocked_options* options = random_options(grid, gpuarr_team_size(team), replicated);
  assert_ok(gpuarr_blocked_empty(&out, team, dtype, grid->ndim, grid->shape, grid->chunk, options));
  gpuarr_blocked_options_release(options);
  return out;
}

int64_t* random_numbers(int64_t count) {
  int64_t* numbers = malloc((size_t)(count + 1) * sizeof *numbers);
  for (int64_t k = 0; k < count; ++k) numbers[k] = random_between(0, 1000000);
  return numbers;
}

static int64_t size_of(gpuarr_blocked* blocked) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < gpuarr_blocked_ndim(blocked); ++axis)
    count *= gpuarr_blocked_extent(blocked, axis);
  return count;
}

void write_all(gpuarr_blocked* blocked, const int64_t* values) {
  assert_ok(gpuarr_blocked_write(blocked, NULL, NULL, (int32_t)random_between(-1, 0), values,
                                 size_of(blocked) * 8, NULL));
}

void assert_all(gpuarr_team* team, gpuarr_blocked* blocked, const int64_t* values) {
  const int64_t count = size_of(blocked);
  const int32_t place = (int32_t)random_between(-1, 0);
  int64_t* found = malloc((size_t)(count + 1) * sizeof *found);
  assert_ok(gpuarr_blocked_read(found, count * 8, NULL, blocked, NULL, NULL, place));
  if (place < 0 || has_first(team)) assert_memory_equal(found, values, (size_t)count * 8);
  free(found);
}

int64_t* read_local(gpuarr_blocked* blocked, int64_t index, int32_t halo, int64_t* shape) {
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_blocked_local(&array, blocked, index, halo));
  const int32_t ndim = gpuarr_array_ndim(array);
  for (int32_t axis = 0; axis < ndim; ++axis) shape[axis] = gpuarr_array_shape(array)[axis];
  const int64_t count = gpuarr_array_size(array);
  int64_t* out = malloc((size_t)(count + 1) * sizeof *out);
  assert_ok(gpuarr_array_read(out, count * 8, NULL, array, NULL));
  gpuarr_array_release(array);
  return out;
}

int64_t source_index(int64_t index, int64_t extent, int32_t boundary) {
  if (index >= 0 && index < extent) return index;
  switch (boundary) {
    case GPUARR_BOUNDARY_PERIODIC:
      return (index + extent) % extent;
    case GPUARR_BOUNDARY_NEAREST:
      return index < 0 ? 0 : extent - 1;
    case GPUARR_BOUNDARY_REFLECT:
      return index < 0 ? -index - 1 : 2 * extent - index - 1;
    default:
      return -1;
  }
}
