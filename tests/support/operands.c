/* See operands.h. */
#include "operands.h"

#include <stdlib.h>

#include "arrays.h"
#include "elements.h"
#include "nested.h"

/* How a view of `shape` is wound into a base that is larger: each axis may be padded, stepped,
 * turned round, and lie anywhere in memory. */
struct winding {
  int64_t base_shape[operand_axes], starts[operand_axes], steps[operand_axes];
  int32_t axes[operand_axes];
};

static void shuffle_axes(int32_t ndim, int32_t* axes) {
  for (int32_t axis = ndim - 1; axis > 0; --axis) {
    int64_t other = random_between(0, axis);
    int32_t moved = axes[axis];
    axes[axis] = axes[other];
    axes[other] = moved;
  }
}

static struct winding draw_winding(int32_t ndim, const int64_t* shape) {
  struct winding w = {{0}, {0}, {0}, {0}};
  for (int32_t axis = 0; axis < ndim; ++axis) w.axes[axis] = axis;
  if (random_between(0, 2) == 0) shuffle_axes(ndim, w.axes);
  for (int32_t axis = 0; axis < ndim; ++axis) {
    int plain = random_between(0, 2) > 0;
    int64_t step = plain ? 1 : random_between(1, 2) * (random_between(0, 1) ? 1 : -1);
    int64_t before = random_between(0, 3) == 0 ? random_between(0, 3) : 0;
    int64_t span = shape[axis] > 0 ? (shape[axis] - 1) * llabs(step) + 1 : 0;
    w.base_shape[w.axes[axis]] = before + span + (random_between(0, 3) == 0 ? 2 : 0);
    w.starts[axis] = step > 0 ? before : before + span - 1;
    w.steps[axis] = step;
  }
  return w;
}

static gpuarr_array* wind(gpuarr_array* base, int32_t ndim, const int64_t* shape,
                          const struct winding* w) {
  gpuarr_array *view = gpuarr_array_retain(base), *next = NULL;
  assert_ok(gpuarr_array_transpose(&next, view, ndim, ndim > 0 ? w->axes : NULL));
  replace(&view, next);
  for (int32_t axis = 0; axis < ndim; ++axis) {
    int64_t stop = w->starts[axis] + shape[axis] * w->steps[axis];
    if (stop < 0) stop = GPUARR_NONE;
    assert_ok(gpuarr_array_slice(&next, view, axis, w->starts[axis], stop, w->steps[axis]));
    replace(&view, next);
  }
  return view;
}

/* Draws what is in `base`. */
static void fill_operand(struct operand* o, gpuarr_dtype dtype) {
  o->values = malloc((size_t)(o->count + 1) * sizeof(double));
  void* data = malloc((size_t)(o->count + 1) * 16);
  for (int64_t k = 0; k < o->count; ++k) {
    o->values[k] = wrapped(dtype, (double)random_between(-5, 5));
    put_element(data, dtype, k, o->values[k]);
  }
  assert_ok(gpuarr_array_write(o->base, gpuarr_array_strides(o->base), data,
                               o->count * gpuarr_dtype_size(dtype), NULL));
  free(data);
}

struct operand make_operand(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape) {
  struct winding w = draw_winding(ndim, shape);
  struct operand o = {NULL, NULL, count_of(ndim, w.base_shape), 0, NULL};
  int32_t order = random_between(0, 3) == 0 ? GPUARR_ORDER_F : GPUARR_ORDER_C;
  assert_ok(
      gpuarr_array_empty(&o.base, open_test_device(), dtype, ndim, w.base_shape, order, NULL));
  fill_operand(&o, dtype);
  look_through(&o, wind(o.base, ndim, shape, &w));
  return o;
}

struct operand make_flat_operand(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape,
                                 int64_t before) {
  const int64_t after = 3, count = count_of(ndim, shape);
  struct operand o = {line(dtype, before + count + after), NULL, before + count + after, 0, NULL};
  fill_operand(&o, dtype);
  gpuarr_array *part = NULL, *view = NULL;
  assert_ok(gpuarr_array_slice(&part, o.base, 0, before, before + count, 1));
  assert_ok(gpuarr_array_reshape(&view, part, ndim, shape));
  gpuarr_array_release(part);
  look_through(&o, view);
  return o;
}

void drop_operand(struct operand* o) {
  gpuarr_array_release(o->base);
  gpuarr_array_release(o->view);
  free(o->values);
}

void look_through(struct operand* o, gpuarr_array* view) {
  replace(&o->view, view);
  o->offset = ((const char*)gpuarr_array_data(view) - (const char*)gpuarr_array_data(o->base)) /
              gpuarr_dtype_size(gpuarr_array_dtype(view));
}

int64_t place(const struct operand* o, int32_t loop_ndim, const int64_t* index) {
  int32_t ndim = gpuarr_array_ndim(o->view);
  const int64_t *shape = gpuarr_array_shape(o->view), *strides = gpuarr_array_strides(o->view);
  int64_t at = o->offset;
  for (int32_t axis = 0; axis < ndim; ++axis)
    if (shape[axis] != 1) at += index[axis + loop_ndim - ndim] * strides[axis];
  return at;
}

void compare_operand(const struct operand* o, const char* what, int64_t number) {
  gpuarr_dtype dtype = gpuarr_array_dtype(o->base);
  void* data = malloc((size_t)(o->count + 1) * 16);
  assert_ok(gpuarr_array_read(data, o->count * gpuarr_dtype_size(dtype),
                              gpuarr_array_strides(o->base), o->base, NULL));
  for (int64_t k = 0; k < o->count; ++k)
    if (get_element(data, dtype, k) != o->values[k])
      fail_msg("%s %lld: %s, memory place %lld of %lld: %g, expected %g", what, (long long)number,
               gpuarr_dtype_name(dtype), (long long)k, (long long)o->count,
               get_element(data, dtype, k), o->values[k]);
  free(data);
}

int32_t narrow(int32_t ndim, const int64_t* shape, int64_t* out) {
  int32_t skip = ndim > 0 && random_between(0, 4) == 0 ? (int32_t)random_between(1, ndim) : 0;
  for (int32_t axis = skip; axis < ndim; ++axis)
    out[axis - skip] = random_between(0, 5) == 0 ? 1 : shape[axis];
  return ndim - skip;
}
