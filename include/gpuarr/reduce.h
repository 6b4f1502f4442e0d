/** @file gpuarr/reduce.h  Reductions that are ready-made: sums, extremes, means, norms. */
#ifndef GPUARR_REDUCE_H
#define GPUARR_REDUCE_H

#include "gpuarr/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Add up elements along axes.
 *
 *  Elements of bool and of signed integers give int64, of unsigned integers uint64, modulo 2^64;
 *  others keep their dtype, and 16-bit floats are added as float32 and rounded once. No elements
 *  have the sum 0. This and all below compile when first called with a dtype and a kind of layout,
 *  and give the same bits for the same call, as gpuarr/reduction.h says.
 *
 *  @param[in,out] out         in: an array of the results' shape, dtype and device, which shares no
 *                             memory with @p x; or NULL, when it is made, in the memory order of
 *                             @p x, and owned by the caller. NULL stays NULL on failure.
 *  @param         x           the elements: any shape, any layout, any dtype
 *  @param         axes        axes to reduce along, from 0, or from the last as -1, each once; NULL
 *                             with an @p axis_count of 0 for all
 *  @param         axis_count  their number; 0 where @p axes is not NULL for none: each element is a
 *                             result; GPUARR_ALL_AXES for all, when @p axes is ignored
 *  @param         keepdims    1 to keep reduced axes, with extent 1; 0 to drop them
 *  @param         stream      stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, keepdims), GPUARR_ERR_AXIS, GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED, GPUARR_ERR_UNSUPPORTED (in a stream that is
 *          captured with the driver's own functions: see gpuarr_reduction_call)
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_sum(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Multiply elements along axes. Dtypes are as for gpuarr_sum; no elements have the product 1.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_prod(gpuarr_array** out, const gpuarr_array* x,
                                     const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                     int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the least element along axes: of the elements' dtype, and NaN where there is a NaN. Of 0
 *  and -0, which are equal, it may be either, and of several NaNs any. Complex numbers are in the
 *  order of gpuarr_less, and NaN if a part is.
 *  @param  x  the elements, some for each result (GPUARR_ERR_EMPTY)
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_min(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the greatest element along axes, otherwise as gpuarr_min.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_max(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find where the least element along axes is: its number in C order along the reduced axes, which
 *  for one axis is the index along it, as int64.
 *
 *  Of equal elements it is the first. NaN counts as less than all else, and as equal to NaN.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_argmin(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find where the greatest element along axes is, otherwise as gpuarr_argmin; NaN counts as greater
 *  than all else.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_argmax(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell as a bool whether any element along axes is not 0; NaN is not. Of no elements it is false.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_any(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell as a bool whether no element along axes is 0; NaN is not. Of no elements it is true.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_all(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Count the elements along axes that are not 0, as int64; NaN is not.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_count_nonzero(gpuarr_array** out, const gpuarr_array* x,
                                              const int32_t* GPUARR_NULLABLE axes,
                                              int32_t axis_count, int32_t keepdims,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

/** Average elements along axes.
 *
 *  Whole numbers and bools give float64; the sum of those of up to 32 bits is exact. Others keep
 *  their dtype, and are summed as by gpuarr_sum. The mean of no elements is NaN.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_mean(gpuarr_array** out, const gpuarr_array* x,
                                     const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                     int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the variance along axes: the sum of squared distances from the mean, over their number
 *  less @p ddof.
 *
 *  Whole numbers and bools give float64, a complex number its real type; others keep their dtype,
 *  and 16-bit floats are computed with as float32. It takes one pass over memory: partial results
 *  are combined by the method of Chan, Golub and LeVeque ("Updating formulae and a pairwise
 *  algorithm for computing sample variances", 1979), with sums of differences from a shift that
 *  follows the mean, so that a large mean costs no digits. Where no more elements than @p ddof are
 *  there, the divisor is 0: the result is an infinity, or NaN, as for no elements. It is NaN too
 *  where an element is not finite.
 *
 *  @param  ddof  what the number of elements is lessened by: 0 for the variance of the elements, 1
 *                for the unbiased estimate from a sample; any finite number
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_var(gpuarr_array** out, const gpuarr_array* x, double ddof,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the standard deviation along axes: the root of the variance, which see.
 *  Parameters and errors as gpuarr_var.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_std(gpuarr_array** out, const gpuarr_array* x, double ddof,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the norm of vectors along axes; along several axes the elements together are a vector.
 *
 *  Dtypes are as for gpuarr_var. Squares are not scaled: their sum must lie in the range of what is
 *  computed with, which for 16-bit floats is float32. The norm of no elements is 0.
 *  @param  ord  1 for the sum of absolute values, 2 for the root of the sum of their squares,
 *               INFINITY for the largest, which is NaN where there is a NaN; no other
 *               (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_norm(gpuarr_array** out, const gpuarr_array* x, double ord,
                                     const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                     int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Add up the products of elements of two arrays, to one result without axes.
 *
 *  Complex numbers are multiplied as they are: none is conjugated. Dtypes are as for gpuarr_sum;
 *  products of whole numbers are of 64 bits too.
 *  @param  x  elements of any shape
 *  @param  y  elements of the same shape and dtype (GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE)
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_dot(gpuarr_array** out, const gpuarr_array* x,
                                    const gpuarr_array* y, gpuarr_stream* GPUARR_NULLABLE stream);

/** Add up elements along axes, a NaN as 0; otherwise as gpuarr_sum.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nansum(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the least element along axes that is no NaN; NaN where all are. Otherwise as gpuarr_min.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nanmin(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the greatest element along axes that is no NaN; NaN where all are. Otherwise as gpuarr_min.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nanmax(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute log(sum(exp(x))) along axes, in one pass and without overflow.
 *
 *  Dtypes are as for gpuarr_var. Where all elements are -infinity, and for no elements, it is
 *  -infinity; where one is infinity, infinity; where one is NaN, NaN. The largest element so far is
 *  taken out of the sum, as in Milakov and Gimelshein, "Online normalizer calculation for softmax",
 *  https://arxiv.org/abs/1805.02867.
 *  @param  x  the elements, not complex (GPUARR_ERR_DTYPE)
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_logsumexp(gpuarr_array** out, const gpuarr_array* x,
                                          const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                          int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
