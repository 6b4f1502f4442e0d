/** @file gpuarr/blocked_linalg.h  Products of blocked matrices and vectors. */
#ifndef GPUARR_BLOCKED_LINALG_H
#define GPUARR_BLOCKED_LINALG_H

#include "gpuarr/blocked.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Multiply blocked matrices, or vectors, as gpuarr_matmul multiplies arrays. Collective.
 *
 *  The grids and places of all three arrays may be any. The inner axis is cut into panels; for each
 *  of them a place gets the rows of @p x and the columns of @p y that its blocks of the result
 *  need, while it multiplies those of the panel before (van de Geijn and Watts, "SUMMA: scalable
 *  universal matrix multiplication algorithm", 1997). Of a replicated array nothing is sent.
 *
 *  The panels are those of both grids, joined where they are narrower than 128, divided where they
 *  are larger than 64 MiB. So a block of the result is always the sum of the same products, in the
 *  same order: its bits depend on the grids, and on BLAS, not on the number of places. 16-bit
 *  floats are accumulated in float32 and rounded once.
 *
 *  @param[in,out] out  in: a blocked array of the result's shape and dtype, of the same team, which
 *                      may share memory with the others; or NULL, then it is created with the rows
 *                      of @p x's blocks and the columns of @p y's, and owned by the caller. It is
 *                      then replicated if both are; otherwise its blocks are where @p x has the
 *                      same rows, or where @p y has the same columns, or in balanced runs: of those
 *                      that divide the work evenly, the one for which least is sent. On failure it
 *                      stays NULL
 *  @param         x    left operand, of any dtype: shape (m, k) or (k,)
 *  @param         y    right operand, of any dtype: shape (k, n) or (k,)
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, another team), GPUARR_ERR_SHAPE (also: more axes,
 *          or none), GPUARR_ERR_DTYPE, GPUARR_ERR_NO_LIBRARY (BLAS), GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER, and for
 *          integers errors of compiling a kernel
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_matmul(gpuarr_blocked** out, gpuarr_blocked* x,
                                               gpuarr_blocked* y);

#ifdef __cplusplus
}
#endif
#endif
