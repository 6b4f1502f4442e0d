/** @file gpuarr/transfer.h  Copy, convert and fill arrays, on a device, between devices, and from
 *  and to host memory. */
#ifndef GPUARR_TRANSFER_H
#define GPUARR_TRANSFER_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Copy an array on its device into new memory.
 *  @param[out] out     the copy, owned by the caller; NULL on failure
 *  @param      array   the array
 *  @param      order   GPUARR_ORDER_C, GPUARR_ORDER_F, or GPUARR_ORDER_K: the order of the array's
 *                      axes in memory
 *  @param      stream  stream to work in; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_DRIVER, and on a GPU errors of compiling a kernel
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_copy(gpuarr_array** out, const gpuarr_array* array,
                                           int32_t order, gpuarr_stream* GPUARR_NULLABLE stream);

/** Get an array that is contiguous in a memory order: the array itself if it is, else a copy.
 *  Parameters and errors as gpuarr_array_copy.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_contiguous(gpuarr_array** out, const gpuarr_array* array,
                                                 int32_t order,
                                                 gpuarr_stream* GPUARR_NULLABLE stream);

/** Convert an array to another dtype, by C's rules: floats to integers truncate, with undefined
 *  values outside of the range; to bool, any value but 0 is true; complex to real drops the
 *  imaginary part. Memory order follows the array.
 *  @param[out] out     the copy, owned by the caller; NULL on failure
 *  @param      array   the array
 *  @param      dtype   type of the copy's elements
 *  @param      stream  stream to work in; NULL for the current one
 *  @return as gpuarr_array_copy, and GPUARR_ERR_DTYPE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_astype(gpuarr_array** out, const gpuarr_array* array,
                                             gpuarr_dtype dtype,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Copy the elements of one array into another, broadcast to its shape and converted to its dtype.
 *  They may be on different devices, and may share memory: the result is as if they did not.
 *  @param  target  the array to write to
 *  @param  source  the array to read from
 *  @param  stream  stream of the target's device to work in; NULL for the current one. A copy
 *                  between devices is complete when the call returns.
 *  @return as gpuarr_array_copy, and GPUARR_ERR_BROADCAST, GPUARR_ERR_OVERLAP (a target with
 *          overlapping elements)
 *  @externalsync the arrays */
GPUARR_API gpuarr_status gpuarr_array_assign(gpuarr_array* target, const gpuarr_array* source,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Set all elements to a value.
 *  @param  array   the array to write to
 *  @param  value   a scalar that the dtype can hold; see gpuarr_arg
 *  @param  stream  stream to work in; NULL for the current one
 *  @return as gpuarr_array_copy, and GPUARR_ERR_DTYPE, GPUARR_ERR_OVERLAP (an array with
 *          overlapping elements)
 *  @externalsync the array */
GPUARR_API gpuarr_status gpuarr_array_fill(gpuarr_array* array, gpuarr_arg value,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Copy an array to another device, in the same memory order.
 *  @param[out] out     the copy, owned by the caller; NULL on failure. Also a copy if the device is
 *                      the same
 *  @param      array   the array
 *  @param      device  where the copy lives
 *  @param      stream  stream of @p device; NULL for the current one
 *  @return as gpuarr_array_copy
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_to_device(gpuarr_array** out, const gpuarr_array* array,
                                                gpuarr_device* device,
                                                gpuarr_stream* GPUARR_NULLABLE stream);

/* The functions below take the size of the host memory and never access anything beyond it: if the
 * elements, from the one at the lowest address to the one at the highest, take more bytes, they
 * fail with GPUARR_ERR_SHAPE and access nothing. With negative strides, `data` is inside that
 * memory and not at its beginning. */

/** Create an array from elements in host memory. Memory order follows that of the elements.
 *  @param[out] out      the array, owned by the caller; NULL on failure
 *  @param      device   where it lives
 *  @param      dtype    type of the elements
 *  @param      ndim     number of axes
 *  @param      shape    @p ndim extents; may be NULL when @p ndim is 0
 *  @param      strides  @p ndim strides in elements, any; NULL for C order
 *  @param      data     address of the element with all indices 0, read before the call returns
 *  @param      bytes    size of the memory that holds the elements, such as sizeof an array
 *  @param      stream   stream of @p device; NULL for the current one
 *  @return as gpuarr_array_empty
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_from_host(gpuarr_array** out, gpuarr_device* device,
                                                gpuarr_dtype dtype, int32_t ndim,
                                                const int64_t* GPUARR_NULLABLE shape,
                                                const int64_t* GPUARR_NULLABLE strides,
                                                const void* data, int64_t bytes,
                                                gpuarr_stream* GPUARR_NULLABLE stream);

/** Copy elements of the array's shape and dtype from host memory into an array.
 *  @param  array    the array to be written
 *  @param  strides  the host elements' strides, in elements; NULL for C order
 *  @param  data     address of the element with all indices 0, read before the call returns
 *  @param  bytes    size of the memory in which the host's elements lie
 *  @param  stream   stream to work in; NULL for the current one
 *  @return as gpuarr_array_copy
 *  @externalsync the array */
GPUARR_API gpuarr_status gpuarr_array_write(gpuarr_array* array,
                                            const int64_t* GPUARR_NULLABLE strides,
                                            const void* data, int64_t bytes,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Copy an array's elements to host memory.
 *  @param[out] data     address of the element with all indices 0, written before the call returns
 *  @param      bytes    size of the memory that holds the host's elements, such as sizeof an array
 *  @param      strides  the host elements' strides, in elements; NULL for C order
 *  @param      array    the array
 *  @param      stream   stream to work in, after its earlier work; NULL for the current one
 *  @return as gpuarr_array_copy, and GPUARR_ERR_OVERLAP (strides with which elements share memory)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_read(void* data, int64_t bytes,
                                           const int64_t* GPUARR_NULLABLE strides,
                                           const gpuarr_array* array,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Copy elements of the array's shape and dtype from host memory into an array, asynchronously. The
 *  call returns before the copy is done if @p data is pinned memory (gpuarr_pinned_allocate); from
 *  other memory a GPU copies as gpuarr_array_write does, and the call may wait.
 *  @param  array    the array to be written, of any layout
 *  @param  strides  the host elements' strides, in elements: contiguous, with the axes in any
 *                   order; NULL for C order
 *  @param  data     address of the element with all indices 0. It must stay unchanged until the
 *                   copy is done, as gpuarr_stream_synchronize or an event tells. The library's
 *                   pinned memory may be freed before
 *  @param  bytes    size of the memory in which the host's elements lie
 *  @param  stream   stream to work in; NULL for the current one
 *  @return as gpuarr_array_copy, and GPUARR_ERR_UNSUPPORTED (strides with gaps, of 0 or negative)
 *  @externalsync the array */
GPUARR_API gpuarr_status gpuarr_array_write_async(gpuarr_array* array,
                                                  const int64_t* GPUARR_NULLABLE strides,
                                                  const void* data, int64_t bytes,
                                                  gpuarr_stream* GPUARR_NULLABLE stream);

/** Copy an array's elements to host memory, asynchronously. The call returns before the copy is
 *  done if @p data is pinned memory (gpuarr_pinned_allocate); with other memory it may wait.
 *  @param[out] data     address of the element with all indices 0. It must stay valid until the
 *                       copy is done; the library's pinned memory may be freed before, if the
 *                       elements are no longer wanted
 *  @param      bytes    size of the memory in which the host's elements lie
 *  @param      strides  as in gpuarr_array_write_async
 *  @param      array    the array, of any layout
 *  @param      stream   stream to work in; NULL for the current one
 *  @return as gpuarr_array_copy, and GPUARR_ERR_UNSUPPORTED (strides with gaps, of 0 or negative)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_read_async(void* data, int64_t bytes,
                                                 const int64_t* GPUARR_NULLABLE strides,
                                                 const gpuarr_array* array,
                                                 gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
