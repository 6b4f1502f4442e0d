/** @file gpuarr/order.h  What follows from the order of elements: those that differ, places among
 *  others, counts in bins, medians and quantiles. The order is that of gpuarr/sort.h. */
#ifndef GPUARR_ORDER_H
#define GPUARR_ORDER_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How gpuarr_quantile reads a place between two elements. */
enum {
  GPUARR_QUANTILE_LINEAR = 0,  /**< on the line from one to the other */
  GPUARR_QUANTILE_LOWER = 1,   /**< the lesser */
  GPUARR_QUANTILE_HIGHER = 2,  /**< the greater */
  GPUARR_QUANTILE_NEAREST = 3, /**< the nearer; of two as near the one with the even index */
  GPUARR_QUANTILE_MIDPOINT = 4 /**< the mean of both */
};

/** Find the elements that differ from each other, in order.
 *
 *  0 and -0 are equal, and so are NaNs, and complex numbers of which a part is NaN. Of equals the
 *  first one stands for all; of complex NaNs it is the one that gpuarr_sort puts first. The call
 *  waits, since the number of results depends on the elements; so it fails in a stream that is
 *  being captured (GPUARR_ERR_UNSUPPORTED).
 *
 *  @param[in,out] values   in: an array of one axis, of just as many elements as there will be, on
 *                          the device and of the dtype of @p x; or NULL, when it is made, and owned
 *                          by the caller. NULL stays NULL on failure.
 *  @param[in,out] indices  the same as int64, for the index of the first of each, in C order of
 *                          @p x; NULL if not wanted
 *  @param[in,out] inverse  the same as int64 of the shape of @p x, for which of the values each
 *                          element is; NULL if not wanted
 *  @param[in,out] counts   the same as int64, for how many there are of each; NULL if not wanted
 *  @param         x        the elements: any shape, any layout, any dtype
 *  @param         stream   stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, or what gpuarr_sort returns, but for GPUARR_ERR_AXIS; GPUARR_ERR_UNSUPPORTED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_unique(gpuarr_array** values,
                                       gpuarr_array** GPUARR_NULLABLE indices,
                                       gpuarr_array** GPUARR_NULLABLE inverse,
                                       gpuarr_array** GPUARR_NULLABLE counts, const gpuarr_array* x,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Find where elements would have to be put in among sorted ones for those to stay sorted, as
 *  int64: before equals, or behind them. By bisection; whether they are sorted is not checked.
 *  @param[in,out] out     in: an int64 array of the shape of @p x on its device; or NULL, when it
 *                         is made, in the memory order of @p x, and owned by the caller. NULL stays
 *                         NULL on failure.
 *  @param         sorted  the elements to look among: one axis (GPUARR_ERR_SHAPE), in ascending
 *                         order
 *  @param         x       the elements to look for: any shape and layout, the dtype of @p sorted
 *                         (GPUARR_ERR_DTYPE)
 *  @param         right   1 for behind equals, 0 for before them
 *  @param         stream  stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_sort
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_searchsorted(gpuarr_array** out, const gpuarr_array* sorted,
                                             const gpuarr_array* x, int32_t right,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Count elements in bins of one width.
 *
 *  A bin has its lower edge and not its upper one, but the last has both. Edges are those of
 *  gpuarr_array_linspace with float64, and elements are compared with them as float64. A NaN is in
 *  no bin.
 *  @param[in,out] counts  in: an int64 array of shape (bins,) on the device of @p x; or NULL, when
 *                         it is made and owned by the caller. NULL stays NULL on failure.
 *  @param[in,out] edges   the same of float64 and shape (bins + 1,); NULL if not wanted
 *  @param         x       the elements: any shape, any layout, not complex (GPUARR_ERR_DTYPE)
 *  @param         bins    how many: 1 or more (GPUARR_ERR_ARGUMENT)
 *  @param         range   two finite numbers in ascending order, the first and the last edge
 *                         (GPUARR_ERR_ARGUMENT); NULL for the least and the greatest element,
 *                         without waiting for them: if those are not finite, edges are NaN and
 *                         counts 0. A half is put on both sides where the two are equal; with no
 *                         elements it is 0 and 1.
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_sort
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_histogram(gpuarr_array** counts,
                                          gpuarr_array** GPUARR_NULLABLE edges,
                                          const gpuarr_array* x, int64_t bins,
                                          const double* GPUARR_NULLABLE range,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Count elements in bins between given edges, otherwise as gpuarr_histogram. The call waits for
 *  the edges, to check them; so it fails in a stream that is being captured
 *  (GPUARR_ERR_UNSUPPORTED).
 *  @param  edges  one axis of two elements or more (GPUARR_ERR_SHAPE), of any dtype that is not
 *                 complex, none less than the one before, nor NaN (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_histogram.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_histogram_between(gpuarr_array** counts, const gpuarr_array* x,
                                                  const gpuarr_array* edges,
                                                  gpuarr_stream* GPUARR_NULLABLE stream);

/** Count how often each whole number occurs, from 0 to the greatest of them, or add up weights.
 *
 *  The call waits for the least and the greatest; so it fails in a stream that is being captured
 *  (GPUARR_ERR_UNSUPPORTED). Weights are added up as whole multiples of a small part of the largest
 *  one, 2^-60 of it or less for up to 2^31 elements, so that their order does not matter: the same
 *  call gives the same bits.
 *  @param[in,out] out        in: an array of just as many elements as there will be, of int64, or
 *                            of float64 with weights, on the device of @p x; or NULL, when it is
 *                            made and owned by the caller. NULL stays NULL on failure.
 *  @param         x          whole numbers or bools (GPUARR_ERR_DTYPE) in any shape and layout,
 *                            none negative (GPUARR_ERR_ARGUMENT)
 *  @param         weights    an array of the shape of @p x on its device, whose elements, not
 *                            complex, are added up as float64; NULL for a count
 *  @param         minlength  the least number of results, 0 or more (GPUARR_ERR_ARGUMENT)
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_sort, and GPUARR_ERR_UNSUPPORTED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_bincount(gpuarr_array** out, const gpuarr_array* x,
                                         const gpuarr_array* GPUARR_NULLABLE weights,
                                         int64_t minlength, gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the median along an axis: the mean of the two elements in the middle, or the one. NaN where
 *  there is a NaN. Elements are not sorted for it, unless they are few or complex.
 *  @param[in,out] out     in: an array of the shape of @p x without the axis, on its device, of its
 *                         dtype, or float64 for whole numbers and bools; or NULL, when it is made,
 *                         in the memory order of @p x, and owned by the caller. NULL stays NULL on
 *                         failure.
 *  @param         x       the elements: any layout, any dtype, some along the axis
 *                         (GPUARR_ERR_EMPTY)
 *  @param         axis    the axis, from 0, or from the last as -1
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_sort, and GPUARR_ERR_EMPTY
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_median(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the median of the elements along an axis that are no NaN; NaN where all are. Otherwise as
 *  gpuarr_median.
 *  Parameters and errors as gpuarr_median.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nanmedian(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Find quantiles along an axis: the elements at the places q (n - 1) of n in order, counted from
 *  0, and between two of them as @p method says.
 *
 *  Hyndman and Fan's type 7 ("Sample Quantiles in Statistical Packages", 1996) for
 *  GPUARR_QUANTILE_LINEAR. NaN where there is a NaN. Elements are sorted once for many quantiles.
 *  @param[in,out] out      in: an array of shape (q_count, and the shape of @p x without the axis),
 *                          otherwise as for gpuarr_median; or NULL, when it is made, in C order,
 *                          and owned by the caller. NULL stays NULL on failure.
 *  @param         x        as for gpuarr_median, but not complex (GPUARR_ERR_DTYPE)
 *  @param         q        numbers from 0 to 1 (GPUARR_ERR_ARGUMENT)
 *  @param         q_count  how many: 1 or more (GPUARR_ERR_ARGUMENT)
 *  @param         method   GPUARR_QUANTILE_... (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_median.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_quantile(gpuarr_array** out, const gpuarr_array* x, const double* q,
                                         int32_t q_count, int32_t axis, int32_t method,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Find quantiles of the elements along an axis that are no NaN; NaN where all are. Otherwise as
 *  gpuarr_quantile.
 *  Parameters and errors as gpuarr_quantile.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nanquantile(gpuarr_array** out, const gpuarr_array* x,
                                            const double* q, int32_t q_count, int32_t axis,
                                            int32_t method, gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
