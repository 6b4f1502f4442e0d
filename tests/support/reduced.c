/* See reduced.h. */
#include "reduced.h"

#include <stdlib.h>

#include "arrays.h"
#include "elements.h"
#include "nested.h"

static int is_reduced(const struct reduced* r, int32_t axis) { return r->reduced >> axis & 1; }

int32_t name_axes(const struct reduced* r, int32_t* axes) {
  int32_t count = 0;
  for (int32_t axis = 0; axis < r->ndim; ++axis)
    if (is_reduced(r, axis)) axes[count++] = random_between(0, 1) ? axis : axis - r->ndim;
  if (count == r->ndim && random_between(0, 1)) return GPUARR_ALL_AXES;
  for (int32_t k = 1; k < count; ++k) {
    int64_t other = random_between(0, k);
    int32_t axis = axes[k];
    axes[k] = axes[other];
    axes[other] = axis;
  }
  return count;
}

int32_t result_shape(const struct reduced* r, int64_t* shape) {
  int32_t ndim = 0;
  for (int32_t axis = 0; axis < r->ndim; ++axis)
    if (!is_reduced(r, axis))
      shape[ndim++] = r->shape[axis];
    else if (r->keepdims)
      shape[ndim++] = 1;
  return ndim;
}

int64_t result_count(const struct reduced* r) {
  int64_t shape[operand_axes];
  int32_t ndim = result_shape(r, shape);
  return count_of(ndim, shape);
}

/* The loop, kept axes outside. */
struct walk {
  int32_t axes[operand_axes];
  int64_t index[operand_axes], i_steps[operand_axes], steps[3][operand_axes]; /* by axis */
  int64_t i, at[3];
};

static int64_t step_of(const struct operand* o, int32_t ndim, int32_t axis) {
  int64_t index[operand_axes] = {0};
  index[axis] = 1;
  int32_t missing = ndim - gpuarr_array_ndim(o->view);
  if (axis < missing || gpuarr_array_shape(o->view)[axis - missing] == 1) return 0;
  return place(o, ndim, index) - o->offset;
}

static struct walk start(const struct reduced* r, const struct operand* inputs, int32_t count) {
  struct walk w = {{0}, {0}, {0}, {{0}}, 0, {0}};
  int32_t next = 0;
  for (int reduced = 0; reduced < 2; ++reduced)
    for (int32_t axis = 0; axis < r->ndim; ++axis)
      if (is_reduced(r, axis) == reduced) w.axes[next++] = axis;
  int64_t step = 1;
  for (int32_t axis = r->ndim - 1; axis >= 0; --axis) {
    w.i_steps[axis] = step;
    step *= r->shape[axis];
    for (int32_t k = 0; k < count; ++k) w.steps[k][axis] = step_of(&inputs[k], r->ndim, axis);
  }
  for (int32_t k = 0; k < count; ++k) w.at[k] = inputs[k].offset;
  return w;
}

/* Goes to the next element; 0 after the last. */
static int advance(struct walk* w, const struct reduced* r, int32_t count) {
  for (int32_t p = r->ndim - 1; p >= 0; --p) {
    int32_t axis = w->axes[p];
    int wraps = ++w->index[axis] == r->shape[axis];
    int64_t by = wraps ? 1 - r->shape[axis] : 1;
    w->i += by * w->i_steps[axis];
    for (int32_t k = 0; k < count; ++k) w->at[k] += by * w->steps[k][axis];
    if (!wraps) return 1;
    w->index[axis] = 0;
  }
  return 0;
}

void each_element(const struct reduced* r, const struct operand* inputs, int32_t count,
                  void (*visit)(void* context, const struct element* e), void* context) {
  struct walk w = start(r, inputs, count);
  int64_t length = count_of(r->ndim, r->shape) / result_count(r);
  double x[3] = {0};
  struct element e = {0, 0, 0, x};
  do {
    for (int32_t k = 0; k < count; ++k) x[k] = inputs[k].values[w.at[k]];
    e.i = w.i;
    visit(context, &e);
    if (++e.j == length) {
      e.j = 0;
      ++e.result;
    }
  } while (advance(&w, r, count));
}

void expect_results(struct operand* out, const double* values) {
  int64_t index[operand_axes] = {0};
  int32_t ndim = gpuarr_array_ndim(out->view);
  gpuarr_dtype dtype = gpuarr_array_dtype(out->view);
  do out->values[place(out, ndim, index)] = wrapped(dtype, *values++);
  while (next_index(ndim, gpuarr_array_shape(out->view), index));
}

void compare_results(const struct reduced* r, const gpuarr_array* out, const double* values,
                     const char* what, int64_t number) {
  int64_t shape[operand_axes], count = result_count(r);
  gpuarr_dtype dtype = gpuarr_array_dtype(out);
  assert_int_equal(gpuarr_array_ndim(out), result_shape(r, shape));
  for (int32_t axis = 0; axis < gpuarr_array_ndim(out); ++axis)
    assert_int_equal(gpuarr_array_shape(out)[axis], shape[axis]);
  void* data = malloc((size_t)count * 16);
  assert_ok(gpuarr_array_read(data, count * 16, NULL, out, NULL));
  for (int64_t k = 0; k < count; ++k)
    if (get_element(data, dtype, k) != wrapped(dtype, values[k]))
      fail_msg("%s %lld: %s, result %lld of %lld: %g, expected %g", what, (long long)number,
               gpuarr_dtype_name(dtype), (long long)k, (long long)count,
               get_element(data, dtype, k), wrapped(dtype, values[k]));
  free(data);
}
