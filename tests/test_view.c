/* gpuarr/view.h by examples: what a view keeps alive, its strides, how many axes it may have. */
#include "arrays.h"

static void views_keep_the_memory(void** state) {
  (void)state;
  gpuarr_array* first = ramp(GPUARR_I32, 10);
  gpuarr_array* view = NULL;
  assert_ok(gpuarr_array_slice(&view, first, 0, GPUARR_NONE, GPUARR_NONE, -3));
  gpuarr_array_release(first);
  int32_t values[4];
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, view, NULL));
  int32_t expected[] = {9, 6, 3, 0};
  assert_memory_equal(values, expected, sizeof expected);
  gpuarr_array_release(view);
}

static void strides_are_as_documented(void** state) {
  (void)state;
  int64_t shape[] = {3, 4};
  int64_t wide[] = {2, 3, 4};
  gpuarr_array* first = zeros(GPUARR_F32, 2, shape);
  gpuarr_array* view = NULL;
  assert_ok(gpuarr_array_slice(&view, first, 1, GPUARR_NONE, GPUARR_NONE, -2));
  assert_int_equal(gpuarr_array_strides(view)[1], -2);
  const char* from = gpuarr_array_data(first);
  assert_ptr_equal(gpuarr_array_data(view), from + 3 * sizeof(float));
  gpuarr_array_release(view);
  assert_ok(gpuarr_array_broadcast(&view, first, 3, wide));
  assert_int_equal(gpuarr_array_strides(view)[0], 0);
  gpuarr_array_release(view);
  gpuarr_array_release(first);
}

static void thirty_two_axes(void** state) {
  (void)state;
  gpuarr_array* array = ramp(GPUARR_I32, 6);
  for (int i = 1; i < GPUARR_MAX_NDIM; ++i) {
    gpuarr_array* view = NULL;
    assert_ok(gpuarr_array_expand(&view, array, (int32_t)random_between(0, i)));
    gpuarr_array_release(array);
    array = view;
  }
  assert_int_equal(gpuarr_array_ndim(array), GPUARR_MAX_NDIM);
  int32_t values[6];
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, array, NULL));
  for (int i = 0; i < 6; ++i) assert_int_equal(values[i], i);
  gpuarr_array* view = array;
  assert_status(gpuarr_array_expand(&view, array, 0), GPUARR_ERR_SHAPE);
  assert_message_has("gpuarr_array_expand: the array has 32 axes");
  assert_null(view);
  gpuarr_array_release(array);
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(views_keep_the_memory),
      cmocka_unit_test(strides_are_as_documented),
      cmocka_unit_test(thirty_two_axes),
  };
  return run_suite(tests);
}
