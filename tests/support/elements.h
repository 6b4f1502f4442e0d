/* Elements of any dtype in the host's memory, as numbers. */
#ifndef GPUARR_TEST_ELEMENTS_H
#define GPUARR_TEST_ELEMENTS_H

#include "gpuarr.h"

/* Element k of data; the value must be a small integer, which every dtype but bool can hold exactly
 * (an unsigned one as two's complement). Of a complex number it is the real part, twice it the
 * imaginary one. */
void put_element(void* data, gpuarr_dtype dtype, int64_t k, double value);

/* NaN for a complex number whose imaginary part is not twice the real one. */
double get_element(const void* data, gpuarr_dtype dtype, int64_t k);

/* What is left of an integer that a dtype may be too small for: its low bits, or the nearest number
 * with fewer digits. */
double wrapped(gpuarr_dtype dtype, double value);

#endif
