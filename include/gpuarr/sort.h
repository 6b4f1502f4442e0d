/** @file gpuarr/sort.h  Sorting along an axis: sort, argsort, partition, top k.
 *
 *  The order is that of NumPy: false before true; numbers by their value, 0 and -0 as equal, NaNs
 *  last; complex numbers by their real parts and, if those are equal, by their imaginary parts,
 *  then those of which only the imaginary part is NaN, then the others with a NaN. In descending
 *  order NaNs come last too, so that it is the order of -x. Sorting is stable: equal elements keep
 *  their order, in both directions. */
#ifndef GPUARR_SORT_H
#define GPUARR_SORT_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sort elements along an axis.
 *
 *  It is a radix sort with eight bits in each pass over memory; for long rows on a GPU that of
 *  NVIDIA's CUB, as in Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort
 *  for GPUs", https://arxiv.org/abs/2206.01784. Kernels are compiled at the first call. The same
 *  call gives the same bits.
 *
 *  @param[in,out] out         in: an array of the shape, dtype and device of @p x, which may be
 *                             @p x; or NULL, then it is created in the memory order of @p x and
 *                             owned by the caller; on failure it stays NULL
 *  @param         x           the elements: any layout, any dtype, at least one axis
 *  @param         axis        the axis, from 0, or from the last as -1
 *  @param         descending  1 for the largest first, 0 for the smallest first
 *  @param         stream      stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, descending), GPUARR_ERR_AXIS, GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_sort(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                     int32_t descending, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the indices along an axis that sort its elements, as int64.
 *  @param[in,out] out  as for gpuarr_sort, but of int64
 *  Other parameters and errors as gpuarr_sort.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_argsort(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                        int32_t descending, gpuarr_stream* GPUARR_NULLABLE stream);

/** Partition along an axis: put the element that sorting would put at index kth there, smaller
 *  elements before it and larger ones after it, in an unspecified order. The same call gives the
 *  same bits.
 *
 *  The element is found by radix selection, from the most significant digit, as in Alabi,
 *  Blanchard, Gordon and Steinbach, "Fast k-Selection Algorithms for Graphics Processing Units"
 *  (2012), https://doi.org/10.1145/2133803.2345676. gpuarr_topk, gpuarr_median and a few quantiles
 *  use it too.
 *  @param  kth  the index along the axis, from 0, or from the last as -1 (GPUARR_ERR_ARGUMENT if
 *               out of range)
 *  Other parameters and errors as gpuarr_sort.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_partition(gpuarr_array** out, const gpuarr_array* x, int64_t kth,
                                          int32_t axis, gpuarr_stream* GPUARR_NULLABLE stream);

/** Top k: find the largest or smallest elements along an axis, sorted, and their indices. Of equal
 *  elements the first are taken; NaNs only if there are not enough others.
 *  @param[in,out] values   as out of gpuarr_sort, with extent @p k along the axis; NULL if not
 *                          wanted
 *  @param[in,out] indices  likewise of int64: their indices along the axis; NULL if not wanted. Not
 *                          both may be NULL (GPUARR_ERR_ARGUMENT)
 *  @param         k        how many: 0 to the extent of the axis (GPUARR_ERR_ARGUMENT)
 *  @param         largest  1 for the largest, 0 for the smallest
 *  Other parameters and errors as gpuarr_sort.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_topk(gpuarr_array** GPUARR_NULLABLE values,
                                     gpuarr_array** GPUARR_NULLABLE indices, const gpuarr_array* x,
                                     int64_t k, int32_t axis, int32_t largest,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
