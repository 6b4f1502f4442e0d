/** @file gpuarr/sort.h  Sorting along an axis, the order of elements, the least and the greatest.
 *
 *  The order is that of NumPy: false before true; numbers by their value, 0 and -0 as equals, a NaN
 *  after all that are none; complex numbers by their real parts and, where those are equal, by
 *  their imaginary parts, then those whose imaginary part alone is NaN, and then the others with a
 *  NaN. In descending order NaNs come last too, so that it is the order of -x. Sorting is stable:
 *  equals keep their order, in either direction. */
#ifndef GPUARR_SORT_H
#define GPUARR_SORT_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sort elements along an axis.
 *
 *  It is a radix sort, by eight bits in each pass over memory; on a GPU, of long rows, as in
 *  Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
 *  https://arxiv.org/abs/2206.01784, by the kernels of NVIDIA's CUB. Kernels are compiled when
 *  first asked for. The same call gives the same bits.
 *
 *  @param[in,out] out         in: an array of the shape, dtype and device of @p x, which may be
 *                             @p x; or NULL, when it is made, in the memory order of @p x, and
 *                             owned by the caller. NULL stays NULL on failure.
 *  @param         x           the elements: any layout, any dtype, at least one axis
 *  @param         axis        the axis, from 0, or from the last as -1
 *  @param         descending  1 for the greatest first, 0 for the least
 *  @param         stream      stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, descending), GPUARR_ERR_AXIS, GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_sort(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                     int32_t descending, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the indices along an axis that put its elements in order, as int64.
 *  @param[in,out] out  as for gpuarr_sort, but of int64
 *  Other parameters and errors as gpuarr_sort.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_argsort(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                        int32_t descending, gpuarr_stream* GPUARR_NULLABLE stream);

/** Bring the element that sorting would put at a place there, the lesser before it and the greater
 *  after it, in an order that is not to be counted on. The same call gives the same bits.
 *
 *  The element is found by counting digits, the most significant first, of those that have the
 *  digits before, as in Alabi, Blanchard, Gordon and Steinbach, "Fast k-Selection Algorithms for
 *  Graphics Processing Units" (2012), https://doi.org/10.1145/2133803.2345676; so for gpuarr_topk,
 *  gpuarr_median and a few quantiles.
 *  @param  kth  the place, from 0, or from the last as -1; one that there is (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_sort.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_partition(gpuarr_array** out, const gpuarr_array* x, int64_t kth,
                                          int32_t axis, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the greatest or the least elements along an axis, the most extreme first, and where they
 *  are. Of equals those that come first are taken; a NaN, where there is nothing else.
 *  @param[in,out] values   as out of gpuarr_sort, with extent @p k along the axis; NULL if the
 *                          elements are not wanted
 *  @param[in,out] indices  the same as int64, for their indices along the axis; NULL if those are
 *                          not wanted. One of the two must be (GPUARR_ERR_ARGUMENT)
 *  @param         k        how many: 0 to the extent of the axis (GPUARR_ERR_ARGUMENT)
 *  @param         largest  1 for the greatest, 0 for the least
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
