/** @file gpuarr/blocked_order.h  Where the order of a blocked array's elements counts: sorting,
 *  cumulative sums. */
#ifndef GPUARR_BLOCKED_ORDER_H
#define GPUARR_BLOCKED_ORDER_H

#include "gpuarr/blocked.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sort a blocked vector, as gpuarr_sort sorts an array: the result is the same, bit for bit, at
 *  any number of places and in any grid. Collective.
 *
 *  Each place sorts a range of the vector; samples divide all elements into as many buckets as
 *  there are places; each place sorts a bucket again, and these are put into the blocks of @p out
 *  (Shi and Schaeffer, "Parallel sorting by regular sampling", 1992). Buckets are about equally
 *  large whatever the elements are. If the places' blocks do not follow each other, or one has far
 *  more elements than others, they are first divided evenly. Of a replicated array nothing is sent:
 *  each place sorts all of it.
 *  @param[in,out] out         in: a blocked array of the shape, dtype and team of @p x, in any
 *                             grid, which may be @p x; or NULL, then it is created with the blocks,
 *                             places and halo of @p x and owned by the caller; on failure it stays
 *                             NULL
 *  @param         x           the elements, of one axis
 *  @param         descending  1 for the largest first, 0 for the smallest first
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE (also: not one axis), GPUARR_ERR_DTYPE,
 *          errors of compiling a kernel, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_PEER,
 *          GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_sort(gpuarr_blocked** out, gpuarr_blocked* x,
                                             int32_t descending);

/** Compute cumulative sums, products, minima or maxima along an axis, as gpuarr_cumsum and its
 *  neighbours do for arrays. Collective.
 *
 *  Each block is reduced to its total; the totals go to the places that have blocks of the same
 *  line; there they are scanned in the order of blocks, and each block is scanned behind what comes
 *  before it. So bits depend on the grid, not on the number of places. Only totals are sent, and
 *  nothing along an axis that is not divided.
 *  @param[in,out] out        in: a blocked array of the shape of @p x, of the results' dtype and of
 *                            the same team, in any grid, which may be @p x; or NULL, then it is
 *                            created with the blocks, places and halo of @p x and owned by the
 *                            caller; on failure it stays NULL
 *  @param         name       "cumsum", "cumprod", "cummin" or "cummax"; dtypes are those of
 *                            gpuarr_cumsum and so on
 *  @param         x          the elements
 *  @param         axis       the axis, from 0, or from the last as -1
 *  @param         exclusive  0: a result includes its own element; 1: only those before it
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (also: no such scan), GPUARR_ERR_AXIS, GPUARR_ERR_SHAPE,
 *          GPUARR_ERR_DTYPE, errors of compiling a kernel, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_scan(gpuarr_blocked** out, const char* name,
                                             gpuarr_blocked* x, int32_t axis, int32_t exclusive);

#ifdef __cplusplus
}
#endif
#endif
