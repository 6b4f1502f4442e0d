/* Blocked arrays of any dtype, each beside a plain array of what it should hold. */
#ifndef GPUARR_TEST_MODELS_H
#define GPUARR_TEST_MODELS_H

#include "blocks.h"

struct model {
  gpuarr_blocked* blocked;
  gpuarr_dtype dtype;
  struct grid grid; /* chunk does not count where the blocks were there before */
  double* values;   /* in C order: small numbers, which every dtype has */
};

/* Of random blocks, halo and places, with random numbers in it. */
struct model random_model(gpuarr_team* team, gpuarr_dtype dtype, int32_t ndim,
                          const int64_t* shape);
/* With the blocks of another one; what is in it is not known. */
struct model model_like(const struct model* other);
void release_model(struct model* model);

/* A view with its axes permuted, and what is in it; and what was written to it, in the original. */
struct model transposed_model(const struct model* model, const int32_t* axes);
void put_back(struct model* model, const struct model* view, const int32_t* axes);

int64_t model_size(const struct model* model);
int64_t blocks_along(const struct grid* grid, int32_t axis);

/* Of a random box, from or to a random place, or all, in random strides. */
void write_slab(gpuarr_team* team, struct model* model);
void check_slab(gpuarr_team* team, const struct model* model);
/* All copies that this process has of all blocks. */
void check_blocks(const struct model* model);
/* The same with ghost cells. */
void check_with_halo(const struct model* model);

/* What an element beside the array is; -7 beyond a constant boundary. */
double value_beside(const struct model* model, const int64_t* index);

/* Collective results in one piece, as numbers, to be freed. */
double* read_numbers(gpuarr_blocked* blocked, int64_t* count);

#endif
