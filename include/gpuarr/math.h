/** @file gpuarr/math.h  Functions of mathematics, element by element. */
#ifndef GPUARR_MATH_H
#define GPUARR_MATH_H

#include "gpuarr/arithmetic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compute e to the power of x.
 *
 *  This and what is below compute in floats: integers and bools become the smallest float that
 *  holds them all, float16 of 8 bits, float32 of 16, float64 of more. How exact they are
 *  docs/accuracy.md says; infinities, NaN and signs of 0 are as C has them.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_exp(gpuarr_array** out, const gpuarr_array* x,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute 2 to the power of x.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_exp2(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute exp(x) - 1 without losing digits near 0.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_expm1(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the natural logarithm: NaN of negative real numbers; of complex ones the branch that
 *  is cut along them.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_log(gpuarr_array** out, const gpuarr_array* x,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the logarithm to base 2.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_log2(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the logarithm to base 10.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_log10(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute log(1 + x) without losing digits near 0.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_log1p(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute log(exp(x) + exp(y)) without overflow. No complex numbers.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_logaddexp(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute log2(2^x + 2^y) without overflow. No complex numbers.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_logaddexp2(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the sine of radians.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_sin(gpuarr_array** out, const gpuarr_array* x,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the cosine of radians.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cos(gpuarr_array** out, const gpuarr_array* x,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the tangent of radians.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_tan(gpuarr_array** out, const gpuarr_array* x,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the angle whose sine is x: from -pi/2 to pi/2; NaN of real numbers beyond 1.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_arcsin(gpuarr_array** out, const gpuarr_array* x,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the angle whose cosine is x: from 0 to pi; NaN of real numbers beyond 1.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_arccos(gpuarr_array** out, const gpuarr_array* x,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the angle whose tangent is x: from -pi/2 to pi/2.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_arctan(gpuarr_array** out, const gpuarr_array* x,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the hyperbolic sine.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_sinh(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the hyperbolic cosine.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cosh(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the hyperbolic tangent.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_tanh(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the inverse of the hyperbolic sine.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_arcsinh(gpuarr_array** out, const gpuarr_array* x,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the inverse of the hyperbolic cosine: NaN of real numbers below 1.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_arccosh(gpuarr_array** out, const gpuarr_array* x,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the inverse of the hyperbolic tangent: NaN of real numbers beyond 1.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_arctanh(gpuarr_array** out, const gpuarr_array* x,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute sqrt(x^2 + y^2) without overflow on the way. No complex numbers.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_hypot(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the angle of the point (x, y), from -pi to pi. No complex numbers.
 *  @param  y  the second coordinate: an array or a scalar
 *  @param  x  the first one, likewise
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_arctan2(gpuarr_array** out, gpuarr_arg y, gpuarr_arg x,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Convert degrees to radians. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_deg2rad(gpuarr_array** out, const gpuarr_array* x,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Convert radians to degrees. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_rad2deg(gpuarr_array** out, const gpuarr_array* x,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the square root: NaN of negative real numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_sqrt(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the cube root. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cbrt(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute 1 / sqrt(x). No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_rsqrt(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the error function. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_erf(gpuarr_array** out, const gpuarr_array* x,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute 1 - erf(x) without losing digits where that is small. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_erfc(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the gamma function: NaN of negative whole numbers. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_gamma(gpuarr_array** out, const gpuarr_array* x,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the logarithm of the absolute value of the gamma function. No complex numbers.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_lgamma(gpuarr_array** out, const gpuarr_array* x,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute sin(pi x) / (pi x), which is 1 at 0.
 *  @param  x  the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_sinc(gpuarr_array** out, const gpuarr_array* x,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Give x the sign of y, also of 0 and of NaN. No complex numbers.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_copysign(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the float of the result's dtype next to x towards y. No complex numbers.
 *  Parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nextafter(gpuarr_array** out, gpuarr_arg x, gpuarr_arg y,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute the step function: 0 where x < 0, 1 where x > 0, h where it is 0. No complex numbers.
 *  @param  x  an array or a scalar
 *  @param  h  the value at 0, likewise
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_heaviside(gpuarr_array** out, gpuarr_arg x, gpuarr_arg h,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute x * 2^exponent. No complex numbers.
 *  @param  x         an array or a scalar
 *  @param  exponent  an array or a scalar of integers, whose dtype does not count for the result's
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_ldexp(gpuarr_array** out, gpuarr_arg x, gpuarr_arg exponent,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Take floats apart: x is mantissa * 2^exponent. The exponent of 0, infinities and NaN is 0. No
 *  complex numbers.
 *  @param[in,out] mantissa  from 0.5 to 1, its sign that of x; otherwise as out of gpuarr_add
 *  @param[in,out] exponent  int32, or a type that it becomes; likewise
 *  @param         x         the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_frexp(gpuarr_array** mantissa, gpuarr_array** exponent,
                                      const gpuarr_array* x, gpuarr_stream* GPUARR_NULLABLE stream);

/** Split at the point; both parts have the sign of x. No complex numbers.
 *  @param[in,out] fraction  what is behind it; otherwise as out of gpuarr_add
 *  @param[in,out] whole     what is before it; likewise
 *  @param         x         the elements: any shape, any layout
 *  Other parameters and errors as gpuarr_add.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_modf(gpuarr_array** fraction, gpuarr_array** whole,
                                     const gpuarr_array* x, gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
