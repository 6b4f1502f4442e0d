/* Elementwise kernels over random shapes, orders, slices, transposes and broadcasts, against a
 * naive loop; nothing outside the output's elements may change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { max_axes = 4, rounds = 80 };

static gpuarr_device* device;

/* An array seen through a view, and the host's copy of all the memory behind it. */
struct operand {
  gpuarr_array* base;
  gpuarr_array* view;
  int64_t count;  /* elements of base */
  int64_t offset; /* of the view's first element in base */
  double* values; /* of base, in memory order */
};

static double small_number(void) { return (double)random_between(-5, 5); }

static void put(void* data, gpuarr_dtype dtype, int64_t k, double value) {
  if (dtype == GPUARR_I8) ((int8_t*)data)[k] = (int8_t)value;
  if (dtype == GPUARR_I32) ((int32_t*)data)[k] = (int32_t)value;
  if (dtype == GPUARR_I64) ((int64_t*)data)[k] = (int64_t)value;
  if (dtype == GPUARR_F32) ((float*)data)[k] = (float)value;
  if (dtype == GPUARR_F64) ((double*)data)[k] = value;
}

static double get(const void* data, gpuarr_dtype dtype, int64_t k) {
  if (dtype == GPUARR_I8) return ((const int8_t*)data)[k];
  if (dtype == GPUARR_I32) return ((const int32_t*)data)[k];
  if (dtype == GPUARR_I64) return (double)((const int64_t*)data)[k];
  if (dtype == GPUARR_F32) return ((const float*)data)[k];
  return ((const double*)data)[k];
}

static void replace(gpuarr_array** array, gpuarr_array* by) {
  gpuarr_array_release(*array);
  *array = by;
}

/* A view of `shape` into a base that is larger: each axis may be padded, stepped, turned round, and
 * lie anywhere in memory. */
static gpuarr_array* wind(gpuarr_array* base, int ndim, const int64_t* shape, const int64_t* starts,
                          const int64_t* steps, const int32_t* axes) {
  gpuarr_array *view = gpuarr_array_retain(base), *next = NULL;
  assert_ok(gpuarr_array_transpose(&next, view, ndim, ndim > 0 ? axes : NULL));
  replace(&view, next);
  for (int32_t axis = 0; axis < ndim; ++axis) {
    int64_t stop = starts[axis] + shape[axis] * steps[axis];
    if (stop < 0) stop = GPUARR_NONE;
    assert_ok(gpuarr_array_slice(&next, view, axis, starts[axis], stop, steps[axis]));
    replace(&view, next);
  }
  return view;
}

static struct operand make(gpuarr_dtype dtype, int ndim, const int64_t* shape) {
  int64_t base_shape[max_axes] = {0}, starts[max_axes] = {0}, steps[max_axes] = {0};
  int32_t axes[max_axes] = {0};
  for (int axis = 0; axis < ndim; ++axis) axes[axis] = axis;
  if (random_between(0, 2) == 0)
    for (int axis = ndim - 1; axis > 0; --axis) {
      int other = (int)random_between(0, axis);
      int32_t moved = axes[axis];
      axes[axis] = axes[other];
      axes[other] = moved;
    }
  for (int axis = 0; axis < ndim; ++axis) {
    int plain = random_between(0, 2) > 0;
    int64_t step = plain ? 1 : random_between(1, 2) * (random_between(0, 1) ? 1 : -1);
    int64_t before = random_between(0, 3) == 0 ? random_between(0, 3) : 0;
    int64_t span = shape[axis] > 0 ? (shape[axis] - 1) * llabs(step) + 1 : 0;
    base_shape[axes[axis]] = before + span + (random_between(0, 3) == 0 ? 2 : 0);
    starts[axis] = step > 0 ? before : before + span - 1;
    steps[axis] = step;
  }
  struct operand o = {NULL, NULL, 1, 0, NULL};
  for (int axis = 0; axis < ndim; ++axis) o.count *= base_shape[axis];
  int32_t order = random_between(0, 3) == 0 ? GPUARR_ORDER_F : GPUARR_ORDER_C;
  assert_ok(gpuarr_array_empty(&o.base, device, dtype, ndim, base_shape, order, NULL));
  o.view = wind(o.base, ndim, shape, starts, steps, axes);
  o.values = malloc((size_t)(o.count + 1) * sizeof(double));
  void* data = malloc((size_t)(o.count + 1) * 16);
  for (int64_t k = 0; k < o.count; ++k) put(data, dtype, k, o.values[k] = small_number());
  assert_ok(gpuarr_array_write(o.base, gpuarr_array_strides(o.base), data, NULL));
  free(data);
  o.offset = ((const char*)gpuarr_array_data(o.view) - (const char*)gpuarr_array_data(o.base)) /
             gpuarr_dtype_size(dtype);
  return o;
}

static void drop(struct operand* o) {
  gpuarr_array_release(o->base);
  gpuarr_array_release(o->view);
  free(o->values);
}

/* Place of an element in the base's memory; the operand broadcasts to the loop. */
static int64_t place(const struct operand* o, int loop_ndim, const int64_t* index) {
  int ndim = gpuarr_array_ndim(o->view);
  int64_t at = o->offset;
  for (int axis = 0; axis < ndim; ++axis)
    if (gpuarr_array_shape(o->view)[axis] != 1)
      at += index[axis + loop_ndim - ndim] * gpuarr_array_strides(o->view)[axis];
  return at;
}

static void expect(const struct operand* x, const struct operand* y, struct operand* z, int ndim,
                   const int64_t* shape, int uses_i) {
  int64_t size = 1, index[max_axes] = {0};
  for (int axis = 0; axis < ndim; ++axis) size *= shape[axis];
  for (int64_t i = 0; i < size; ++i) {
    int64_t rest = i;
    for (int axis = ndim - 1; axis >= 0; --axis) {
      index[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    double* to = &z->values[place(z, ndim, index)];
    *to = x->values[place(x, ndim, index)] - 2 * y->values[place(y, ndim, index)] + *to;
    if (uses_i) *to += (double)(i % 7);
  }
}

static void compare(const struct operand* z, gpuarr_dtype dtype, int round) {
  void* data = malloc((size_t)(z->count + 1) * 16);
  assert_ok(gpuarr_array_read(data, gpuarr_array_strides(z->base), z->base, NULL));
  for (int64_t k = 0; k < z->count; ++k)
    if (get(data, dtype, k) != z->values[k])
      fail_msg("round %d, %s, memory place %lld of %lld: %g, expected %g", round,
               gpuarr_dtype_name(dtype), (long long)k, (long long)z->count, get(data, dtype, k),
               z->values[k]);
  free(data);
}

/* The shape of an input that broadcasts to the loop's: some axes 1, some leading ones missing. */
static int narrow(int ndim, const int64_t* shape, int64_t* out) {
  int skip = ndim > 0 && random_between(0, 4) == 0 ? (int)random_between(1, ndim) : 0;
  for (int axis = skip; axis < ndim; ++axis)
    out[axis - skip] = random_between(0, 5) == 0 ? 1 : shape[axis];
  return ndim - skip;
}

static int draw_shape(int64_t* shape) {
  int ndim = (int)random_between(0, max_axes);
  for (int axis = 0; axis < ndim; ++axis) shape[axis] = random_between(1, ndim > 2 ? 9 : 70);
  if (ndim == 1 && random_between(0, 1)) shape[0] = random_between(1, 100000);
  return ndim;
}

static void one_round(gpuarr_elementwise* const* kernels, int round) {
  const gpuarr_dtype dtypes[] = {GPUARR_I8, GPUARR_I32, GPUARR_I64, GPUARR_F32, GPUARR_F64};
  gpuarr_dtype dtype = dtypes[random_between(0, 4)];
  int64_t shape[max_axes] = {0}, x_shape[max_axes] = {0}, y_shape[max_axes] = {0};
  int ndim = draw_shape(shape);
  int x_ndim = narrow(ndim, shape, x_shape), y_ndim = narrow(ndim, shape, y_shape);
  int uses_i = random_between(0, 3) == 0;
  struct operand x = make(dtype, x_ndim, x_shape), y = make(dtype, y_ndim, y_shape);
  struct operand z = make(dtype, ndim, shape);
  expect(&x, &y, &z, ndim, shape, uses_i);
  gpuarr_arg inputs[] = {gpuarr_arg_array(x.view), gpuarr_arg_array(y.view)};
  assert_ok(gpuarr_elementwise_call(kernels[uses_i], &z.view, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  compare(&z, dtype, round);
  drop(&x);
  drop(&y);
  drop(&z);
}

static void random_layouts(void** state) {
  (void)state;
  gpuarr_elementwise* kernels[2];
  assert_ok(gpuarr_elementwise_create(&kernels[0], "T x, T y", "T z", "z += x - 2 * y", NULL));
  assert_ok(gpuarr_elementwise_create(&kernels[1], "T x, T y", "T z", "z += x - 2 * y + (T)(i % 7)",
                                      NULL));
  for (int round = 0; round < rounds; ++round) one_round(kernels, round);
  gpuarr_elementwise_release(kernels[0]);
  gpuarr_elementwise_release(kernels[1]);
}

/* Every way in which three views of one dtype can be off the alignment of packs. */
static void every_alignment(void** state) {
  (void)state;
  gpuarr_elementwise* kernel;
  assert_ok(gpuarr_elementwise_create(&kernel, "T x, T y", "T z", "z += x - 2 * y", NULL));
  const gpuarr_dtype dtypes[] = {GPUARR_I8, GPUARR_F32, GPUARR_F64};
  for (int t = 0; t < 3; ++t)
    for (int64_t which = 0; which < 27; ++which) {
      const int64_t off[] = {which % 3, which / 3 % 3, which / 9}, wide = 5000 + which;
      struct operand o[3];
      for (int k = 0; k < 3; ++k) {
        o[k] = make(dtypes[t], 1, &wide);
        gpuarr_array* part = NULL;
        assert_ok(gpuarr_array_slice(&part, o[k].view, 0, off[k], off[k] + 4990, 1));
        replace(&o[k].view, part);
        o[k].offset =
            ((const char*)gpuarr_array_data(part) - (const char*)gpuarr_array_data(o[k].base)) /
            gpuarr_dtype_size(dtypes[t]);
      }
      const int64_t count = 4990;
      expect(&o[0], &o[1], &o[2], 1, &count, 0);
      gpuarr_arg inputs[] = {gpuarr_arg_array(o[0].view), gpuarr_arg_array(o[1].view)};
      assert_ok(gpuarr_elementwise_call(kernel, &o[2].view, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
      compare(&o[2], dtypes[t], (int)which);
      for (int k = 0; k < 3; ++k) drop(&o[k]);
    }
  gpuarr_elementwise_release(kernel);
}

/* Long enough for several blocks of threads and several threads of the CPU. */
static void large_arrays(void** state) {
  (void)state;
  gpuarr_elementwise* kernel;
  assert_ok(gpuarr_elementwise_create(&kernel, "T x, T y", "T z", "z += x - 2 * y", NULL));
  const int64_t shapes[][2] = {{700, 701}, {3, 200001}, {200001, 3}, {517, 1024}};
  for (int k = 0; k < 4; ++k)
    for (int transposed = 0; transposed < 2; ++transposed) {
      int64_t turned[] = {shapes[k][1], shapes[k][0]};
      struct operand x = make(GPUARR_F32, 2, transposed ? turned : shapes[k]);
      struct operand y = make(GPUARR_F32, 1, &shapes[k][1]), z = make(GPUARR_F32, 2, shapes[k]);
      if (transposed) {
        gpuarr_array* view = NULL;
        assert_ok(gpuarr_array_transpose(&view, x.view, 0, NULL));
        replace(&x.view, view);
      }
      expect(&x, &y, &z, 2, shapes[k], 0);
      gpuarr_arg inputs[] = {gpuarr_arg_array(x.view), gpuarr_arg_array(y.view)};
      assert_ok(gpuarr_elementwise_call(kernel, &z.view, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
      compare(&z, GPUARR_F32, k);
      drop(&x);
      drop(&y);
      drop(&z);
    }
  gpuarr_elementwise_release(kernel);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_layouts),
      cmocka_unit_test(every_alignment),
      cmocka_unit_test(large_arrays),
  };
  return run_suite(tests);
}
