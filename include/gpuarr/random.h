/** @file gpuarr/random.h  Random numbers, reproducible: the same bits on every device and for every
 *  launch size. */
#ifndef GPUARR_RANDOM_H
#define GPUARR_RANDOM_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A random number generator, reference-counted: a seed, a stream and a position in it.
 *
 *  The numbers are those of Philox 4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
 *  as easy as 1, 2, 3", SC11), a counter-based generator that maps a seed, a stream and a position
 *  to 128 bits, a step. So element k of a draw, in C order of its indices, depends only on the
 *  seed, the stream, the position where the draw begins, and k. It has the same bits on a GPU and
 *  on the CPU, in any layout of the array and with any number of threads.
 *
 *  A draw begins at the generator's position and advances it by the steps that it takes: one for
 *  every 4 elements; one for every 2 elements of float64, and of gpuarr_random_integers with a
 *  range of more than 2^32 numbers; one for each element of gpuarr_random_gamma,
 *  gpuarr_random_poisson and gpuarr_random_binomial. The last step may be used partly; the next
 *  draw begins after it. So two draws equal one long draw if the first one's size is a multiple of
 *  4.
 *
 *  The position is read when work is captured into a graph: each launch of the graph draws the same
 *  numbers.
 *
 *  Several threads may draw from one generator: no step is used twice. Which thread gets which
 *  numbers is then not reproducible; for that give each thread a stream of its own. */
typedef struct gpuarr_generator gpuarr_generator;

/** Create a generator, at position 0.
 *  @param[out] out     the generator, owned by the caller; NULL on failure
 *  @param      device  where arrays are created, unless a draw's stream belongs to another device;
 *                      NULL for the default device of gpuarr_device_open
 *  @param      seed    any number; gpuarr_random_seed gives an unpredictable one
 *  @param      stream  index of one of the seed's independent sequences, below 2^48
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_generator_create(gpuarr_generator** out,
                                                 gpuarr_device* GPUARR_NULLABLE device,
                                                 uint64_t seed, uint64_t stream);

/** Get a seed from the system's entropy source.
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

/** Seed of a generator.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API uint64_t gpuarr_generator_seed(const gpuarr_generator* generator);

/** Stream of a generator.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API uint64_t gpuarr_generator_stream(const gpuarr_generator* generator);

/** Position where the next draw begins, in steps of 128 bits.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API uint64_t gpuarr_generator_position(const gpuarr_generator* generator);

/** Set the position where the next draw begins, for example to one that was saved before.
 *  @param  generator  the generator
 *  @param  position   any number of steps
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_generator_set_position(gpuarr_generator* generator,
                                                       uint64_t position);

/** Skip steps. Like a draw, it fails if the position would exceed 2^64.
 *  @param  generator  the generator
 *  @param  steps      how many
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_generator_advance(gpuarr_generator* generator, uint64_t steps);

/** Draw from the uniform distribution over an interval.
 *
 *  The numbers are low + (high - low) * u, rounded, where u has 32 random bits, rounded to float32,
 *  or 53 for float64. 16-bit floats are computed as float32. A number that is rounded up to @p high
 *  becomes the largest one below it.
 *
 *  @param[in,out] out        in: an array of any layout to fill, on any device; or NULL, then it is
 *                            created in C order and owned by the caller; on failure it stays NULL
 *  @param         generator  where the numbers come from
 *  @param         low        start of the interval: a scalar, or an array that broadcasts to
 *                            @p out, of any real dtype, whose elements are used as float64
 *  @param         high       end of the interval, not included, likewise. If both are equal, all
 *                            numbers are @p low; @p high below @p low is an error, and gives NaN if
 *                            an argument is an array
 *  @param         dtype      float16, bfloat16, float32 or float64; if @p out is given, its dtype
 *                            (else GPUARR_ERR_DTYPE), or 0
 *  @param         ndim       number of axes; if @p out is given, that of @p out (else
 *                            GPUARR_ERR_SHAPE), or 0 with @p shape NULL
 *  @param         shape      their extents; may be NULL when @p ndim is 0
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (an argument out of range; a position beyond 2^64),
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OVERLAP (elements of @p out share memory), GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_uniform(gpuarr_array** out, gpuarr_generator* generator,
                                               gpuarr_arg low, gpuarr_arg high, gpuarr_dtype dtype,
                                               int32_t ndim, const int64_t* GPUARR_NULLABLE shape,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the normal distribution, by the Box-Muller method ("A note on the generation of random
 *  normal deviates", 1958). Tails reach 6.7 standard deviations, for float64 8.5.
 *  @param  mean  a finite number, or an array, as gpuarr_random_uniform's
 *  @param  std   the standard deviation, likewise, 0 or more; a negative element of an array gives
 *                NaN
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_normal(gpuarr_array** out, gpuarr_generator* generator,
                                              gpuarr_arg mean, gpuarr_arg std, gpuarr_dtype dtype,
                                              int32_t ndim, const int64_t* GPUARR_NULLABLE shape,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the log-normal distribution: the exponentials of what gpuarr_random_normal draws at
 *  the same position. Parameters and errors as gpuarr_random_normal.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_lognormal(gpuarr_array** out, gpuarr_generator* generator,
                                                 gpuarr_arg mean, gpuarr_arg std,
                                                 gpuarr_dtype dtype, int32_t ndim,
                                                 const int64_t* GPUARR_NULLABLE shape,
                                                 gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the exponential distribution.
 *  @param  scale  the mean: a finite number, 0 or more, or an array, as gpuarr_random_uniform's; a
 *                 negative element of an array gives NaN
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_exponential(gpuarr_array** out, gpuarr_generator* generator,
                                                   gpuarr_arg scale, gpuarr_dtype dtype,
                                                   int32_t ndim,
                                                   const int64_t* GPUARR_NULLABLE shape,
                                                   gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the gamma distribution, by rejection (Marsaglia and Tsang, "A simple method for
 *  generating gamma variables", 2000), computed in float64.
 *  @param  k      the shape parameter: a finite number above 0, or an array, as
 *                 gpuarr_random_uniform's; an element of an array that is 0 or less gives NaN
 *  @param  scale  the scale parameter: finite, 0 or more, or an array
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_gamma(gpuarr_array** out, gpuarr_generator* generator,
                                             gpuarr_arg k, gpuarr_arg scale, gpuarr_dtype dtype,
                                             int32_t ndim, const int64_t* GPUARR_NULLABLE shape,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the Poisson distribution, as int64: by inversion for means below 10, else by rejection
 *  (Hörmann, "The transformed rejection method for generating Poisson random variables", 1993),
 *  with probabilities after Loader ("Fast and accurate computation of binomial probabilities",
 *  2000), which are accurate for large means too.
 *  @param  lam  the mean, from 0 to 9.22e18, or an array, as gpuarr_random_uniform's; any other
 *               element of an array gives -1
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_poisson(gpuarr_array** out, gpuarr_generator* generator,
                                               gpuarr_arg lam, int32_t ndim,
                                               const int64_t* GPUARR_NULLABLE shape,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw from the binomial distribution, as int64: by inversion for means below 10, else by
 *  rejection (Hörmann, "The generation of binomial random variates", 1993).
 *  @param  trials  number of trials, from 0 to 2^53, or an array, as gpuarr_random_uniform's, but
 *                  of integers
 *  @param  p       probability of success of each, from 0 to 1, or an array; any other element of
 *                  either array gives -1
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_binomial(gpuarr_array** out, gpuarr_generator* generator,
                                                gpuarr_arg trials, gpuarr_arg p, int32_t ndim,
                                                const int64_t* GPUARR_NULLABLE shape,
                                                gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw bools that are true with probability @p p, which is used with 64 bits.
 *  @param  p  from 0 to 1, or an array, as gpuarr_random_uniform's; NaN in an array counts as 0
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_bernoulli(gpuarr_array** out, gpuarr_generator* generator,
                                                 gpuarr_arg p, int32_t ndim,
                                                 const int64_t* GPUARR_NULLABLE shape,
                                                 gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw integers, uniformly and without bias from a range (Lemire, "Fast random integer generation
 *  in an interval", 2019).
 *
 *  For a range of 2^32 numbers they are Philox's 32-bit words, for one of 2^64 numbers two words
 *  each, the low one first.
 *
 *  @param  low    the smallest number: a scalar that the dtype can hold
 *  @param  high   end of the range, not included: a scalar above @p low, such that the dtype can
 *                 hold the number before it; pass 2^64 as a float
 *  @param  dtype  an integer type, if @p out is created
 *  Other parameters and errors as gpuarr_random_uniform.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_integers(gpuarr_array** out, gpuarr_generator* generator,
                                                gpuarr_arg low, gpuarr_arg high, gpuarr_dtype dtype,
                                                int32_t ndim, const int64_t* GPUARR_NULLABLE shape,
                                                gpuarr_stream* GPUARR_NULLABLE stream);

/** Draw a random permutation of the numbers 0 to n - 1, as int64.
 *
 *  Up to 1024 numbers are sorted by random keys of 64 bits, so that all orders are equally likely.
 *  For more, the generator picks one of 2^800 orders: a bijection that needs neither sorting nor
 *  memory, after Mitchell, Stokes, Frank, Holmes, "Bandwidth-optimal random shuffling for GPUs",
 *  2022. It takes one step of the generator for every 2 of up to 1024 numbers, and 7 steps for
 *  more.
 *
 *  @param[in,out] out        as for gpuarr_random_uniform, but int64. A given array receives the
 *                            first numbers of the permutation, as many as it has elements, at most
 *                            @p n
 *  @param         generator  where the numbers come from
 *  @param         n          how many numbers to permute, 0 or more
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_random_uniform
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_permutation(gpuarr_array** out, gpuarr_generator* generator,
                                                   int64_t n,
                                                   gpuarr_stream* GPUARR_NULLABLE stream);

/** Shuffle an array along an axis, for example its rows, by the permutation that
 *  gpuarr_random_permutation draws at the same position.
 *  @param[in,out] out        in: an array of the shape, dtype and device of @p x, which may be
 *                            @p x; or NULL, then it is created in the memory order of @p x and
 *                            owned by the caller; on failure it stays NULL
 *  @param         generator  where the order comes from
 *  @param         x          the elements: any layout, any dtype, at least one axis
 *  @param         axis       the axis, from 0, or from the last as -1
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_random_uniform, and GPUARR_ERR_AXIS
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_random_shuffle(gpuarr_array** out, gpuarr_generator* generator,
                                               const gpuarr_array* x, int32_t axis,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Sample from the numbers 0 to n - 1, as int64, for example as indices for gpuarr_take.
 *
 *  With weights the call waits for their sum, and so fails in a stream that is being captured.
 *  Without replacement, numbers are chosen one after another, with probabilities proportional to
 *  the weights of those that are left (Efraimidis and Spirakis, "Weighted random sampling with a
 *  reservoir", 2006).
 *
 *  @param[in,out] out        as for gpuarr_random_uniform, but int64
 *  @param         generator  where the choice comes from
 *  @param         n          how many numbers to choose from
 *  @param         p          array of shape (n) of any real dtype: weights, 0 or more
 *                            (GPUARR_ERR_ARGUMENT), whose sum need not be 1; NULL for equal weights
 *  @param         replace    1 to choose with replacement; 0 without, which needs enough numbers
 *                            (GPUARR_ERR_ARGUMENT)
 *  Other parameters and errors as gpuarr_random_uniform; GPUARR_ERR_EMPTY if there is nothing to
 *  choose from, GPUARR_ERR_UNSUPPORTED in a stream that is being captured.
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
