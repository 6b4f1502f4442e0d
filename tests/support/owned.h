/* Memory of an owner who is told when it is not used any more, and work that takes a while. */
#ifndef GPUARR_TEST_OWNED_H
#define GPUARR_TEST_OWNED_H

#include "support.h"

/* An array whose memory others are lent. */
struct owner {
  gpuarr_array* array; /* of `count` float64: 0, 1, 2, ... */
  double awaited;      /* what the last one has become when the memory comes back; or 0 */
  int returns;         /* how often the memory came back */
  int early;           /* how often before that */
};

void own(struct owner* owner, int64_t count); /* at most 64 */

/* A gpuarr_deleter. It releases the array. */
void take_back(void* owner);

gpuarr_stream* other_stream(void);
void synchronize(gpuarr_stream* stream);

/* array += addend in `stream`, element by element and in steps of 1, for some milliseconds. */
void add_slowly(gpuarr_array* array, gpuarr_stream* stream);
extern const double added_slowly;

/* Releases an array in a thread of its own, and waits for that. */
void release_elsewhere(gpuarr_array* array);

/* The elements are start, start + 1, start + 2, ... */
void assert_ramp(const gpuarr_array* array, double start);

/* A group teardown, instead of check_nothing_lives. */
int release_slow_kernel(void** state);

#endif
