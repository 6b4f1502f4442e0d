/* The ready-made reductions, and what each should come to, the naive way. */
#ifndef GPUARR_TEST_REDUCERS_H
#define GPUARR_TEST_REDUCERS_H

#include "support.h"

/* A result's dtype, from the elements'. */
enum follows { same, sums, floating, index_of, truth };

struct reducer {
  const char* name;
  gpuarr_status (*call)(gpuarr_array** out, const gpuarr_array* x, const int32_t* axes,
                        int32_t axis_count, int32_t keepdims, gpuarr_stream* stream);
  double (*expected)(const double* x, int64_t count); /* of real numbers without NaN */
  enum follows follows;
  int needs_elements; /* fails where there are none */
};

enum { reducer_count = 19 }; /* all but dot; var and std with ddof 1; norm thrice */
extern const struct reducer reducers[reducer_count];

const struct reducer* reducer_called(const char* name);

/* Of real elements. */
gpuarr_dtype result_dtype(const struct reducer* reducer, gpuarr_dtype dtype);

/* One number: the whole array's. */
double reduced(const char* name, const gpuarr_array* x);

#endif
