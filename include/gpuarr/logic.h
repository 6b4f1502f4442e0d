/** @file gpuarr/logic.h  Comparisons, logic, bits and choices, element by element. */
#ifndef GPUARR_LOGIC_H
#define GPUARR_LOGIC_H

#include "gpuarr/arithmetic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tell whether x == y, as bools, and so on below. Integers of any signs and sizes are compared
 *  exactly, also with scalars that their dtype does not hold; a scalar out of the range of the
 *  arrays' floats counts as infinite. NaN is not equal to NaN.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_equal(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x != y. Otherwise as gpuarr_equal.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_not_equal(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x < y. Complex numbers are compared by their real parts and, where those are equal,
 *  by their imaginary parts; one with a NaN is never less or greater. Otherwise as gpuarr_equal.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_less(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x <= y. Otherwise as gpuarr_less.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_less_equal(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x > y. Otherwise as gpuarr_less.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_greater(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x >= y. Otherwise as gpuarr_less.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_greater_equal(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x is close to y: abs(x - y) <= atol + rtol * abs(y), or x == y. Integers are
 *  computed with as float64.
 *  @param  x          an array or a scalar
 *  @param  y          an array or a scalar, by whose size is measured
 *  @param  rtol       relative tolerance; NumPy's is 1e-5
 *  @param  atol       absolute tolerance; NumPy's is 1e-8
 *  @param  equal_nan  1 for NaN to be close to NaN, else 0
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_isclose(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y, double rtol,
                                        double atol, int32_t equal_nan,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Find out whether all elements are close: as gpuarr_isclose says, of arrays broadcast together.
 *  It waits.
 *  @param[out] out        1 or 0; 1 of no elements; 0 on failure
 *  @param      x          an array
 *  @param      y          an array on the same device
 *  @param      rtol       relative tolerance
 *  @param      atol       absolute tolerance
 *  @param      equal_nan  1 for NaN to be close to NaN, else 0
 *  @param      stream     stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_add, and GPUARR_ERR_UNSUPPORTED in a stream that is captured
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_allclose(int32_t* out, const gpuarr_array* x, const gpuarr_array* y,
                                         double rtol, double atol, int32_t equal_nan,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Find out whether two arrays have one shape and equal elements, whatever their dtypes. NaN is
 *  not equal to NaN. It waits.
 *  @param[out] out     1 or 0; 0 on failure
 *  @param      x       an array
 *  @param      y       an array on the same device
 *  @param      stream  stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_add, and GPUARR_ERR_UNSUPPORTED in a stream that is captured
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_array_equal(int32_t* out, const gpuarr_array* x,
                                            const gpuarr_array* y,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether neither is 0; NaN is not 0.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_logical_and(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether one of two is not 0.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_logical_or(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether just one of two is not 0.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_logical_xor(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x is 0.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_logical_not(gpuarr_array** out, const gpuarr_array* x,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Keep the bits that both have, of integers or bools.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_bitwise_and(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Join the bits that one of two has, of integers or bools.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_bitwise_or(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Keep the bits that just one has, of integers or bools.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_bitwise_xor(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Invert all bits of integers; of bools, not.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_invert(gpuarr_array** out, const gpuarr_array* x,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Move bits y places up, of integers; bools are computed with as int8. A shift by all bits or
 *  more, or by less than none, leaves 0.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_left_shift(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Move bits y places down, of integers; bools are computed with as int8. A negative x is filled
 *  up with ones. A shift by all bits or more, or by less than none, leaves 0, or -1 of a negative
 *  x.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_right_shift(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x is NaN; a complex number is if one of its parts is.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_isnan(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x is infinite; a complex number is if one of its parts is.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_isinf(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether x is neither infinite nor NaN.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_isfinite(gpuarr_array** out, const gpuarr_array* x,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell whether the sign is minus, also of 0 and of NaN. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_signbit(gpuarr_array** out, const gpuarr_array* x,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Choose x where a condition is not 0, else y.
 *  @param  condition  an array or a scalar of any dtype
 *  @param  x          an array or a scalar
 *  @param  y          an array or a scalar
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_where(gpuarr_array** out, gpuarr_arg condition, gpuarr_arg x,
                                      gpuarr_arg y, gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
