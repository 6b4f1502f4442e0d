/** @file gpuarr/rearrange.h  Tile, repeat, roll, flip, rotate and pad arrays; triangles and
 *  diagonals. */
#ifndef GPUARR_REARRANGE_H
#define GPUARR_REARRANGE_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tile: repeat a whole array along its axes.
 *  @param[in,out] out     in: an array of the result's shape, and of @p x's dtype and device; or
 *                         NULL, then it is created in the memory order of @p x and owned by the
 *                         caller; on failure it stays NULL. It may overlap @p x
 *  @param         x       the array, of any layout
 *  @param         count   number of axes in @p times; if it differs from that of @p x, the shorter
 *                         one is extended by 1s in front
 *  @param         times   how often along each axis, 0 or more
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, negative, read-only), GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_SHAPE (also: sizes beyond 2^63), GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP,
 *          GPUARR_ERR_UNSUPPORTED (more than 32 axes, after joining those that are contiguous),
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER, and errors of compiling a kernel
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_tile(gpuarr_array** out, const gpuarr_array* x, int32_t count,
                                     const int64_t* GPUARR_NULLABLE times,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Repeat each index of an axis a number of times in a row.
 *  @param  count  how often, 0 or more
 *  @param  axis   axis of @p x, from 0, or from the last as -1 (GPUARR_ERR_AXIS)
 *  Other parameters and errors as gpuarr_tile.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_repeat(gpuarr_array** out, const gpuarr_array* x, int64_t count,
                                       int32_t axis, gpuarr_stream* GPUARR_NULLABLE stream);

/** Repeat each index of an axis by a count of its own. The call waits for the stream, because the
 *  result's shape depends on the counts.
 *  @param  counts  of any integer dtype: one count, 0 or more, for each index of the axis, or one
 *                  for all of them
 *  @param  axis    axis of @p x, from 0, or from the last as -1 (GPUARR_ERR_AXIS)
 *  Other parameters and errors as gpuarr_tile, and GPUARR_ERR_UNSUPPORTED in a stream that is being
 *  captured.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_repeat_each(gpuarr_array** out, const gpuarr_array* x,
                                            const gpuarr_array* counts, int32_t axis,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Roll: shift elements along axes; those beyond the end reappear at the other end.
 *  @param  count   number of axes in @p axes, and of shifts, at most GPUARR_MAX_NDIM
 *  @param  shifts  by how many indices along each axis, any number; negative shifts towards index 0
 *  @param  axes    the axes, from 0, or from the last as -1 (GPUARR_ERR_AXIS); shifts of a repeated
 *                  axis add up
 *  Other parameters and errors as gpuarr_tile.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_roll(gpuarr_array** out, const gpuarr_array* x, int32_t count,
                                     const int64_t* GPUARR_NULLABLE shifts,
                                     const int32_t* GPUARR_NULLABLE axes,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Reverse axes: a view, nothing is copied.
 *  @param[out] out    the view, owned by the caller; NULL on failure
 *  @param      array  the array
 *  @param      count  number of axes in @p axes, may be 0; 0 with @p axes NULL
 *  @param      axes   the axes, each once, negative counts from the last; NULL for all
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_flip(gpuarr_array** out, const gpuarr_array* array, int32_t count,
                                     const int32_t* GPUARR_NULLABLE axes);

/** Rotate by 90 degrees in the plane of two axes: a view, nothing is copied.
 *  @param[out] out    the view, owned by the caller; NULL on failure
 *  @param      array  the array
 *  @param      turns  how often, from the first axis towards the second; negative rotates the other
 *                     way
 *  @param      axis1  first axis; negative counts from the last
 *  @param      axis2  second axis, another one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_rot90(gpuarr_array** out, const gpuarr_array* array, int32_t turns,
                                      int32_t axis1, int32_t axis2);

/** Modes of gpuarr_pad. */
enum {
  GPUARR_PAD_CONSTANT = 0,  /**< a constant value */
  GPUARR_PAD_EDGE = 1,      /**< the nearest element */
  GPUARR_PAD_REFLECT = 2,   /**< reflection that does not repeat the edge */
  GPUARR_PAD_SYMMETRIC = 3, /**< reflection that repeats the edge */
  GPUARR_PAD_WRAP = 4       /**< elements from the other end */
};

/** Pad an array with a border, axis by axis, as NumPy's pad.
 *  @param  before  widths before the first index of each axis of @p x, 0 or more; NULL if there are
 *                  no axes
 *  @param  after   widths after the last index of each axis
 *  @param  mode    GPUARR_PAD_...; all but GPUARR_PAD_CONSTANT need at least one element along a
 *                  padded axis (GPUARR_ERR_SHAPE); widths may exceed their number
 *  @param  value   a scalar that @p x's dtype can hold (GPUARR_ERR_DTYPE), for GPUARR_PAD_CONSTANT;
 *                  ignored otherwise
 *  Other parameters and errors as gpuarr_tile.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_pad(gpuarr_array** out, const gpuarr_array* x,
                                    const int64_t* GPUARR_NULLABLE before,
                                    const int64_t* GPUARR_NULLABLE after, int32_t mode,
                                    gpuarr_arg value, gpuarr_stream* GPUARR_NULLABLE stream);

/** Create a matrix with ones on and below a diagonal, and zeros above it.
 *  @param[out] out      array of shape (rows, columns), owned by the caller; NULL on failure
 *  @param      device   where it lives
 *  @param      dtype    type of its elements
 *  @param      rows     extent of axis 0, >= 0
 *  @param      columns  extent of axis 1, >= 0
 *  @param      k        which diagonal: 0 the main one, above it positive
 *  @param      order    GPUARR_ORDER_C or GPUARR_ORDER_F
 *  @param      stream   stream to work in; NULL for the current one
 *  @return as gpuarr_array_empty, and errors of compiling a kernel
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_tri(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                    int64_t rows, int64_t columns, int64_t k, int32_t order,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Keep the elements on and above a diagonal of the last two axes; those below it become 0.
 *  @param  x  a matrix, or several: two axes or more (GPUARR_ERR_SHAPE)
 *  @param  k  which diagonal: 0 the main one, above it positive
 *  Other parameters and errors as gpuarr_tile.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_triu(gpuarr_array** out, const gpuarr_array* x, int64_t k,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Keep the elements on and below a diagonal of the last two axes; those above it become 0.
 *  Parameters and errors as gpuarr_triu.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_tril(gpuarr_array** out, const gpuarr_array* x, int64_t k,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Create a square matrix with given elements on a diagonal, and 0 elsewhere. The reverse is the
 *  view gpuarr_array_diagonal.
 *  @param  x  the elements, of one axis (GPUARR_ERR_SHAPE)
 *  @param  k  which diagonal: 0 the main one, above it positive
 *  Other parameters and errors as gpuarr_tile.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_diag(gpuarr_array** out, const gpuarr_array* x, int64_t k,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
