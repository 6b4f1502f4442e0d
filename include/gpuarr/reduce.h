/** @file gpuarr/reduce.h  Ready-made reductions: sums, minima and maxima, means, variances,
 *  norms. */
#ifndef GPUARR_REDUCE_H
#define GPUARR_REDUCE_H

#include "gpuarr/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sum elements along axes.
 *
 *  Bools and signed integers give int64, unsigned integers uint64, and wrap around; other elements
 *  keep their dtype, and 16-bit floats are accumulated in float32 and rounded once. The sum of no
 *  elements is 0. Each function of this header compiles a kernel at the first call with a dtype and
 *  a kind of layout, and the same call gives the same bits, as gpuarr/reduction.h says.
 *
 *  @param[in,out] out         in: an array of the results' shape, dtype and device, which shares no
 *                             memory with @p x; or NULL, then it is created in the memory order of
 *                             @p x and owned by the caller; on failure it stays NULL
 *  @param         x           the elements: any shape, any layout, any dtype
 *  @param         axes        axes to reduce along, from 0, or from the last as -1, each once; NULL
 *                             with an @p axis_count of 0 for all
 *  @param         axis_count  number of @p axes; 0 with @p axes not NULL reduces along none, so
 *                             that each element is a result; GPUARR_ALL_AXES reduces along all and
 *                             ignores @p axes
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

/** Multiply elements along axes. Dtypes are as for gpuarr_sum; the product of no elements is 1.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_prod(gpuarr_array** out, const gpuarr_array* x,
                                     const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                     int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the minimum along axes, of the elements' dtype; NaN if there is a NaN. Of 0 and -0, which
 *  are equal, it may be either, and of several NaNs any. Complex numbers are in the order of
 *  gpuarr_less, and NaN if a part is.
 *  @param  x  the elements, at least one for each result (GPUARR_ERR_EMPTY)
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_min(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the maximum along axes, otherwise as gpuarr_min.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_max(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the index of the minimum along axes, as int64: the index along the axis; for several axes
 *  the index in C order along them.
 *
 *  Of equal elements it is the first. NaN counts as smaller than any number, and as equal to NaN.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_argmin(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the index of the maximum along axes, otherwise as gpuarr_argmin; NaN counts as larger than
 *  any number.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_argmax(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Test whether any element along axes is not 0, as a bool; NaN is not 0. False for no elements.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_any(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Test whether all elements along axes are not 0, as a bool; NaN is not 0. True for no elements.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_all(gpuarr_array** out, const gpuarr_array* x,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Count the elements along axes that are not 0, as int64; NaN is not 0.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_count_nonzero(gpuarr_array** out, const gpuarr_array* x,
                                              const int32_t* GPUARR_NULLABLE axes,
                                              int32_t axis_count, int32_t keepdims,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the mean along axes.
 *
 *  Integers and bools give float64; sums of integers of up to 32 bits are exact. Others keep their
 *  dtype, and are summed as by gpuarr_sum. The mean of no elements is NaN.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_mean(gpuarr_array** out, const gpuarr_array* x,
                                     const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                     int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the variance along axes: the sum of squared distances from the mean, divided by the
 *  number of elements minus @p ddof.
 *
 *  Integers and bools give float64, complex numbers their real type; others keep their dtype, and
 *  16-bit floats are computed in float32. It takes one pass over memory: partial results are
 *  combined by the method of Chan, Golub and LeVeque ("Updating formulae and a pairwise algorithm
 *  for computing sample variances", 1979), with sums of differences from a shift that follows the
 *  mean, so that a large mean costs no precision. If there are no more elements than @p ddof, the
 *  divisor is 0 and the result is infinite or NaN, as for no elements. It is NaN too if an element
 *  is not finite.
 *
 *  @param  ddof  delta degrees of freedom: 0 for the variance of the elements, 1 for the unbiased
 *                estimate from a sample; any finite number
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_var(gpuarr_array** out, const gpuarr_array* x, double ddof,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the standard deviation along axes: the root of the variance (gpuarr_var).
 *  Parameters and errors as gpuarr_var.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_std(gpuarr_array** out, const gpuarr_array* x, double ddof,
                                    const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                    int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute vector norms along axes; the elements along several axes form one vector.
 *
 *  Dtypes are as for gpuarr_var. Squares are not scaled: their sum must be in the range of the
 *  dtype of the computation, which for 16-bit floats is float32. The norm of no elements is 0.
 *  @param  ord  1 for the sum of absolute values, 2 for the root of the sum of their squares,
 *               INFINITY for the largest absolute value, which is NaN if there is a NaN; no other
 *               value (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_norm(gpuarr_array** out, const gpuarr_array* x, double ord,
                                     const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                     int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Dot product: sum the products of elements of two arrays, to one result without axes.
 *
 *  Complex numbers are not conjugated. Dtypes are as for gpuarr_sum; products of integers have 64
 *  bits too.
 *  @param  x  elements of any shape
 *  @param  y  elements of the same shape and dtype (GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE)
 *  Other parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_dot(gpuarr_array** out, const gpuarr_array* x,
                                    const gpuarr_array* y, gpuarr_stream* GPUARR_NULLABLE stream);

/** Sum elements along axes, with NaN as 0; otherwise as gpuarr_sum.
 *  Parameters and errors as gpuarr_sum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nansum(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the minimum along axes, ignoring NaNs; NaN if all are. Otherwise as gpuarr_min.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nanmin(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the maximum along axes, ignoring NaNs; NaN if all are. Otherwise as gpuarr_min.
 *  Parameters and errors as gpuarr_min.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nanmax(gpuarr_array** out, const gpuarr_array* x,
                                       const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                       int32_t keepdims, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute log(sum(exp(x))) along axes, in one pass and without overflow.
 *
 *  Dtypes are as for gpuarr_var. It is -infinity if all elements are, and for no elements; infinity
 *  if one is; NaN if one is. The largest element so far is factored out of the sum, as in Milakov
 *  and Gimelshein, "Online normalizer calculation for softmax", https://arxiv.org/abs/1805.02867.
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
