/* Tests of gpuarr/join.h: what is refused, what is a view, and empty arrays. What values come out
 * is compared with NumPy's in tests/numpy/moving.py. */
#include "arrays.h"

static gpuarr_device* device;

static void refused_to_join(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3}, other[] = {3, 2};
  gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *y = zeros(GPUARR_F32, 2, other);
  gpuarr_array *v = line(GPUARR_F32, 3), *scalar = zeros(GPUARR_F32, 0, NULL), *out = NULL;
  const gpuarr_array *same[] = {x, x}, *pair[] = {x, y}, *mixed[] = {x, v}, *none[] = {x, NULL};
  const gpuarr_array* scalars[] = {scalar, scalar};
  assert_status(gpuarr_concatenate(NULL, same, 2, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_concatenate: out is NULL");
  assert_status(gpuarr_concatenate(&out, same, 0, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is 0; give at least one array");
  assert_status(gpuarr_concatenate(&out, same, -1, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is -1");
  assert_status(gpuarr_concatenate(&out, NULL, 2, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("arrays is NULL, but count is 2");
  assert_status(gpuarr_concatenate(&out, none, 2, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("arrays[1] is NULL");
  assert_status(gpuarr_concatenate(&out, same, 2, 2, NULL), GPUARR_ERR_AXIS);
  assert_status(gpuarr_concatenate(&out, pair, 2, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has(
      "arrays[1] has shape (3, 2), but arrays[0] has (2, 3); they may differ only along axis 0");
  assert_status(gpuarr_concatenate(&out, mixed, 2, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("arrays[1] has 1 axes, but arrays[0] has 2");
  assert_status(gpuarr_concatenate(&out, scalars, 2, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("stack them");
  assert_status(gpuarr_stack(&out, pair, 2, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("arrays[1] has shape (3, 2), but arrays[0] has (2, 3)");
  assert_status(gpuarr_stack(&out, same, 2, 3, NULL), GPUARR_ERR_AXIS);
  assert_null(out);
  assert_ok(gpuarr_stack(&out, scalars, 2, -1, NULL));
  assert_int_equal(gpuarr_array_size(out), 2);
  gpuarr_array_release(out);
  out = v;
  assert_status(gpuarr_concatenate(&out, same, 2, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("out has shape (3,), but the result has (4, 3)");
  gpuarr_array_release(scalar);
  gpuarr_array_release(v);
  gpuarr_array_release(y);
  gpuarr_array_release(x);
}

static void outputs_that_cannot_be_written(void** state) {
  (void)state;
  const int64_t four = 4;
  gpuarr_array *x = ramp(GPUARR_I32, 2), *single = line(GPUARR_I32, 1), *out = NULL, *of = NULL;
  const gpuarr_array* same[] = {x, x};
  assert_ok(gpuarr_array_broadcast(&of, single, 1, &four));
  out = of;
  assert_status(gpuarr_concatenate(&out, same, 2, 0, NULL), GPUARR_ERR_OVERLAP);
  gpuarr_array_release(of);
  out = line(GPUARR_F32, 4);
  assert_status(gpuarr_concatenate(&out, same, 2, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("out is float32, but the result is int32");
  gpuarr_array_release(out);
  gpuarr_array_release(single);
  gpuarr_array_release(x);
}

static void into_their_own_memory(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I32, 6), *halves[2], *out = x;
  assert_ok(gpuarr_split(halves, 2, x, 0));
  const gpuarr_array* swapped[] = {halves[1], halves[0]};
  assert_ok(gpuarr_concatenate(&out, swapped, 2, 0, NULL));
  assert_values(x, 6, (double[]){3, 4, 5, 0, 1, 2});
  release_arrays(halves, 2);
  gpuarr_array_release(x);
}

static void dtypes_and_orders(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3};
  gpuarr_array *x = NULL, *y = zeros(GPUARR_I16, 2, shape), *out = NULL;
  assert_ok(gpuarr_array_zeros(&x, device, GPUARR_F16, 2, shape, GPUARR_ORDER_F, NULL));
  const gpuarr_array* both[] = {x, y};
  assert_ok(gpuarr_concatenate(&out, both, 2, 1, NULL));
  assert_int_equal(gpuarr_array_dtype(out), GPUARR_F32);
  assert_true(gpuarr_array_is_contiguous(out, GPUARR_ORDER_F));
  gpuarr_array_release(out);
  gpuarr_array_release(y);
  gpuarr_array_release(x);
}

static void sizes_that_overflow(void** state) {
  (void)state;
  const int64_t wide = INT64_C(1) << 62;
  gpuarr_array *one = line(GPUARR_I8, 1), *x = NULL, *out = NULL;
  assert_ok(gpuarr_array_broadcast(&x, one, 1, &wide));
  const gpuarr_array* both[] = {x, x};
  assert_status(gpuarr_concatenate(&out, both, 2, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("more than 2^63 - 1 indices along axis 0");
  assert_status(gpuarr_stack(&out, both, 2, 0, NULL), GPUARR_ERR_SHAPE);
  assert_null(out);
  gpuarr_array_release(x);
  gpuarr_array_release(one);
}

static void nothing_to_join(void** state) {
  (void)state;
  gpuarr_array *x = line(GPUARR_F32, 0), *y = ramp(GPUARR_F32, 2), *out = NULL;
  const gpuarr_array *empty[] = {x, x}, *one_empty[] = {x, y, x};
  assert_ok(gpuarr_concatenate(&out, empty, 2, 0, NULL));
  assert_int_equal(gpuarr_array_size(out), 0);
  gpuarr_array_release(out);
  out = NULL;
  assert_ok(gpuarr_concatenate(&out, one_empty, 3, 0, NULL));
  assert_values(out, 2, (double[]){0, 1});
  gpuarr_array_release(out);
  gpuarr_array_release(y);
  gpuarr_array_release(x);
}

static void sections_are_views(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I32, 6), *parts[3];
  assert_ok(gpuarr_split(parts, 3, x, 0));
  assert_ok(gpuarr_array_fill(parts[1], gpuarr_arg_i32(9), NULL));
  assert_values(x, 6, (double[]){0, 1, 9, 9, 4, 5});
  release_arrays(parts, 3);
  gpuarr_array_release(x);
}

static void refused_sections(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I32, 6), *parts[4] = {x, x, x, x};
  assert_status(gpuarr_split(parts, 4, x, 0), GPUARR_ERR_SHAPE);
  assert_message_has("gpuarr_split: axis 0 has extent 6, which does not divide into 4");
  for (int k = 0; k < 4; ++k) assert_null(parts[k]);
  assert_status(gpuarr_split(parts, 0, x, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("sections is 0");
  assert_status(gpuarr_split(NULL, 2, x, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("outs is NULL");
  assert_status(gpuarr_split(parts, 2, x, 1), GPUARR_ERR_AXIS);
  assert_status(gpuarr_split_at(parts, 2, NULL, x, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("indices is NULL; give 2 numbers");
  assert_status(gpuarr_split_at(parts, -1, NULL, x, 0), GPUARR_ERR_ARGUMENT);
  assert_ok(gpuarr_split_at(parts, 0, NULL, x, 0));
  assert_int_equal(gpuarr_array_size(parts[0]), 6);
  gpuarr_array_release(parts[0]);
  gpuarr_array_release(x);
}

static void grids_are_views(void** state) {
  (void)state;
  const int64_t xy[] = {3, 2}, square[] = {2, 3};
  gpuarr_array *x = ramp(GPUARR_F32, 2), *y = ramp(GPUARR_F64, 3), *grid[2];
  const gpuarr_array* both[] = {x, y};
  assert_ok(gpuarr_meshgrid(grid, both, 2, GPUARR_INDEXING_XY));
  assert_shape(grid[0], 2, xy);
  assert_ptr_equal(gpuarr_array_data(grid[0]), gpuarr_array_data(x));
  assert_int_equal(gpuarr_array_strides(grid[0])[0], 0);
  release_arrays(grid, 2);
  assert_ok(gpuarr_meshgrid(grid, both, 2, GPUARR_INDEXING_IJ));
  assert_shape(grid[1], 2, square);
  release_arrays(grid, 2);
  assert_status(gpuarr_meshgrid(grid, both, 2, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("indexing is 2");
  assert_null(grid[0]);
  gpuarr_array* matrix = zeros(GPUARR_F32, 2, square);
  both[1] = matrix;
  assert_status(gpuarr_meshgrid(grid, both, 2, 0), GPUARR_ERR_SHAPE);
  assert_message_has("arrays[1] has 2 axes; give arrays of one axis");
  gpuarr_array_release(matrix);
  gpuarr_array_release(y);
  gpuarr_array_release(x);
}

static void grids_that_are_too_large(void** state) {
  (void)state;
  const int64_t wide = INT64_C(1) << 30;
  gpuarr_array *one = line(GPUARR_I8, 1), *x = NULL, *grid[3];
  assert_ok(gpuarr_array_broadcast(&x, one, 1, &wide));
  const gpuarr_array *lines[] = {x, x, x}, *many[33];
  assert_status(gpuarr_meshgrid(grid, lines, 3, 0), GPUARR_ERR_SHAPE);
  gpuarr_array* grids[33];
  for (int k = 0; k < 33; ++k) many[k] = one;
  assert_status(gpuarr_meshgrid(grids, many, 33, 0), GPUARR_ERR_SHAPE);
  assert_message_has("count is 33");
  gpuarr_array_release(x);
  gpuarr_array_release(one);
}

static void shapes_that_do_not_broadcast(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 2), *y = ramp(GPUARR_F64, 3), *outs[2];
  const gpuarr_array* both[] = {x, y};
  assert_status(gpuarr_broadcast_arrays(outs, both, 2), GPUARR_ERR_BROADCAST);
  assert_message_has("arrays[1] has shape (3,), which does not broadcast with (2,)");
  assert_null(outs[0]);
  assert_ok(gpuarr_broadcast_arrays(NULL, NULL, 0));
  gpuarr_array_release(y);
  gpuarr_array_release(x);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused_to_join),
      cmocka_unit_test(outputs_that_cannot_be_written),
      cmocka_unit_test(into_their_own_memory),
      cmocka_unit_test(dtypes_and_orders),
      cmocka_unit_test(sizes_that_overflow),
      cmocka_unit_test(nothing_to_join),
      cmocka_unit_test(sections_are_views),
      cmocka_unit_test(refused_sections),
      cmocka_unit_test(grids_are_views),
      cmocka_unit_test(grids_that_are_too_large),
      cmocka_unit_test(shapes_that_do_not_broadcast),
  };
  return run_suite(tests);
}
