/** @file gpuarr/random.h  Random numbers: the same ones on every device, at every size of
 *  launch. */
#ifndef GPUARR_RANDOM_H
#define GPUARR_RANDOM_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A source of random numbers, reference-counted: a seed, a stream and a position in it.
 *
 *  The numbers are those of Philox 4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
 *  as easy as 1, 2, 3", SC11), which turns a seed, a stream and a position into 128 bits, a step.
 *  So element k of a draw, in C order of its indices, depends on the seed, the stream, the position
 *  where the draw begins and k alone. It has the same bits on a GPU and on the CPU, in whatever
 *  layout the array is, and however many threads work on it.
 *
 *  A draw begins at the generator's position and moves it on by the steps that it takes: one for
 *  every 4 elements, but for every 2 of float64 and of gpuarr_random_integers in a range of more
 *  than 2^32 numbers, and one for each element of gpuarr_random_gamma, gpuarr_random_poisson and
 *  gpuarr_random_binomial. A last step may be used in part: the next draw begins behind it. So two
 *  draws are parts of one long draw where the first one's size is a multiple of 4.
 *
 *  Work that is captured in a graph has its numbers from when it was captured: each launch of the
 *  graph makes the same ones.
 *
 *  Several threads may draw from one generator: no step is used twice. Which thread gets which
 *  numbers is a matter of luck then; give each a stream of its own to repeat them. */
typedef struct gpuarr_generator gpuarr_generator;

/** Make a generator, at position 0.
 *  @param[out] out     the generator, owned by the caller; NULL on failure
 *  @param      device  where arrays are made, unless a draw's stream is another device's; NULL for
 *                      the default one, as of gpuarr_device_open
 *  @param      seed    any number; gpuarr_random_seed gives one that nobody foresees
 *  @param      stream  which of the seed's sequences, below 2^48; they have no number in common but
 *                      by chance
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_generator_create(gpuarr_generator** out,
                                                 gpuarr_device* GPUARR_NULLABLE device,
                                                 uint64_t seed, uint64_t stream);

/** Ask the system for a seed.
 *  @param[out] out  64 random bits; 0 on failure
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_IO
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_random_seed(uint64_t* out);

/** Take another reference.
 *  @return @p generator
 *  @threadsafe */
GPUARR_API gpuarr_generator* gpuarr_generator_retain(gpuarr_generator* GPUARR_NULLABLE generator);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_generator_release(gpuarr_generator* GPUARR_NULLABLE generator);

/** The seed that a generator was made with.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API uint64_t gpuarr_generator_seed(const gpuarr_generator* generator);

/** The stream that a generator was made with.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API uint64_t gpuarr_generator_stream(const gpuarr_generator* generator);

/** Where the next draw begins, in steps of 128 bits.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API uint64_t gpuarr_generator_position(const gpuarr_generator* generator);

/** Let the next draw begin elsewhere, such as at a position that was noted before.
 *  @param  generator  the generator
 *  @param  position   any number of steps
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_generator_set_position(gpuarr_generator* generator,
                                                       uint64_t position);

/** Skip steps. Draws fail where the position would pass 2^64, and so does this.
 *  @param  generator  the generator
 *  @param  steps      how many
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_generator_advance(gpuarr_generator* generator, uint64_t steps);

/** Draw real numbers from an interval, each part of which gets as many as any other of its length.
 *
 *  They are low + (high - low) * u, rounded, where u has 32 bits, as far as a float32 holds them,
 *  or 53 for float64. 16-bit floats are computed as float32. A number that is rounded up to @p high
 *  becomes the last one before it.
 *
 *  @param[in,out] out        in: an array of any layout to fill, on any device; or NULL, when it is
 *                            made, in C order, and owned by the caller. NULL stays NULL on failure
 *  @param         generator  where the numbers come from
 *  @param         low        the least number: a scalar, or an array that broadcasts to @p out, of
 *                            any real dtype, whose elements are used as float64
 *  @param         high       the end, itself not included: likewise. An interval without length has
 *                            @p low; one that ends before it begins is an error, and NaN where an
 *                            argument is an array
 *  @param         dtype      float16, bfloat16, float32 or float64; where @p out is given, its
 *                            dtype (else GPUARR_ERR_DTYPE), or 0
 *  @param         ndim       number of axes; where @p out is given, its (else GPUARR_ERR_SHAPE), or
 *                            0 with @p shape NULL
 *  @param         shape      their extents; may be NULL when @p ndim is 0
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (an argument out of range; no steps left before 2^64),
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OVERLAP (elements of @p out share memory), GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_uniform(gpuarr_array** out, gpuarr_generator* generator,
                                               gpuarr_arg low, gpuarr_arg high, gpuarr_dtype dtype,
                                               int32_t ndim, const int64_t* GPUARR_NULLABLE shape,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the normal distribution, by the method of Box and Muller ("A note on the generation of
 *  random normal deviates", 1958). Tails reach 6.7 standard deviations, of float64 8.5.
 *  @param  mean  a finite number, or an array, as gpuarr_random_uniform's
 *  @param  std   the standard deviation: likewise, 0 or more; less gives NaN in an array
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_normal(gpuarr_array** out, gpuarr_generator* generator,
                                              gpuarr_arg mean, gpuarr_arg std, gpuarr_dtype dtype,
                                              int32_t ndim, const int64_t* GPUARR_NULLABLE shape,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw numbers whose logarithm is normal: the exponential of what gpuarr_random_normal draws in
 *  the same place. Parameters and errors as gpuarr_random_normal.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_lognormal(gpuarr_array** out, gpuarr_generator* generator,
                                                 gpuarr_arg mean, gpuarr_arg std,
                                                 gpuarr_dtype dtype, int32_t ndim,
                                                 const int64_t* GPUARR_NULLABLE shape,
                                                 gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the exponential distribution.
 *  @param  scale  the mean: a finite number, 0 or more, or an array, as gpuarr_random_uniform's;
 *                 less gives NaN in an array
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_exponential(gpuarr_array** out, gpuarr_generator* generator,
                                                   gpuarr_arg scale, gpuarr_dtype dtype,
                                                   int32_t ndim,
                                                   const int64_t* GPUARR_NULLABLE shape,
                                                   gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the gamma distribution, by rejection (Marsaglia and Tsang, "A simple method for
 *  generating gamma variables", 2000), computed in float64.
 *  @param  k      its shape: a finite number above 0, or an array, as gpuarr_random_uniform's; 0 or
 *                 less gives NaN in an array
 *  @param  scale  what its numbers are multiplied with: finite, 0 or more, or an array
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_gamma(gpuarr_array** out, gpuarr_generator* generator,
                                             gpuarr_arg k, gpuarr_arg scale, gpuarr_dtype dtype,
                                             int32_t ndim, const int64_t* GPUARR_NULLABLE shape,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the Poisson distribution, as int64: by inversion for means below 10, else by rejection
 *  (Hörmann, "The transformed rejection method for generating Poisson random variables", 1993),
 *  with probabilities after Loader ("Fast and accurate computation of binomial probabilities",
 *  2000), so that it is right for large means too.
 *  @param  lam  the mean, from 0 to 9.22e18, or an array, as gpuarr_random_uniform's; any other
 *               number gives -1 in an array
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_poisson(gpuarr_array** out, gpuarr_generator* generator,
                                               gpuarr_arg lam, int32_t ndim,
                                               const int64_t* GPUARR_NULLABLE shape,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the binomial distribution, as int64: by inversion for means below 10, else by
 *  rejection (Hörmann, "The generation of binomial random variates", 1993).
 *  @param  trials  their number, from 0 to 2^53, or an array, as gpuarr_random_uniform's, but of
 *                  whole numbers
 *  @param  p       how likely each succeeds, from 0 to 1, or an array; any other number of either
 *                  gives -1 in an array
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_binomial(gpuarr_array** out, gpuarr_generator* generator,
                                                gpuarr_arg trials, gpuarr_arg p, int32_t ndim,
                                                const int64_t* GPUARR_NULLABLE shape,
                                                gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw bools, each true as likely as @p p, of which 64 bits count.
 *  @param  p  from 0 to 1, or an array, as gpuarr_random_uniform's; NaN counts as 0 in an array
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_bernoulli(gpuarr_array** out, gpuarr_generator* generator,
                                                 gpuarr_arg p, int32_t ndim,
                                                 const int64_t* GPUARR_NULLABLE shape,
                                                 gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw whole numbers, each of a range just as likely as any other (Lemire, "Fast random integer
 *  generation in an interval", 2019).
 *
 *  With a range of 2^32 numbers they are Philox's 32-bit words as they come, with one of 2^64 two
 *  words, the low one first.
 *
 *  @param  low    the least number: a scalar that the dtype can hold
 *  @param  high   the end, itself not included: a scalar above @p low, such that the dtype can hold
 *                 the number before it; 2^64 is given as a float
 *  @param  dtype  an integer type, if @p out is made
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_integers(gpuarr_array** out, gpuarr_generator* generator,
                                                gpuarr_arg low, gpuarr_arg high, gpuarr_dtype dtype,
                                                int32_t ndim, const int64_t* GPUARR_NULLABLE shape,
                                                gpuarr_stream* GPUARR_NULLABLE stream);

/** Put the numbers 0 to n - 1 into a random order, as int64.
 *
 *  Up to 1024 numbers are ranked by random keys of 64 bits, so that each order is as likely as any
 *  other. For more, the generator picks one of 2^800 orders: a bijection of the numbers that needs
 *  no sorting and no memory, after Mitchell, Stokes, Frank, Holmes, "Bandwidth-optimal random
 *  shuffling for GPUs", 2022. It takes one step of the generator for every 2 of up to 1024 numbers,
 *  and 7 for more.
 *
 *  @param[in,out] out        as for gpuarr_random_uniform, but int64. A given array gets as many
 *                            numbers as it has elements, at most @p n: the first ones of the order
 *  @param         generator  where the numbers come from
 *  @param         n          how many numbers there are to order, 0 or more
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_random_uniform
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_permutation(gpuarr_array** out, gpuarr_generator* generator,
                                                   int64_t n,
                                                   gpuarr_stream* GPUARR_NULLABLE stream);

/** Put what an array has along an axis, such as its rows, into a random order: that of
 *  gpuarr_random_permutation in the same place.
 *  @param[in,out] out        in: an array of the shape, dtype and device of @p x, which may be
 *                            @p x; or NULL, when it is made, in the memory order of @p x, and owned
 *                            by the caller. NULL stays NULL on failure
 *  @param         generator  where the order comes from
 *  @param         x          the elements: any layout, any dtype, at least one axis
 *  @param         axis       the axis, from 0, or from the last as -1
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_random_uniform, and GPUARR_ERR_AXIS
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_shuffle(gpuarr_array** out, gpuarr_generator* generator,
                                               const gpuarr_array* x, int32_t axis,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Choose among the numbers 0 to n - 1, as int64: indices of things to be taken.
 *
 *  With weights the call waits for their sum, and so fails in a captured stream. Different numbers
 *  are chosen one after the other, each as likely as its weight among those that are left
 *  (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
 *
 *  @param[in,out] out        as for gpuarr_random_uniform, but int64
 *  @param         generator  where the choice comes from
 *  @param         n          how many numbers there are to choose from
 *  @param         p          array of shape (n) of any real dtype: weights of 0 or more, which need
 *                            not add up to 1 (GPUARR_ERR_ARGUMENT); NULL if all are alike
 *  @param         replace    1 if a number may be chosen again; 0 if all chosen must be different,
 *                            when there must be enough of them (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_random_uniform; GPUARR_ERR_EMPTY where there is nothing to
 *  choose from, GPUARR_ERR_UNSUPPORTED in a captured stream.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_choice(gpuarr_array** out, gpuarr_generator* generator,
                                              int64_t n, const gpuarr_array* GPUARR_NULLABLE p,
                                              int32_t replace, int32_t ndim,
                                              const int64_t* GPUARR_NULLABLE shape,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
