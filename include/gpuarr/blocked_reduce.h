/** @file gpuarr/blocked_reduce.h  Reductions of blocked arrays: ready-made ones and the program's
 *  own kernels, along any axes.
 *
 *  Each block is reduced by itself, where it is; the partial results are brought together and
 *  combined in the order of the blocks. So the bits of a result depend on the grid of blocks and on
 *  the kind of device, but neither on the number of places nor on who has which block.
 */
#ifndef GPUARR_BLOCKED_REDUCE_H
#define GPUARR_BLOCKED_REDUCE_H

#include "gpuarr/blocked.h"
#include "gpuarr/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Flags of reductions. */
enum {
  /** Partial results may be combined by the devices' own all-reduce, in an order of its own. For
   *  sum, prod, min, max and mean of large results between GPUs; otherwise it changes nothing. */
  GPUARR_REDUCE_FAST = 1
};

/** Operators of gpuarr_all_reduce. */
enum {
  GPUARR_COMBINE_SUM = 1,  /**< sums; integers wrap around */
  GPUARR_COMBINE_PROD = 2, /**< products */
  GPUARR_COMBINE_MIN = 3,  /**< minima */
  GPUARR_COMBINE_MAX = 4   /**< maxima */
};

/** Reduce blocked arrays by a kernel. Collective. The result is that of the undivided arrays: i,
 *  _J, n and the indices along axes count in the whole.
 *  @param         kernel        the kernel
 *  @param[in,out] outputs       an array for each output parameter, of the results' shape, in any
 *                               blocks; an entry that is NULL is created, replicated, in one block
 *                               on every place, and owned by the caller; on failure it stays NULL
 *  @param         output_count  number of output parameters
 *  @param         inputs        an argument for each input parameter: of gpuarr_arg_blocked, a
 *                               scalar, or an array for a raw parameter, equal on all places.
 *                               Blocked ones go together as gpuarr_map_blocks says; the one with
 *                               the most blocks has the shape of them all
 *  @param         input_count   number of input parameters
 *  @param         axes          as in gpuarr_reduction_call
 *  @param         axis_count    as in gpuarr_reduction_call
 *  @param         keepdims      1 to keep reduced axes, with extent 1; 0 to drop them
 *  @return what gpuarr_reduction_call and gpuarr_map_blocks return; GPUARR_ERR_LAYOUT also for an
 *          operator that is not commutative and blocks that do not follow each other in order:
 *          divide the first reduced axis only
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_reduction(gpuarr_reduction* kernel,
                                                  gpuarr_blocked** outputs, int32_t output_count,
                                                  const gpuarr_arg* inputs, int32_t input_count,
                                                  const int32_t* GPUARR_NULLABLE axes,
                                                  int32_t axis_count, int32_t keepdims);

/** Reduce a blocked array by a ready-made reduction. Collective. Dtypes of results are as of
 *  gpuarr_sum and the others.
 *  @param[in,out] out         in: a blocked array of the results' shape and dtype, in any blocks;
 *                             or NULL, then it is created, replicated, in one block on every place,
 *                             and owned by the caller; on failure it stays NULL
 *  @param         name        sum, prod, min, max, argmin, argmax, any, all, count_nonzero, mean,
 *                             var, std, norm_1, norm_2, norm_inf, nansum, nanmin, nanmax or
 *                             logsumexp
 *  @param         x           the elements
 *  @param         axes        as in gpuarr_sum; argmin and argmax count in C order along them
 *  @param         axis_count  as in gpuarr_sum
 *  @param         keepdims    1 to keep reduced axes, with extent 1; 0 to drop them
 *  @param         ddof        of var and std: the divisor is the number of elements minus this
 *  @param         flags       0 or GPUARR_REDUCE_FAST
 *  @return what gpuarr_sum and gpuarr_map_blocks return
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_reduce(gpuarr_blocked** out, const char* name,
                                               gpuarr_blocked* x,
                                               const int32_t* GPUARR_NULLABLE axes,
                                               int32_t axis_count, int32_t keepdims, double ddof,
                                               int32_t flags);

/** Combine the copies that places have of a replicated array, element by element, so that each has
 *  the result: MPI_Allreduce in place. Collective. Between GPUs it is NCCL's; otherwise copies are
 *  combined in the order of the places.
 *  @param  blocked  a replicated array, whose copies may differ before
 *  @param  how      GPUARR_COMBINE_SUM, ..._PROD, ..._MIN or ..._MAX
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (not replicated), GPUARR_ERR_DTYPE (minima of complex
 *          numbers), GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT,
 *          GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_all_reduce(gpuarr_blocked* blocked, int32_t how);

#ifdef __cplusplus
}
#endif
#endif
