/** @file gpuarr/order.h  Unique elements, binary search, histograms, medians and quantiles. The
 *  order is that of gpuarr/sort.h. */
#ifndef GPUARR_ORDER_H
#define GPUARR_ORDER_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How gpuarr_quantile interpolates between two elements. */
enum {
  GPUARR_QUANTILE_LINEAR = 0,  /**< linearly */
  GPUARR_QUANTILE_LOWER = 1,   /**< the lesser */
  GPUARR_QUANTILE_HIGHER = 2,  /**< the greater */
  GPUARR_QUANTILE_NEAREST = 3, /**< the nearer; of two equally near the one with the even index */
  GPUARR_QUANTILE_MIDPOINT = 4 /**< the mean of both */
};

/** Find the unique elements, in order.
 *
 *  0 and -0 are equal, and so are all NaNs and all complex numbers with a NaN in a part. The first
 *  of equal elements is the result; of complex NaNs the one that gpuarr_sort puts first. The call
 *  waits, because the number of results depends on the elements; so it fails in a stream that is
 *  being captured (GPUARR_ERR_UNSUPPORTED).
 *
 *  @param[in,out] values   in: an array of one axis with exactly as many elements as there are
 *                          results, on the device and of the dtype of @p x; or NULL, then it is
 *                          created and owned by the caller; on failure it stays NULL
 *  @param[in,out] indices  likewise of int64: the index of each result's first occurrence, in C
 *                          order of @p x; NULL if not wanted
 *  @param[in,out] inverse  likewise of int64 and of the shape of @p x: the index of each element in
 *                          @p values; NULL if not wanted
 *  @param[in,out] counts   likewise of int64: how often each result occurs; NULL if not wanted
 *  @param         x        the elements: any shape, any layout, any dtype
 *  @param         stream   stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_sort except GPUARR_ERR_AXIS, and GPUARR_ERR_UNSUPPORTED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_unique(gpuarr_array** values,
                                       gpuarr_array** GPUARR_NULLABLE indices,
                                       gpuarr_array** GPUARR_NULLABLE inverse,
                                       gpuarr_array** GPUARR_NULLABLE counts, const gpuarr_array* x,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the insertion indices of elements in sorted ones, as int64, before or after equal ones, by
 *  binary search. Whether @p sorted is sorted is not checked.
 *  @param[in,out] out     in: an int64 array of the shape of @p x on its device; or NULL, then it
 *                         is created in the memory order of @p x and owned by the caller; on
 *                         failure it stays NULL
 *  @param         sorted  the sorted elements: one axis (GPUARR_ERR_SHAPE), in ascending order
 *  @param         x       the elements to look for: any shape and layout, the dtype of @p sorted
 *                         (GPUARR_ERR_DTYPE)
 *  @param         right   1 for after equal elements, 0 for before them
 *  @param         stream  stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_sort
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_searchsorted(gpuarr_array** out, const gpuarr_array* sorted,
                                             const gpuarr_array* x, int32_t right,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Histogram: count elements in bins of equal width.
 *
 *  A bin includes its lower edge but not its upper one; the last bin includes both. Edges are those
 *  of gpuarr_array_linspace with float64, and elements are compared with them as float64. NaNs are
 *  not counted.
 *  @param[in,out] counts  in: an int64 array of shape (bins,) on the device of @p x; or NULL, then
 *                         it is created and owned by the caller; on failure it stays NULL
 *  @param[in,out] edges   likewise of float64 and shape (bins + 1,); NULL if not wanted
 *  @param         x       the elements: any shape, any layout, not complex (GPUARR_ERR_DTYPE)
 *  @param         bins    how many: 1 or more (GPUARR_ERR_ARGUMENT)
 *  @param         range   two finite numbers in ascending order, the first and the last edge
 *                         (GPUARR_ERR_ARGUMENT); NULL for the smallest and the largest element,
 *                         without waiting for them: if one is not finite, edges are NaN and counts
 *                         0. If they are equal, the range is extended by 0.5 on both sides; without
 *                         elements it is 0 to 1
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_sort
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_histogram(gpuarr_array** counts,
                                          gpuarr_array** GPUARR_NULLABLE edges,
                                          const gpuarr_array* x, int64_t bins,
                                          const double* GPUARR_NULLABLE range,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Histogram with given bin edges, otherwise as gpuarr_histogram. The call waits for the edges, to
 *  check them; so it fails in a stream that is being captured (GPUARR_ERR_UNSUPPORTED).
 *  @param  edges  one axis of two elements or more (GPUARR_ERR_SHAPE), of any dtype that is not
 *                 complex, not decreasing and without NaN (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_histogram.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_histogram_between(gpuarr_array** counts, const gpuarr_array* x,
                                                  const gpuarr_array* edges,
                                                  gpuarr_stream* GPUARR_NULLABLE stream);

/** Count how often each non-negative integer occurs, up to the largest, or sum weights.
 *
 *  The call waits for the minimum and maximum; so it fails in a stream that is being captured
 *  (GPUARR_ERR_UNSUPPORTED). Weights are summed in fixed point, in units of 2^-60 of the largest
 *  weight or less for up to 2^31 elements, so that their order does not matter: the same call gives
 *  the same bits.
 *  @param[in,out] out        in: an array of exactly as many elements as there are results, of
 *                            int64, or of float64 with weights, on the device of @p x; or NULL,
 *                            then it is created and owned by the caller; on failure it stays NULL
 *  @param         x          integers or bools (GPUARR_ERR_DTYPE) in any shape and layout, none
 *                            negative (GPUARR_ERR_ARGUMENT)
 *  @param         weights    an array of the shape of @p x on its device, whose elements, not
 *                            complex, are summed as float64; NULL to count
 *  @param         minlength  minimum number of results, 0 or more (GPUARR_ERR_ARGUMENT)
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_sort, and GPUARR_ERR_UNSUPPORTED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_bincount(gpuarr_array** out, const gpuarr_array* x,
                                         const gpuarr_array* GPUARR_NULLABLE weights,
                                         int64_t minlength, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the median along an axis: the middle element, or the mean of the two middle ones. NaN if
 *  there is a NaN. Elements are selected by rank and not sorted, unless they are few or complex.
 *  @param[in,out] out     in: an array of the shape of @p x without the axis, on its device, of its
 *                         dtype, or float64 for integers and bools; or NULL, then it is created in
 *                         the memory order of @p x and owned by the caller; on failure it stays
 *                         NULL
 *  @param         x       the elements: any layout, any dtype, at least one along the axis
 *                         (GPUARR_ERR_EMPTY)
 *  @param         axis    the axis, from 0, or from the last as -1
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_sort, and GPUARR_ERR_EMPTY
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_median(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the median along an axis, ignoring NaNs; NaN if all are. Otherwise as gpuarr_median.
 *  Parameters and errors as gpuarr_median.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nanmedian(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute quantiles along an axis: the elements at positions q (n - 1) of the n sorted elements,
 *  counted from 0, interpolated by @p method.
 *
 *  GPUARR_QUANTILE_LINEAR is type 7 of Hyndman and Fan ("Sample Quantiles in Statistical Packages",
 *  1996). NaN if there is a NaN. For many quantiles the elements are sorted once.
 *  @param[in,out] out      in: an array of shape (q_count, and the shape of @p x without the axis),
 *                          otherwise as for gpuarr_median; or NULL, then it is created in C order
 *                          and owned by the caller; on failure it stays NULL
 *  @param         x        as for gpuarr_median, but not complex (GPUARR_ERR_DTYPE)
 *  @param         q        numbers from 0 to 1 (GPUARR_ERR_ARGUMENT)
 *  @param         q_count  how many: 1 or more (GPUARR_ERR_ARGUMENT)
 *  @param         method   GPUARR_QUANTILE_... (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_median.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_quantile(gpuarr_array** out, const gpuarr_array* x, const double* q,
                                         int32_t q_count, int32_t axis, int32_t method,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute quantiles along an axis, ignoring NaNs; NaN if all are. Otherwise as gpuarr_quantile.
 *  Parameters and errors as gpuarr_quantile.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nanquantile(gpuarr_array** out, const gpuarr_array* x,
                                            const double* q, int32_t q_count, int32_t axis,
                                            int32_t method, gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
