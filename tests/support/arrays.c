/* See arrays.h. */
#include "arrays.h"

#include <stdlib.h>

#include "nested.h"

gpuarr_array* from(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape, const void* data) {
  gpuarr_array* array = NULL;
  const int64_t bytes = count_of(ndim, shape) * gpuarr_dtype_size(dtype);
  assert_ok(gpuarr_array_from_host(&array, open_test_device(), dtype, ndim, shape, NULL, data,
                                   bytes, NULL));
  return array;
}

gpuarr_array* floats(int64_t count, const float* data) { return from(GPUARR_F32, 1, &count, data); }

gpuarr_array* zeros(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape) {
  gpuarr_array* array = NULL;
  assert_ok(
      gpuarr_array_zeros(&array, open_test_device(), dtype, ndim, shape, GPUARR_ORDER_C, NULL));
  return array;
}

gpuarr_array* line(gpuarr_dtype dtype, int64_t count) { return zeros(dtype, 1, &count); }

gpuarr_array* ramp(gpuarr_dtype dtype, int64_t count) {
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_arange(&array, open_test_device(), dtype, gpuarr_arg_i32(0),
                                gpuarr_arg_i64(count), gpuarr_arg_i32(1), NULL));
  return array;
}

void replace(gpuarr_array** array, gpuarr_array* by) {
  gpuarr_array_release(*array);
  *array = by;
}

void release_arrays(gpuarr_array* const* arrays, int count) {
  for (int k = 0; k < count; ++k) gpuarr_array_release(arrays[k]);
}

void assert_shape(const gpuarr_array* array, int32_t ndim, const int64_t* shape) {
  assert_int_equal(gpuarr_array_ndim(array), ndim);
  for (int32_t axis = 0; axis < ndim; ++axis)
    assert_int_equal(gpuarr_array_shape(array)[axis], shape[axis]);
}

void assert_floats(const gpuarr_array* array, int64_t count, const float* expected) {
  float* actual = malloc((size_t)(count > 0 ? count : 1) * sizeof(float));
  assert_int_equal(gpuarr_array_size(array), count);
  assert_int_equal(gpuarr_array_dtype(array), GPUARR_F32);
  assert_ok(gpuarr_array_read(actual, count * 4, NULL, array, NULL));
  for (int64_t k = 0; k < count; ++k) assert_close(actual[k], expected[k], 1e-6);
  free(actual);
}

void assert_values(const gpuarr_array* array, int64_t count, const double* expected) {
  double* actual = doubles_of(array);
  assert_int_equal(gpuarr_array_size(array), count);
  for (int64_t k = 0; k < count; ++k) assert_close(actual[k], expected[k], 0);
  free(actual);
}

double* doubles_of(const gpuarr_array* array) {
  gpuarr_array* wide = NULL;
  double* values = malloc((size_t)(gpuarr_array_size(array) + 1) * sizeof(double));
  assert_ok(gpuarr_array_astype(&wide, array, GPUARR_F64, NULL));
  assert_ok(gpuarr_array_read(values, gpuarr_array_size(array) * 8, NULL, wide, NULL));
  gpuarr_array_release(wide);
  return values;
}

double value_of(const gpuarr_array* array) {
  assert_int_equal(gpuarr_array_size(array), 1);
  double* values = doubles_of(array);
  double value = values[0];
  free(values);
  return value;
}

void require_blas(void) {
  gpuarr_array *x = zeros(GPUARR_F32, 2, (const int64_t[]){1, 1}), *out = NULL;
  const gpuarr_status status = gpuarr_matmul(&out, x, x, 0, NULL);
  release_arrays((gpuarr_array*[]){x, out}, 2);
  if (status == GPUARR_ERR_NO_LIBRARY) skip();
}
