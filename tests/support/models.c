/* See models.h. */
#include "models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"

int64_t model_size(const struct model* model) {
  return elements(model->grid.ndim, model->grid.shape);
}

int64_t blocks_along(const struct grid* grid, int32_t axis) {
  const int64_t chunk = grid->chunk[axis];
  return grid->shape[axis] == 0 ? 1 : (grid->shape[axis] + chunk - 1) / chunk;
}

static double* numbers(int64_t count) {
  double* out = malloc((size_t)(count + 1) * sizeof *out);
  for (int64_t k = 0; k < count; ++k) out[k] = (double)random_between(0, 60);
  return out;
}

struct model random_model(gpuarr_team* team, gpuarr_dtype dtype, int32_t ndim,
                          const int64_t* shape) {
  struct model out = {.dtype = dtype, .grid = {.ndim = ndim}};
  for (int32_t axis = 0; axis < ndim; ++axis) {
    out.grid.shape[axis] = shape[axis];
    out.grid.chunk[axis] = random_between(1, shape[axis] + 1);
  }
  if (random_between(0, 2) > 0) add_random_halo(&out.grid);
  out.blocked = blocked_of(team, &out.grid, dtype, random_between(0, 6) == 0);
  out.values = numbers(model_size(&out));
  void* data = malloc((size_t)model_size(&out) * 16 + 1);
  for (int64_t k = 0; k < model_size(&out); ++k) put_element(data, dtype, k, out.values[k]);
  assert_ok(gpuarr_blocked_write(out.blocked, NULL, NULL, (int32_t)random_between(-1, 0), data,
                                 model_size(&out) * gpuarr_dtype_size(dtype), NULL));
  free(data);
  return out;
}

struct model model_like(const struct model* other) {
  struct model out = *other;
  out.values = numbers(model_size(other));
  assert_ok(gpuarr_blocked_empty_like(&out.blocked, other->blocked, 0));
  return out;
}

void release_model(struct model* model) {
  gpuarr_blocked_release(model->blocked);
  free(model->values);
  memset(model, 0, sizeof *model);
}

static int64_t place_in(const struct model* model, const struct model* view, const int32_t* axes,
                        const int64_t* at) {
  int64_t from[most_axes] = {0};
  for (int32_t axis = 0; axis < view->grid.ndim; ++axis) from[axes[axis]] = at[axis];
  return offset_in(model->grid.ndim, model->grid.shape, from);
}

struct model transposed_model(const struct model* model, const int32_t* axes) {
  struct model out = *model;
  for (int32_t axis = 0; axis < out.grid.ndim; ++axis) {
    out.grid.shape[axis] = model->grid.shape[axes[axis]];
    out.grid.chunk[axis] = model->grid.chunk[axes[axis]];
    out.grid.low[axis] = model->grid.low[axes[axis]];
    out.grid.high[axis] = model->grid.high[axes[axis]];
    out.grid.boundary[axis] = model->grid.boundary[axes[axis]];
  }
  assert_ok(gpuarr_blocked_transpose(&out.blocked, model->blocked, out.grid.ndim, axes));
  out.values = numbers(model_size(model));
  int64_t at[most_axes] = {0};
  if (model_size(model) > 0) do {
      out.values[offset_in(out.grid.ndim, out.grid.shape, at)] =
          model->values[place_in(model, &out, axes, at)];
    } while (next_index(out.grid.ndim, out.grid.shape, at));
  return out;
}

void put_back(struct model* model, const struct model* view, const int32_t* axes) {
  int64_t at[most_axes] = {0};
  if (model_size(model) > 0) do {
      model->values[place_in(model, view, axes, at)] =
          view->values[offset_in(view->grid.ndim, view->grid.shape, at)];
    } while (next_index(view->grid.ndim, view->grid.shape, at));
}

/* A box of the array, and memory for its elements. */
struct slab {
  int32_t place;
  int64_t start[most_axes], stop[most_axes], extents[most_axes], strides[most_axes];
  int64_t count; /* of the memory */
};

static struct slab random_slab(gpuarr_team* team, const struct model* model) {
  struct slab slab = {.place = (int32_t)random_between(-1, gpuarr_team_size(team) - 1)};
  const int32_t ndim = model->grid.ndim;
  const int turned = random_between(0, 1) != 0, gap = (int)random_between(1, 2);
  for (int32_t axis = 0; axis < ndim; ++axis) {
    slab.start[axis] = random_between(0, model->grid.shape[axis]);
    slab.stop[axis] = random_between(slab.start[axis], model->grid.shape[axis]);
    slab.extents[axis] = slab.stop[axis] - slab.start[axis];
  }
  slab.count = gap;
  for (int32_t k = 0; k < ndim; ++k) {
    const int32_t axis = turned ? k : ndim - 1 - k;
    slab.strides[axis] = slab.count;
    slab.count *= slab.extents[axis];
  }
  return slab;
}

static int64_t place_of(const struct slab* slab, int32_t ndim, const int64_t* at) {
  int64_t place = 0;
  for (int32_t axis = 0; axis < ndim; ++axis) place += at[axis] * slab->strides[axis];
  return place;
}

static int64_t index_of(const struct slab* slab, const struct grid* grid, const int64_t* at) {
  int64_t whole[most_axes];
  for (int32_t axis = 0; axis < grid->ndim; ++axis) whole[axis] = slab->start[axis] + at[axis];
  return offset_in(grid->ndim, grid->shape, whole);
}

static int is_here(gpuarr_team* team, int32_t place) {
  const int32_t first = gpuarr_team_first(team);
  return place < 0 || (place >= first && place < first + gpuarr_team_local_count(team));
}

void write_slab(gpuarr_team* team, struct model* model) {
  const struct slab slab = random_slab(team, model);
  const int32_t ndim = model->grid.ndim;
  int64_t at[most_axes] = {0};
  char* data = calloc((size_t)slab.count + 1, 16);
  if (slab.count > 0) do {
      const double value = (double)random_between(0, 60);
      model->values[index_of(&slab, &model->grid, at)] = value;
      put_element(data, model->dtype, place_of(&slab, ndim, at), value);
    } while (next_index(ndim, slab.extents, at));
  assert_ok(gpuarr_blocked_write(model->blocked, slab.start, slab.stop, slab.place,
                                 is_here(team, slab.place) ? data : NULL,
                                 slab.count * gpuarr_dtype_size(model->dtype), slab.strides));
  free(data);
}

void check_slab(gpuarr_team* team, const struct model* model) {
  const struct slab slab = random_slab(team, model);
  const int32_t ndim = model->grid.ndim;
  int64_t at[most_axes] = {0};
  const int here = is_here(team, slab.place);
  char* data = calloc((size_t)slab.count + 1, 16);
  assert_ok(gpuarr_blocked_read(here ? data : NULL, slab.count * gpuarr_dtype_size(model->dtype),
                                slab.strides, model->blocked, slab.start, slab.stop, slab.place));
  if (here && slab.count > 0) do {
      const double found = get_element(data, model->dtype, place_of(&slab, ndim, at));
      assert_true(found == model->values[index_of(&slab, &model->grid, at)]);
    } while (next_index(ndim, slab.extents, at));
  free(data);
}

double value_beside(const struct model* model, const int64_t* index) {
  int64_t source[most_axes];
  for (int32_t axis = 0; axis < model->grid.ndim; ++axis) {
    source[axis] = source_index(index[axis], model->grid.shape[axis], model->grid.boundary[axis]);
    if (source[axis] < 0) return -7;
  }
  return model->values[offset_in(model->grid.ndim, model->grid.shape, source)];
}

static int64_t first_of(const struct model* model, int64_t number, int32_t axis, int halo) {
  const int64_t start = gpuarr_blocked_start(model->blocked, number, axis);
  const int64_t first = halo ? start - model->grid.low[axis] : start;
  return model->grid.boundary[axis] == GPUARR_BOUNDARY_NONE && first < 0 ? 0 : first;
}

static void check_local(const struct model* model, int64_t k, int halo) {
  const int32_t ndim = model->grid.ndim;
  const int64_t number = gpuarr_blocked_local_number(model->blocked, k);
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_blocked_local(&array, model->blocked, k, halo));
  const int64_t count = gpuarr_array_size(array), *shape = gpuarr_array_shape(array);
  void* data = malloc((size_t)count * 16 + 1);
  assert_ok(gpuarr_array_read(data, count * gpuarr_dtype_size(model->dtype), NULL, array, NULL));
  int64_t at[most_axes] = {0};
  int has_inner = 1; /* ghost cells around nothing are nothing's */
  for (int32_t axis = 0; axis < ndim; ++axis)
    has_inner &= gpuarr_blocked_start(model->blocked, number, axis) <
                 gpuarr_blocked_stop(model->blocked, number, axis);
  if (count > 0 && has_inner) do {
      int64_t index[most_axes];
      for (int32_t axis = 0; axis < ndim; ++axis)
        index[axis] = first_of(model, number, axis, halo) + at[axis];
      const double expected = value_beside(model, index);
      const double found = get_element(data, model->dtype, offset_in(ndim, shape, at));
      /* the constant has no imaginary part */
      assert_true(found == expected || (expected == -7 && isnan(found)));
    } while (next_index(ndim, shape, at));
  free(data);
  gpuarr_array_release(array);
}

void check_blocks(const struct model* model) {
  for (int64_t k = 0; k < gpuarr_blocked_local_count(model->blocked); ++k) check_local(model, k, 0);
}

void check_with_halo(const struct model* model) {
  for (int64_t k = 0; k < gpuarr_blocked_local_count(model->blocked); ++k) check_local(model, k, 1);
}

double* read_numbers(gpuarr_blocked* blocked, int64_t* count) {
  const gpuarr_dtype dtype = gpuarr_blocked_dtype(blocked);
  *count = 1;
  for (int32_t axis = 0; axis < gpuarr_blocked_ndim(blocked); ++axis)
    *count *= gpuarr_blocked_extent(blocked, axis);
  void* data = malloc((size_t)*count * 16 + 1);
  assert_ok(
      gpuarr_blocked_read(data, *count * gpuarr_dtype_size(dtype), NULL, blocked, NULL, NULL, -1));
  double* out = malloc((size_t)(*count + 1) * sizeof *out);
  for (int64_t k = 0; k < *count; ++k) out[k] = get_element(data, dtype, k);
  free(data);
  return out;
}
