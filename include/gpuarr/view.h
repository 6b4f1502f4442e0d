/** @file gpuarr/view.h  Strided views of an array's memory: nothing here copies elements. */
#ifndef GPUARR_VIEW_H
#define GPUARR_VIEW_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An omitted start or stop, as in Python's a[:stop] or a[start:]. */
#define GPUARR_NONE INT64_MIN

/** Slice one axis by Python's rules: a[..., start:stop:step, ...].
 *  @param[out] out    the view, owned by the caller; NULL on failure
 *  @param      array  the array
 *  @param      axis   which axis; negative counts from the last
 *  @param      start  first index; negative counts from the end; GPUARR_NONE for the first (for the
 *                     last if @p step is negative); clipped to the axis
 *  @param      stop   end of the slice, not included, likewise; GPUARR_NONE for the end of the axis
 *  @param      step   distance between indices, not 0; may be negative
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (step 0), GPUARR_ERR_AXIS
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_slice(gpuarr_array** out, const gpuarr_array* array,
                                            int32_t axis, int64_t start, int64_t stop,
                                            int64_t step);

/** Select one index of an axis and remove the axis: a[..., index, ...].
 *  @param[out] out    the view, owned by the caller; NULL on failure
 *  @param      array  the array
 *  @param      axis   which axis; negative counts from the last
 *  @param      index  the index; negative counts from the end
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS (axis or index out of range)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_select(gpuarr_array** out, const gpuarr_array* array,
                                             int32_t axis, int64_t index);

/** Permute the axes.
 *  @param[out] out    the view, owned by the caller; NULL on failure
 *  @param      array  the array
 *  @param      count  number of axes in @p axes: the array's ndim; 0 with @p axes NULL
 *  @param      axes   axis i of the view is axis axes[i] of the array, negative counts from the
 *                     last; NULL reverses the axes
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_transpose(gpuarr_array** out, const gpuarr_array* array,
                                                int32_t count, const int32_t* GPUARR_NULLABLE axes);

/** View the elements, in C order of their indices, with another shape.
 *  @param[out] out    the view, owned by the caller; NULL on failure
 *  @param      array  the array
 *  @param      ndim   number of axes of the view
 *  @param      shape  @p ndim extents; one may be -1 and is computed from the others
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE (another size, or strides that allow no
 *          such view: copy the array first)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_reshape(gpuarr_array** out, const gpuarr_array* array,
                                              int32_t ndim, const int64_t* GPUARR_NULLABLE shape);

/** Broadcast an array to a shape: repeat it along new axes and axes of extent 1, with stride 0.
 *  @param[out] out    the view, owned by the caller; NULL on failure. Kernels refuse to write to it
 *  @param      array  the array
 *  @param      ndim   number of axes of the view, at least the array's
 *  @param      shape  @p ndim extents; the array's are matched to the last ones
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_broadcast(gpuarr_array** out, const gpuarr_array* array,
                                                int32_t ndim, const int64_t* GPUARR_NULLABLE shape);

/** Remove axes of extent 1.
 *  @param[out] out    the view, owned by the caller; NULL on failure
 *  @param      array  the array
 *  @param      count  number of axes in @p axes, may be 0; 0 with @p axes NULL
 *  @param      axes   the axes, negative counts from the last; NULL for all of extent 1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_SHAPE (extent not 1)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_squeeze(gpuarr_array** out, const gpuarr_array* array,
                                              int32_t count, const int32_t* GPUARR_NULLABLE axes);

/** Insert an axis of extent 1.
 *  @param[out] out    the view, owned by the caller; NULL on failure
 *  @param      array  the array
 *  @param      axis   position of the new axis in the view, 0 to ndim; negative counts from the
 *                     last
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_SHAPE (too many axes)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_expand(gpuarr_array** out, const gpuarr_array* array,
                                             int32_t axis);

/** View the diagonal of two axes. It replaces them as the last axis.
 *  @param[out] out     the view, owned by the caller; NULL on failure
 *  @param      array   the array
 *  @param      offset  which diagonal: 0 the main one, above it positive
 *  @param      axis1   axis of the rows; negative counts from the last
 *  @param      axis2   axis of the columns, another one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_diagonal(gpuarr_array** out, const gpuarr_array* array,
                                               int64_t offset, int32_t axis1, int32_t axis2);

#ifdef __cplusplus
}
#endif
#endif
