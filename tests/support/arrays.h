/* Arrays with given elements on the device under test, in one line each, and what is in them. */
#ifndef GPUARR_TEST_ARRAYS_H
#define GPUARR_TEST_ARRAYS_H

#include "support.h"

/* New arrays, in C order; the caller releases them. */
gpuarr_array* from(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape, const void* data);
gpuarr_array* floats(int64_t count, const float* data);
gpuarr_array* zeros(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape);
gpuarr_array* line(gpuarr_dtype dtype, int64_t count); /* of zeros, with one axis */
gpuarr_array* ramp(gpuarr_dtype dtype, int64_t count); /* 0, 1, 2, ... */

/* The array takes the place of another one, which is released. */
void replace(gpuarr_array** array, gpuarr_array* by);

/* Skips the test where products of floats cannot be computed. */
void require_blas(void);

void release_arrays(gpuarr_array* const* arrays, int count);

void assert_shape(const gpuarr_array* array, int32_t ndim, const int64_t* shape);

/* A float32 array of `count` elements has these, but for rounding. */
void assert_floats(const gpuarr_array* array, int64_t count, const float* expected);

/* An array of any dtype but the complex ones has just these elements, in C order. */
void assert_values(const gpuarr_array* array, int64_t count, const double* expected);

/* The elements as double, in C order; the caller frees them. */
double* doubles_of(const gpuarr_array* array);

/* The one element of an array of any dtype but the complex ones. */
double value_of(const gpuarr_array* array);

#endif
