/** @file gpuarr/arithmetic.h  Arithmetic, element by element: sums, quotients, powers, roundings.
 */
#ifndef GPUARR_ARITHMETIC_H
#define GPUARR_ARITHMETIC_H

#include "gpuarr/arg.h"
#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Add: x + y; of two bools, whether one is true.
 *
 *  This and all functions below compute element by element, in one pass. Arrays broadcast
 *  together by NumPy's rules. Of arrays of several dtypes the smallest is computed in that holds
 *  them all, as in NumPy 2: int8 and uint8 make int16, int32 and float32 make float64; bfloat16
 *  joins with integers as float16 does, and with float16 to float32. A scalar is weak: only its
 *  kind counts (bool, integer, float, complex), so that a float32 array stays one beside
 *  gpuarr_arg_f64(0.1), and an integer that the arrays' dtype does not hold is an error. 16-bit
 *  floats are computed with as float32 and rounded once. Integers wrap around. A result may go
 *  into a given output of another dtype as NumPy's "same_kind" has it: not of a lower kind, in
 *  the order bool, unsigned, signed, float, complex.
 *
 *  @param[in,out] out     in: an array of the shape that the arguments broadcast to, on their
 * device; it may be one of them, and where it overlaps one otherwise the result is as if it did
 * not; or NULL, when it is made, in the memory order of the inputs, and owned by the caller. NULL
 * stays NULL on failure.
 *  @param      x          an array or a scalar
 *  @param      y          an array or a scalar; without a given output one argument is an array
 *  @param      stream     stream to work in; NULL for the current one of the arrays' device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, no array), GPUARR_ERR_DTYPE (a dtype that the
 * function does not take, a scalar that does not fit, an output that the result does not become),
 *          GPUARR_ERR_BROADCAST, GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD,
 *          GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_add(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Subtract: x - y, not of two bools (GPUARR_ERR_DTYPE).
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_subtract(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Multiply: x * y; of two bools, whether both are true.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_multiply(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Divide: x / y. Integers and bools give float64.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_divide(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Divide and round down to a whole number. Of integers a quotient by 0 is 0, and the least by -1
 *  wraps around; bools are computed with as int8. No complex numbers.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_floor_divide(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute what gpuarr_floor_divide leaves: x - floor(x / y) * y, with the sign of y, as Python's
 *  % has it. Of integers, 0 if y is 0; of floats, NaN. No complex numbers.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_remainder(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute what division cut at the point leaves, with the sign of x, as C's % has it. Of
 *  integers, 0 if y is 0; of floats, NaN. No complex numbers.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_fmod(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute gpuarr_floor_divide and gpuarr_remainder in one pass.
 *  @param[in,out] quotient   as out of gpuarr_add
 *  @param[in,out] remainder  likewise; another array
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_divmod(gpuarr_array** quotient, gpuarr_array** remainder,
                                       gpuarr_arg x, gpuarr_arg y,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Raise to a power: x to the power of y. Bools are computed with as int8.
 *
 *  Integers give an integer, modulo 2 to the power of its bits. A negative scalar exponent of
 *  integers is an error (GPUARR_ERR_ARGUMENT); of an array of exponents nobody waits for the
 *  elements, and a negative one gives the power without what is behind the point: 1 or -1 of 1
 *  and -1, else 0, also of 0. The scalar exponents 2, 1, 0.5 and -1 are computed as
 *  gpuarr_square, a copy, gpuarr_sqrt and gpuarr_reciprocal, as by NumPy's operator **.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_power(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Raise to a power in float64, or complex128: x to the power of y, whatever the dtypes.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_float_power(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Change the sign: -x, not of bools (GPUARR_ERR_DTYPE). Unsigned integers wrap around.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_negative(gpuarr_array** out, const gpuarr_array* x,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Copy numbers: +x, not of bools (GPUARR_ERR_DTYPE).
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_positive(gpuarr_array** out, const gpuarr_array* x,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute absolute values. Of complex numbers they are of the type of their parts; the least
 *  signed integer stays as it is.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_abs(gpuarr_array** out, const gpuarr_array* x,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell the sign: -1, 0 or 1; NaN of NaN; of a complex number x / abs(x). Not of bools.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_sign(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Multiply by itself: x * x. Bools give int8.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_square(gpuarr_array** out, const gpuarr_array* x,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Divide 1 by x. Of integers the result is one too: 0 of all but 1 and -1. Bools give int8.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_reciprocal(gpuarr_array** out, const gpuarr_array* x,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Choose the greater of two; NaN if one is. Of 0 and -0 it may be either. Complex numbers are in
 *  the order of gpuarr_less, and NaN if a part is.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_maximum(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Choose the lesser of two; NaN if one is. Of 0 and -0 it may be either. Complex numbers are in
 *  the order of gpuarr_less, and NaN if a part is.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_minimum(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Choose the greater of two; the number if one is NaN. Otherwise as gpuarr_maximum.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_fmax(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Choose the lesser of two; the number if one is NaN. Otherwise as gpuarr_minimum.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_fmin(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Limit to a range: x, but at least low, and at most high, which wins. NaN stays NaN, and a
 *  bound that is NaN makes one. Complex numbers are in the order of gpuarr_less.
 *  @param  x     the elements: any shape, any layout
 *  @param  low   an array or a scalar; gpuarr_arg_array(NULL) for no lower bound
 *  @param  high  an array or a scalar; gpuarr_arg_array(NULL) for no upper bound
 *  Other parameters and errors as gpuarr_add; without both bounds GPUARR_ERR_ARGUMENT.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_clip(gpuarr_array** out, const gpuarr_array* x, gpuarr_arg low,
                                     gpuarr_arg high, gpuarr_stream* GPUARR_NULLABLE stream);

/** Round to the nearest whole number, of two to the even one. Integers become the smallest float
 *  that holds them all: float16 of 8 bits, float32 of 16, float64 of more.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_rint(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Round to places behind the point, halves to even. Integers and bools keep their dtype.
 *
 *  Floats are multiplied by a power of ten, rounded, and divided by it, as in NumPy; where the
 *  product would be infinite x is returned.
 *  @param  x         the elements: any shape, any layout
 *  @param  decimals  how many places; negative for places before the point
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_round(gpuarr_array** out, const gpuarr_array* x, int32_t decimals,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Round down to a whole number. Integers and bools stay as they are. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_floor(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Round up to a whole number. Integers and bools stay as they are. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_ceil(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Drop what is behind the point. Integers and bools stay as they are. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_trunc(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the greatest common divisor of integers (not bools), which is not negative; of 0 and x
 *  it is abs(x).
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_gcd(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the least common multiple of integers (not bools), which is not negative; of 0 it is
 *  0.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_lcm(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Take real parts. Of numbers that are not complex it is a copy.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_real(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Take imaginary parts, which are 0 of numbers that are not complex.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_imag(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Take complex conjugates. Bools give int8, other numbers that are not complex are copied.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_conj(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the angle of complex numbers in radians, above -pi and up to pi: of a negative real
 *  number pi.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_angle(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Make complex numbers of two parts: complex64 of parts of up to 32 bits (integers: 16), else
 *  complex128.
 *  @param  re  the real part: an array or a scalar, not complex
 *  @param  im  the imaginary part, likewise
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_complex(gpuarr_array** out, gpuarr_arg re, gpuarr_arg im,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
