/* Chains of views, against a model that knows nothing of strides: a view is the list of the
 * elements of its array, in C order of their indices. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "nested.h"
#include "support.h"

enum { MOST = 4096 }; /* elements of a model */

typedef struct model {
  int32_t ndim;
  int64_t shape[GPUARR_MAX_NDIM];
  int32_t values[MOST]; /* numbers of elements of the first array */
} model;

static gpuarr_device* device;

static int64_t size_of_model(const model* m) { return count_of(m->ndim, m->shape); }

static int32_t value_at(const model* m, const int64_t* index) {
  int64_t at = 0;
  for (int32_t axis = 0; axis < m->ndim; ++axis) at = at * m->shape[axis] + index[axis];
  return m->values[at];
}

/* For each index of `to`, in order, the element of `from` that source() names. */
typedef void (*index_map)(int64_t* source, const int64_t* index, const model* to, const void* what);

static void fill_model(model* to, const model* from, index_map map, const void* what) {
  int64_t index[GPUARR_MAX_NDIM] = {0};
  int64_t source[GPUARR_MAX_NDIM] = {0};
  if (size_of_model(to) == 0) return;
  int64_t at = 0;
  do {
    map(source, index, to, what);
    to->values[at++] = value_at(from, source);
  } while (next_index(to->ndim, to->shape, index));
}

static void random_model(model* m, int32_t ndim) {
  m->ndim = ndim;
  for (int32_t i = 0; i < ndim; ++i)
    m->shape[i] = random_between(0, 9) == 0 ? random_between(0, 1) : random_between(1, 5);
  for (int32_t i = 0; i < MOST; ++i) m->values[i] = i;
}

static gpuarr_array* array_of(const model* m) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_array_from_host(&out, device, GPUARR_I32, m->ndim, m->shape, NULL, m->values,
                                   sizeof m->values, NULL));
  return out;
}

static void check_equal(const gpuarr_array* array, const model* expected) {
  static int32_t values[MOST];
  assert_int_equal(gpuarr_array_ndim(array), expected->ndim);
  assert_memory_equal(gpuarr_array_shape(array), expected->shape,
                      sizeof(int64_t) * (size_t)expected->ndim);
  int64_t size = size_of_model(expected);
  assert_int_equal(gpuarr_array_size(array), size);
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, array, NULL));
  assert_memory_equal(values, expected->values, sizeof(int32_t) * (size_t)size);
}

/* ---- one function per view: it makes the view, and the model of it by the definition ---- */

typedef struct slice_of {
  int32_t axis;
  int64_t first, step;
} slice_of;

static void map_slice(int64_t* source, const int64_t* index, const model* to, const void* what) {
  const slice_of* s = what;
  memcpy(source, index, sizeof(int64_t) * (size_t)to->ndim);
  source[s->axis] = s->first + index[s->axis] * s->step;
}

static int64_t random_bound(int64_t extent) {
  switch (random_between(0, 5)) {
    case 0:
      return GPUARR_NONE;
    case 1:
      return random_between(0, 1) ? INT64_MAX : INT64_MIN + 1;
    default:
      return random_between(-extent - 2, extent + 2);
  }
}

/* Python's range(*slice(start, stop, step).indices(extent)), counted one by one. */
static int64_t count_slice(int64_t extent, int64_t start, int64_t stop, int64_t step,
                           int64_t* first) {
  int64_t low = step > 0 ? 0 : -1;
  int64_t high = step > 0 ? extent : extent - 1;
  int64_t bounds[] = {start, stop};
  for (int i = 0; i < 2; ++i) {
    if (bounds[i] == GPUARR_NONE) {
      bounds[i] = (i == 0) == (step > 0) ? low : high;
      continue;
    }
    if (bounds[i] < 0) bounds[i] += extent;
    if (bounds[i] < low) bounds[i] = low;
    if (bounds[i] > high) bounds[i] = high;
  }
  int64_t count = 0;
  *first = bounds[0];
  for (int64_t at = bounds[0]; step > 0 ? at < bounds[1] : at > bounds[1]; at += step) {
    ++count;
    if (step > extent || step < -extent) break;
  }
  return count;
}

static gpuarr_array* try_slice(const gpuarr_array* array, const model* from, model* to) {
  const int64_t steps[] = {1, 1, 2, 3, -1, -1, -2, -3, 7, -7, INT64_MAX, INT64_MIN};
  if (from->ndim == 0) return NULL;
  slice_of s = {(int32_t)random_between(0, from->ndim - 1), 0, steps[random_between(0, 11)]};
  int64_t extent = from->shape[s.axis];
  int64_t start = random_bound(extent);
  int64_t stop = random_bound(extent);
  *to = *from;
  to->shape[s.axis] = count_slice(extent, start, stop, s.step, &s.first);
  fill_model(to, from, map_slice, &s);
  gpuarr_array* view = NULL;
  int32_t axis = random_between(0, 1) ? s.axis : s.axis - from->ndim;
  assert_ok(gpuarr_array_slice(&view, array, axis, start, stop, s.step));
  return view;
}

typedef struct place {
  int32_t axis;
  int64_t index;
} place;

static void map_select(int64_t* source, const int64_t* index, const model* to, const void* what) {
  const place* p = what;
  for (int32_t i = 0; i < to->ndim + 1; ++i)
    source[i] = i == p->axis ? p->index : index[i < p->axis ? i : i - 1];
}

static gpuarr_array* try_select(const gpuarr_array* array, const model* from, model* to) {
  if (from->ndim == 0) return NULL;
  place p = {(int32_t)random_between(0, from->ndim - 1), 0};
  int64_t extent = from->shape[p.axis];
  if (extent == 0) return NULL;
  p.index = random_between(0, extent - 1);
  to->ndim = from->ndim - 1;
  for (int32_t i = 0; i < to->ndim; ++i) to->shape[i] = from->shape[i < p.axis ? i : i + 1];
  fill_model(to, from, map_select, &p);
  gpuarr_array* view = NULL;
  int64_t index = random_between(0, 1) ? p.index : p.index - extent;
  assert_ok(gpuarr_array_select(&view, array, p.axis, index));
  return view;
}

static void map_transpose(int64_t* source, const int64_t* index, const model* to,
                          const void* what) {
  const int32_t* axes = what;
  for (int32_t i = 0; i < to->ndim; ++i) source[axes[i]] = index[i];
}

static gpuarr_array* try_transpose(const gpuarr_array* array, const model* from, model* to) {
  int32_t axes[GPUARR_MAX_NDIM];
  int reverse = random_between(0, 2) == 0;
  for (int32_t i = 0; i < from->ndim; ++i) axes[i] = reverse ? from->ndim - 1 - i : i;
  for (int32_t i = from->ndim - 1; i > 0 && !reverse; --i) {
    int64_t j = random_between(0, i);
    int32_t swapped = axes[i];
    axes[i] = axes[j];
    axes[j] = swapped;
  }
  to->ndim = from->ndim;
  for (int32_t i = 0; i < to->ndim; ++i) to->shape[i] = from->shape[axes[i]];
  fill_model(to, from, map_transpose, axes);
  gpuarr_array* view = NULL;
  for (int32_t i = 0; i < from->ndim; ++i) axes[i] -= random_between(0, 1) ? from->ndim : 0;
  if (reverse)
    assert_ok(gpuarr_array_transpose(&view, array, 0, NULL));
  else
    assert_ok(gpuarr_array_transpose(&view, array, from->ndim, axes));
  return view;
}

/* Splits and joins extents: the list of values is the same. */
static gpuarr_array* try_reshape(const gpuarr_array* array, const model* from, model* to) {
  int64_t rest = size_of_model(from);
  to->ndim = 0;
  while (to->ndim < 6 && (rest > 1 || random_between(0, 3) == 0)) {
    int64_t factor = random_between(0, 3) == 0 ? rest : random_between(1, 6);
    if (factor == 0 || rest % factor != 0) continue;
    to->shape[to->ndim++] = factor;
    rest /= factor;
  }
  if (rest != 1) to->shape[to->ndim++] = rest;
  memcpy(to->values, from->values, sizeof to->values);
  int64_t asked[GPUARR_MAX_NDIM];
  memcpy(asked, to->shape, sizeof asked);
  if (to->ndim > 0 && size_of_model(from) != 0) asked[random_between(0, to->ndim - 1)] = -1;
  gpuarr_array* view = NULL;
  gpuarr_status status = gpuarr_array_reshape(&view, array, to->ndim, asked);
  if (status == GPUARR_OK) return view;
  assert_status(status, GPUARR_ERR_SHAPE);
  assert_message_has("copy the array first");
  assert_int_equal(gpuarr_array_is_contiguous(array, GPUARR_ORDER_C), 0);
  gpuarr_array* copied = NULL;
  assert_ok(gpuarr_array_copy(&copied, array, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_array_reshape(&view, copied, to->ndim, asked));
  check_equal(view, to);
  gpuarr_array_release(copied);
  gpuarr_array_release(view);
  return NULL;
}

static void map_broadcast(int64_t* source, const int64_t* index, const model* to,
                          const void* what) {
  const model* from = what;
  for (int32_t i = 0; i < from->ndim; ++i)
    source[i] = from->shape[i] == 1 ? 0 : index[i + to->ndim - from->ndim];
}

static gpuarr_array* try_broadcast(const gpuarr_array* array, const model* from, model* to) {
  int32_t added = (int32_t)random_between(0, 2);
  to->ndim = from->ndim + added;
  if (to->ndim > 8) return NULL;
  for (int32_t i = 0; i < to->ndim; ++i) {
    int64_t extent = i < added ? 1 : from->shape[i - added];
    to->shape[i] = extent == 1 ? random_between(0, 3) : extent;
  }
  if (size_of_model(to) > MOST) return NULL;
  fill_model(to, from, map_broadcast, from);
  gpuarr_array* view = NULL;
  assert_ok(gpuarr_array_broadcast(&view, array, to->ndim, to->shape));
  return view;
}

static gpuarr_array* try_squeeze(const gpuarr_array* array, const model* from, model* to) {
  int all = random_between(0, 1) == 0;
  int32_t axes[GPUARR_MAX_NDIM];
  int32_t count = 0;
  *to = *from;
  to->ndim = 0;
  for (int32_t i = 0; i < from->ndim; ++i) {
    if (from->shape[i] == 1 && (all || random_between(0, 1)))
      axes[count++] = i - (random_between(0, 1) ? from->ndim : 0);
    else
      to->shape[to->ndim++] = from->shape[i];
  }
  gpuarr_array* view = NULL;
  assert_ok(gpuarr_array_squeeze(&view, array, all ? 0 : count, all ? NULL : axes));
  return view;
}

static gpuarr_array* try_expand(const gpuarr_array* array, const model* from, model* to) {
  if (from->ndim >= 8) return NULL;
  *to = *from;
  to->ndim = from->ndim + 1;
  int32_t axis = (int32_t)random_between(0, from->ndim);
  for (int32_t i = from->ndim; i > axis; --i) to->shape[i] = from->shape[i - 1];
  to->shape[axis] = 1;
  gpuarr_array* view = NULL;
  int32_t given = random_between(0, 1) ? axis : axis - to->ndim;
  assert_ok(gpuarr_array_expand(&view, array, given));
  return view;
}

typedef struct diagonal_of {
  int64_t offset;
  int32_t axis1, axis2;
} diagonal_of;

static void map_diagonal(int64_t* source, const int64_t* index, const model* to, const void* what) {
  const diagonal_of* d = what;
  int64_t along = index[to->ndim - 1];
  for (int32_t i = 0, rest = 0; i < to->ndim + 1; ++i) {
    if (i == d->axis1)
      source[i] = along + (d->offset < 0 ? -d->offset : 0);
    else if (i == d->axis2)
      source[i] = along + (d->offset > 0 ? d->offset : 0);
    else
      source[i] = index[rest++];
  }
}

static gpuarr_array* try_diagonal(const gpuarr_array* array, const model* from, model* to) {
  if (from->ndim < 2) return NULL;
  diagonal_of d = {random_between(-6, 6), (int32_t)random_between(0, from->ndim - 1), 0};
  d.axis2 = (d.axis1 + (int32_t)random_between(1, from->ndim - 1)) % from->ndim;
  int64_t count = 0;
  for (int64_t row = 0; row < from->shape[d.axis1]; ++row)
    if (row + d.offset >= 0 && row + d.offset < from->shape[d.axis2]) ++count;
  to->ndim = 0;
  for (int32_t i = 0; i < from->ndim; ++i)
    if (i != d.axis1 && i != d.axis2) to->shape[to->ndim++] = from->shape[i];
  to->shape[to->ndim++] = count;
  fill_model(to, from, map_diagonal, &d);
  gpuarr_array* view = NULL;
  assert_ok(gpuarr_array_diagonal(&view, array, d.offset, d.axis1, d.axis2 - from->ndim));
  return view;
}

/* A value that is written through the view arrives at the view's elements, and nowhere else. */
static void check_aliases(gpuarr_array* first, const model* whole, gpuarr_array* view,
                          const model* seen) {
  static int32_t expected[MOST];
  static int32_t actual[MOST];
  int64_t size = size_of_model(whole);
  memcpy(expected, whole->values, sizeof expected);
  int repeats = 0;
  for (int64_t i = 0; i < size_of_model(seen); ++i) {
    repeats |= expected[seen->values[i]] == -1;
    expected[seen->values[i]] = -1;
  }
  if (repeats) {
    assert_status(gpuarr_array_fill(view, gpuarr_arg_i32(-1), NULL), GPUARR_ERR_OVERLAP);
    assert_message_has("share memory");
    return;
  }
  assert_ok(gpuarr_array_fill(view, gpuarr_arg_i32(-1), NULL));
  assert_ok(gpuarr_array_read(actual, sizeof actual, NULL, first, NULL));
  assert_memory_equal(actual, expected, sizeof(int32_t) * (size_t)size);
}

static void chains_of_views_follow_the_model(void** state) {
  (void)state;
  static model models[6];
  gpuarr_array* (*const tries[])(const gpuarr_array*, const model*, model*) = {
      try_slice,     try_select,  try_transpose, try_reshape,
      try_broadcast, try_squeeze, try_expand,    try_diagonal};
  int made[8] = {0};
  for (int round = 0; round < 1500; ++round) {
    random_model(&models[0], (int32_t)random_between(0, 5));
    gpuarr_array* arrays[6] = {array_of(&models[0])};
    int depth = 0;
    for (int i = 0; i < 5; ++i) {
      int64_t which = random_between(0, 7);
      gpuarr_array* view = tries[which](arrays[depth], &models[depth], &models[depth + 1]);
      if (view == NULL) continue;
      ++made[which];
      arrays[++depth] = view;
      check_equal(view, &models[depth]);
      assert_int_equal(gpuarr_array_dtype(view), GPUARR_I32);
      assert_ptr_equal(gpuarr_array_device(view), device);
    }
    check_aliases(arrays[0], &models[0], arrays[depth], &models[depth]);
    for (int i = 0; i <= depth; ++i) gpuarr_array_release(arrays[i]);
  }
  for (int i = 0; i < 8; ++i) assert_in_range(made[i], 100, 100000);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_of_views_follow_the_model),
  };
  return run_suite(tests);
}
