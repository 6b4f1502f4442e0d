/** @file gpuarr/join.h  Concatenate, stack, split and broadcast arrays. */
#ifndef GPUARR_JOIN_H
#define GPUARR_JOIN_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Concatenate arrays along an existing axis.
 *  @param[in,out] out     in: an array of the result's shape, dtype and device; or NULL, then it is
 *                         created in the memory order of the first array and owned by the caller;
 *                         on failure it stays NULL. It may overlap the others
 *  @param         arrays  the arrays: at least one axis, the same shape except along @p axis, any
 *                         layouts. Dtypes are promoted as by NumPy's result_type
 *  @param         count   their number, 1 or more
 *  @param         axis    the axis, from 0, or from the last as -1
 *  @param         stream  stream to work in; NULL for the current one of the arrays' device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, count, read-only), GPUARR_ERR_AXIS,
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER, and on a GPU errors of compiling a kernel
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_concatenate(gpuarr_array** out, const gpuarr_array* const* arrays,
                                            int32_t count, int32_t axis,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Stack arrays of the same shape along a new axis.
 *  @param  arrays  the arrays, of the same shape; dtypes as for gpuarr_concatenate
 *  @param  axis    position of the new axis in the result, from 0, or from the last as -1
 *  Other parameters and errors as gpuarr_concatenate.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_stack(gpuarr_array** out, const gpuarr_array* const* arrays,
                                      int32_t count, int32_t axis,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Split an array along an axis into equal sections. They are views: nothing is copied.
 *  @param[out] outs      @p sections views, in their order, owned by the caller; NULL on failure
 *  @param      sections  how many, 1 or more; must divide the axis' extent (GPUARR_ERR_SHAPE)
 *  @param      array     the array
 *  @param      axis      which axis; negative counts from the last
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_SHAPE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_split(gpuarr_array** outs, int32_t sections,
                                      const gpuarr_array* array, int32_t axis);

/** Split an array along an axis before given indices. The sections are views: nothing is copied.
 *  @param[out] outs     @p count + 1 views, in their order, owned by the caller; NULL on failure
 *  @param      count    number of indices; 0 with @p indices NULL
 *  @param      indices  where sections begin, by the rules of gpuarr_array_slice; a decreasing
 *                       index gives an empty section
 *  @param      array    the array
 *  @param      axis     which axis; negative counts from the last
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_split_at(gpuarr_array** outs, int32_t count,
                                         const int64_t* GPUARR_NULLABLE indices,
                                         const gpuarr_array* array, int32_t axis);

/** Broadcast arrays to their common shape. The results are views: nothing is copied.
 *  @param[out] outs    @p count views, owned by the caller; NULL on failure. Kernels refuse to
 *                      write to those that repeat elements
 *  @param      arrays  the arrays, of any dtypes and devices
 *  @param      count   their number, 0 or more
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_broadcast_arrays(gpuarr_array** outs,
                                                 const gpuarr_array* const* arrays, int32_t count);

enum {
  GPUARR_INDEXING_XY = 0, /**< the first array lies along axis 1 and the second along axis 0 */
  GPUARR_INDEXING_IJ = 1  /**< array k lies along axis k */
};

/** Create the coordinates of a grid's points, as views that repeat their elements: nothing is
 *  copied.
 *  @param[out] outs      @p count views of one shape, owned by the caller; NULL on failure, but
 *                        unchanged if @p count is refused
 *  @param      arrays    coordinates along each axis: arrays of one axis at most
 *  @param      count     their number, 0 to GPUARR_MAX_NDIM
 *  @param      indexing  GPUARR_INDEXING_XY or GPUARR_INDEXING_IJ
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_meshgrid(gpuarr_array** outs, const gpuarr_array* const* arrays,
                                         int32_t count, int32_t indexing);

#ifdef __cplusplus
}
#endif
#endif
