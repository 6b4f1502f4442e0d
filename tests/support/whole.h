/* Undivided arrays of any dtype, and blocked ones with the same elements. */
#ifndef GPUARR_TEST_WHOLE_H
#define GPUARR_TEST_WHOLE_H

#include "blocks.h"

/* Random whole numbers from `low` to `high`, which the dtype can hold. */
gpuarr_array* random_whole(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape, int64_t low,
                           int64_t high);
/* A shape in random chunks, `most` of them along an axis, without ghost cells. */
struct grid random_chunks(int32_t ndim, const int64_t* shape, int64_t most);

/* A blocked array with the elements of a whole one, on random places; replicated if asked for. */
gpuarr_blocked* divided(gpuarr_team* team, const struct grid* grid, const gpuarr_array* whole,
                        int replicated);
void write_whole(gpuarr_blocked* blocked, const gpuarr_array* whole);
/* The elements are those of the whole, bit for bit, as every process reads them. */
void assert_whole(gpuarr_blocked* blocked, const gpuarr_array* whole);
/* The same where 0 may be -0. */
void assert_whole_values(gpuarr_blocked* blocked, const gpuarr_array* whole);
/* Of both in C order; the caller frees it. */
void* bytes_of(const gpuarr_array* whole);
void* bytes_of_blocked(gpuarr_blocked* blocked);

#endif
