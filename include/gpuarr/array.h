/** @file gpuarr/array.h  N-dimensional arrays: create and query. */
#ifndef GPUARR_ARRAY_H
#define GPUARR_ARRAY_H

#include "gpuarr/arg.h"
#include "gpuarr/device.h"
#include "gpuarr/dtype.h"
#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GPUARR_MAX_NDIM = 32 };

/** Order of a new array's elements in memory. */
enum {
  GPUARR_ORDER_C = 0, /**< the last axis varies fastest, as in C */
  GPUARR_ORDER_F = 1, /**< the first axis varies fastest, as in Fortran and Julia */
  GPUARR_ORDER_K = 2  /**< like the array that it is created from */
};

/** Create an array with uninitialised elements.
 *  @param[out] out     the array, owned by the caller; NULL on failure
 *  @param      device  where it lives
 *  @param      dtype   type of its elements
 *  @param      ndim    number of axes, 0 to GPUARR_MAX_NDIM
 *  @param      shape   @p ndim extents, each >= 0; may be NULL when @p ndim is 0
 *  @param      order   GPUARR_ORDER_C or GPUARR_ORDER_F
 *  @param      stream  stream in whose order the memory is allocated; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_empty(gpuarr_array** out, gpuarr_device* device,
                                            gpuarr_dtype dtype, int32_t ndim,
                                            const int64_t* GPUARR_NULLABLE shape, int32_t order,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Create an array of zeros. Parameters and errors as gpuarr_array_empty.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_zeros(gpuarr_array** out, gpuarr_device* device,
                                            gpuarr_dtype dtype, int32_t ndim,
                                            const int64_t* GPUARR_NULLABLE shape, int32_t order,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Create an array of ones. Parameters and errors as gpuarr_array_empty.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_ones(gpuarr_array** out, gpuarr_device* device,
                                           gpuarr_dtype dtype, int32_t ndim,
                                           const int64_t* GPUARR_NULLABLE shape, int32_t order,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Create an array filled with a value.
 *  @param  value  a scalar; GPUARR_ERR_DTYPE if @p dtype cannot hold it
 *  Other parameters and errors as gpuarr_array_empty.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_full(gpuarr_array** out, gpuarr_device* device,
                                           gpuarr_dtype dtype, int32_t ndim,
                                           const int64_t* GPUARR_NULLABLE shape, int32_t order,
                                           gpuarr_arg value, gpuarr_stream* GPUARR_NULLABLE stream);

/** Create an array of the values start, start + step, start + 2 step, ... before stop.
 *  @param[out] out     array of one axis, owned by the caller; NULL on failure
 *  @param      device  where it lives
 *  @param      dtype   type of its elements; not bool
 *  @param      start   first value
 *  @param      stop    end of the range, not included; not complex
 *  @param      step    distance between values, not 0; may be negative. If all three are integers,
 *                      the elements are computed as integers; else each is start + index * step in
 *                      double, converted as by gpuarr_array_astype. The first and the last element
 *                      must be in the dtype's range
 *  @param      stream  stream to work in; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (step 0, not finite), GPUARR_ERR_SHAPE (too many),
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_arange(gpuarr_array** out, gpuarr_device* device,
                                             gpuarr_dtype dtype, gpuarr_arg start, gpuarr_arg stop,
                                             gpuarr_arg step,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Create an array of evenly spaced values from start to stop.
 *  @param[out] out       array of one axis, owned by the caller; NULL on failure
 *  @param      device    where it lives
 *  @param      dtype     floating or complex type of its elements
 *  @param      start     first value
 *  @param      stop      last value; not included if @p endpoint is 0
 *  @param      count     number of values, >= 0
 *  @param      endpoint  1 to include @p stop exactly, 0 to leave it out
 *  @param      stream    stream to work in; NULL for the current one
 *  @return as gpuarr_array_arange
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_linspace(gpuarr_array** out, gpuarr_device* device,
                                               gpuarr_dtype dtype, double start, double stop,
                                               int64_t count, int32_t endpoint,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Create a matrix of zeros with ones on one diagonal.
 *  @param[out] out      array of shape (rows, columns), owned by the caller; NULL on failure
 *  @param      device   where it lives
 *  @param      dtype    type of its elements
 *  @param      rows     extent of axis 0, >= 0
 *  @param      columns  extent of axis 1, >= 0
 *  @param      k        diagonal: 0 is the main one, positive numbers are above it
 *  @param      order    GPUARR_ORDER_C or GPUARR_ORDER_F
 *  @param      stream   stream to work in; NULL for the current one
 *  @return as gpuarr_array_empty
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_eye(gpuarr_array** out, gpuarr_device* device,
                                          gpuarr_dtype dtype, int64_t rows, int64_t columns,
                                          int64_t k, int32_t order,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Take another reference.
 *  @return @p array
 *  @threadsafe */
GPUARR_API gpuarr_array* gpuarr_array_retain(gpuarr_array* GPUARR_NULLABLE array);

/** Drop a reference. The memory returns to its allocator once the work that uses it is done; the
 *  call does not wait, except for memory that was wrapped with a deleter.
 *  @threadsafe */
GPUARR_API void gpuarr_array_release(gpuarr_array* GPUARR_NULLABLE array);

/** Number of axes.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_array_ndim(const gpuarr_array* array);

/** Extents of the axes.
 *  @return gpuarr_array_ndim() values, owned by the array; NULL for NULL
 *  @threadsafe */
GPUARR_API const int64_t* gpuarr_array_shape(const gpuarr_array* array);

/** Strides of the axes, in elements; may be negative or 0.
 *  @return gpuarr_array_ndim() values, owned by the array; NULL for NULL
 *  @threadsafe */
GPUARR_API const int64_t* gpuarr_array_strides(const gpuarr_array* array);

/** Number of elements: the product of the extents.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_array_size(const gpuarr_array* array);

/** Type of the elements.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API gpuarr_dtype gpuarr_array_dtype(const gpuarr_array* array);

/** Device of the array.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API gpuarr_device* gpuarr_array_device(const gpuarr_array* array);

/** Address of the element with all indices 0, on the array's device; valid as long as the array.
 *  Work in streams may still be writing there.
 *  @return NULL for NULL and for an array without elements
 *  @threadsafe */
GPUARR_API void* gpuarr_array_data(const gpuarr_array* array);

/** Ask whether the elements are contiguous in a memory order.
 *  @param  array  the array
 *  @param  order  GPUARR_ORDER_C, GPUARR_ORDER_F, or GPUARR_ORDER_K for any order of axes
 *  @return 1 or 0; 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_array_is_contiguous(const gpuarr_array* array, int32_t order);

#ifdef __cplusplus
}
#endif
#endif
