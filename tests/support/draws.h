/* Every kind of draw, with everyday parameters. */
#ifndef GPUARR_TEST_DRAWS_H
#define GPUARR_TEST_DRAWS_H

#include "gpuarr.h"

struct draw {
  const char* name;
  gpuarr_dtype dtype;
  gpuarr_status (*call)(gpuarr_array** out, gpuarr_generator* generator, gpuarr_dtype dtype,
                        int32_t ndim, const int64_t* shape, gpuarr_stream* stream);
  int32_t per_step;        /* elements for one step of the generator */
  uint64_t known;          /* digest of 1027 elements, of seed 42, stream 7, position 3 */
  double mean, std;        /* of the distribution */
  double (*cdf)(double x); /* likewise; NULL for one that is not continuous */
};
extern const struct draw draws[];
extern const int draw_count;

const struct draw* draw_called(const char* name, gpuarr_dtype dtype);

/* On the device under test. */
gpuarr_generator* generator(uint64_t seed, uint64_t stream);

#endif
