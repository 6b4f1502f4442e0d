/** @file gpuarr/index.h  Gather and scatter: take and put elements by arrays of indices. */
#ifndef GPUARR_INDEX_H
#define GPUARR_INDEX_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Take slices along an axis by their indices: out[a, i, b] = x[a, indices[i], b], where a, i and b
 *  stand for any number of indices, as NumPy's take.
 *
 *  Indices count from 0, or from the end as -1. An index out of range is an error
 *  (GPUARR_ERR_INDEX); the message tells the index, its position, the axis and its extent. On the
 *  CPU the call itself fails. On a GPU, where the work runs later, the error is returned once, by
 *  the next call that waits for the stream (gpuarr_stream_synchronize, gpuarr_array_read,
 *  gpuarr_device_synchronize ...), and the stream stays usable; for a graph's launch it is the next
 *  call that waits for any stream of the device. The results of such indices are 0, and nothing
 *  outside of the arrays is accessed. A kernel is compiled at the first call with a combination of
 *  types and layouts.
 *
 *  @param[in,out] out      in: an array of the result's shape, and of @p x's dtype and device; or
 *                          NULL, then it is created in the memory order of @p x and owned by the
 *                          caller; on failure it stays NULL. It may overlap the others
 *  @param         x        the elements: any layout, any dtype
 *  @param         indices  the indices: any shape, any integer dtype; in the result their axes
 *                          replace @p axis
 *  @param         axis     axis of @p x, from 0, or from the last as -1
 *  @param         stream   stream to work in; NULL for the current one of the arrays' device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, read-only), GPUARR_ERR_AXIS, GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP, GPUARR_ERR_INDEX (also: an axis
 *          of extent 0, and indices), GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_COMPILE,
 *          GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_DRIVER,
 *          GPUARR_ERR_FORKED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_take(gpuarr_array** out, const gpuarr_array* x,
                                     const gpuarr_array* indices, int32_t axis,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Take an element for each index, along an axis: out[a, i, b] = x[a, indices[a, i, b], b], as
 *  NumPy's take_along_axis. Indices are checked as by gpuarr_take.
 *  @param[in,out] out      as for gpuarr_take
 *  @param         indices  any integer dtype; as many axes as @p x, which broadcast with those of
 *                          @p x except @p axis (GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST)
 *  Other parameters and errors as gpuarr_take.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_take_along_axis(gpuarr_array** out, const gpuarr_array* x,
                                                const gpuarr_array* indices, int32_t axis,
                                                gpuarr_stream* GPUARR_NULLABLE stream);

/** Put values at indices along an axis: x[a, indices[i], b] = values[a, i, b].
 *
 *  If several indices are equal, one of their values is kept; which one is unspecified. Indices are
 *  checked as by gpuarr_take; values of indices out of range are not written, the others are.
 *  @param  x        the array to write to; it may overlap the others
 *  @param  indices  where: any shape, any integer dtype
 *  @param  values   an array, which is broadcast to the shape of gpuarr_take's result and converted
 *                   to @p x's dtype as by gpuarr_array_assign (GPUARR_ERR_BROADCAST); or a scalar
 *                   that @p x's dtype can hold
 *  @param  axis     axis of @p x, from 0, or from the last as -1
 *  @param  stream   stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_take
 *  @externalsync the array @p x */
GPUARR_API gpuarr_status gpuarr_put(gpuarr_array* x, const gpuarr_array* indices, gpuarr_arg values,
                                    int32_t axis, gpuarr_stream* GPUARR_NULLABLE stream);

/** Add values at indices along an axis: x[a, indices[i], b] += values[a, i, b], all of them if
 *  several indices are equal, as NumPy's add.at.
 *
 *  Sums use atomic operations in an order that differs between calls, so rounding of floats may
 *  differ. Integers wrap around.
 *  @param  x  the array to add to, with a dtype of 2 bytes or more (GPUARR_ERR_DTYPE)
 *  Other parameters and errors as gpuarr_put.
 *  @externalsync the array @p x */
GPUARR_API gpuarr_status gpuarr_put_add(gpuarr_array* x, const gpuarr_array* indices,
                                        gpuarr_arg values, int32_t axis,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Put a value at each index, along an axis: x[a, indices[a, i, b], b] = values[a, i, b], as
 *  NumPy's put_along_axis; equal indices as for gpuarr_put.
 *  @param  indices  as for gpuarr_take_along_axis
 *  Other parameters and errors as gpuarr_put.
 *  @externalsync the array @p x */
GPUARR_API gpuarr_status gpuarr_put_along_axis(gpuarr_array* x, const gpuarr_array* indices,
                                               gpuarr_arg values, int32_t axis,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
