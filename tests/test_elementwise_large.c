/* Elementwise kernels at the limits: 32 parameters, 32 axes, more than 2^31 elements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

static void thirty_two_parameters(void** state) {
  (void)state;
  char list[800] = "", sum[800] = "y = 0";
  gpuarr_arg inputs[31];
  gpuarr_array* arrays[31];
  const int64_t count = 1000;
  for (int k = 0; k < 31; ++k) {
    (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%sint32 x%d", k ? ", " : "",
                   k);
    (void)snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + x%d", k);
    arrays[k] = NULL;
    if (k % 4 != 0)
      assert_ok(gpuarr_array_full(&arrays[k], device, GPUARR_I32, 1, &count, GPUARR_ORDER_C,
                                  gpuarr_arg_i32(k), NULL));
    inputs[k] = arrays[k] != NULL ? gpuarr_arg_array(arrays[k]) : gpuarr_arg_i32(k);
  }
  gpuarr_elementwise* kernel = make_elementwise(list, "int64 y", sum);
  gpuarr_array *y = NULL, *last = NULL;
  assert_ok(gpuarr_elementwise_call(kernel, &y, 1, inputs, 31, GPUARR_NO_SIZE, NULL));
  assert_ok(gpuarr_array_slice(&last, y, 0, count - 1, count, 1));
  assert_int_equal(value_of(last), 31 * 30 / 2);
  for (int k = 0; k < 31; ++k) gpuarr_array_release(arrays[k]);
  gpuarr_array_release(y);
  gpuarr_array_release(last);
  gpuarr_elementwise_release(kernel);
}

/* Axes of 2 where none can be joined with the next: every second index of each. */
static void many_axes(void** state) {
  (void)state;
  enum { axes = 12 };
  int64_t shape[GPUARR_MAX_NDIM];
  for (int axis = 0; axis < GPUARR_MAX_NDIM; ++axis) shape[axis] = axis < axes ? 3 : 1;
  gpuarr_array *view = zeros(GPUARR_I64, GPUARR_MAX_NDIM, shape), *base = view;
  for (int axis = 0; axis < axes; ++axis) {
    gpuarr_array* part = NULL;
    assert_ok(gpuarr_array_slice(&part, view, axis, GPUARR_NONE, GPUARR_NONE, 2));
    if (view != base) gpuarr_array_release(view);
    view = part;
  }
  gpuarr_array* total = zeros(GPUARR_I64, 0, NULL);
  gpuarr_elementwise* number = make_elementwise("", "int64 y", "y = i + _ind.get()[31] + 1");
  gpuarr_elementwise* add = make_elementwise("int64 x, raw int64 r", "raw int64 total",
                                             "atomicAdd(&total[0], x * (r.shape()[0] - 2))");
  assert_ok(gpuarr_elementwise_call(number, &view, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
  gpuarr_arg inputs[] = {gpuarr_arg_array(base), gpuarr_arg_array(base)};
  assert_ok(gpuarr_elementwise_call(add, &total, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  assert_int_equal(value_of(total), 4096 * 4097 / 2);
  assert_int_equal(gpuarr_array_ndim(view), GPUARR_MAX_NDIM);
  gpuarr_array_release(base);
  gpuarr_array_release(view);
  gpuarr_array_release(total);
  gpuarr_elementwise_release(number);
  gpuarr_elementwise_release(add);
}

/* The input is one element, seen as 2^31 and some through strides of 0. */
static void more_elements_than_31_bits_count(void** state) {
  (void)state;
  if (sanitized) skip();
  const int64_t shape[] = {(1 << 15) + 1, 1 << 16}, size = shape[0] * shape[1], one = 1;
  gpuarr_array *seven = NULL, *x = NULL, *found = zeros(GPUARR_I64, 1, &one);
  assert_ok(gpuarr_array_full(&seven, device, GPUARR_I8, 0, NULL, GPUARR_ORDER_C, gpuarr_arg_i8(7),
                              NULL));
  assert_ok(gpuarr_array_broadcast(&x, seven, 2, shape));
  gpuarr_elementwise* last =
      make_elementwise("int8 x", "raw int64 y", "if (i == n - 1) y[0] = i + x");
  gpuarr_arg input = gpuarr_arg_array(x);
  assert_ok(gpuarr_elementwise_call(last, &found, 1, &input, 1, GPUARR_NO_SIZE, NULL));
  assert_int_equal(value_of(found), size - 1 + 7);
  gpuarr_elementwise* plain = make_elementwise("", "raw int64 y", "if (i == n - 1) y[0] = i");
  assert_ok(gpuarr_elementwise_call(plain, &found, 1, NULL, 0, size + 5, NULL));
  assert_int_equal(value_of(found), size + 4);
  gpuarr_array_release(seven);
  gpuarr_array_release(x);
  gpuarr_array_release(found);
  gpuarr_elementwise_release(last);
  gpuarr_elementwise_release(plain);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thirty_two_parameters),
      cmocka_unit_test(many_axes),
      cmocka_unit_test(more_elements_than_31_bits_count),
  };
  return run_suite(tests);
}
