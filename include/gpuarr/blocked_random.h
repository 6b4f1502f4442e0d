/** @file gpuarr/blocked_random.h  Random numbers in blocked arrays. */
#ifndef GPUARR_BLOCKED_RANDOM_H
#define GPUARR_BLOCKED_RANDOM_H

#include "gpuarr/blocked.h"
#include "gpuarr/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fill a blocked array with random numbers: those that gpuarr_random_uniform, ..._normal and so on
 *  give an undivided array of its shape. Collective, but nothing is sent.
 *
 *      gpuarr_arg parameters[] = {gpuarr_arg_f64(0), gpuarr_arg_f64(1)};
 *      gpuarr_blocked_random(x, generator, "normal", parameters, 2);
 *
 *  Element k, in C order of the whole, depends only on seed, stream and position of the generator
 *  and on k: the numbers are the same at any number of places and in any grid. The generator is
 *  advanced by what the undivided draw takes. Every process has one of its own, and they must be
 *  alike: $GPUARR_CHECK=team compares them.
 *
 *  Blocks that are runs of the whole's elements, as of an array that is divided along its first
 *  axis, are filled as fast as arrays.
 *  @param  x             the array, of a dtype that the distribution gives
 *  @param  generator     where the numbers come from
 *  @param  distribution  "uniform" (low, high), "normal" (mean, std), "lognormal" (mean, std),
 *                        "exponential" (scale), "gamma" (k, scale), "poisson" (lam), "binomial"
 *                        (trials, p), "bernoulli" (p) or "integers" (low, high): its function in
 *                        gpuarr/random.h says what they are
 *  @param  parameters    scalars, those in brackets
 *  @param  count         number of @p parameters
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (also: no such distribution, a parameter out of range, a
 *          position beyond 2^64), GPUARR_ERR_DTYPE, errors of compiling a kernel, GPUARR_ERR_PEER,
 *          GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_random(gpuarr_blocked* x, gpuarr_generator* generator,
                                               const char* distribution,
                                               const gpuarr_arg* parameters, int32_t count);

#ifdef __cplusplus
}
#endif
#endif
