/* For tests of factorisations: small matrices, and results that are unique up to signs. */
#ifndef GPUARR_TEST_FACTORS_H
#define GPUARR_TEST_FACTORS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrays.h"

static inline gpuarr_array* matrix(gpuarr_dtype dtype, int64_t rows, int64_t columns,
                                   const void* values) {
  return from(dtype, 2, (int64_t[]){rows, columns}, values);
}

/* An array that is not complex has these elements, but for rounding. */
static inline void assert_near(const gpuarr_array* array, const double* expected, int64_t count) {
  assert_int_equal(gpuarr_array_size(array), count);
  double* values = doubles_of(array);
  for (int64_t k = 0; k < count; ++k) assert_close(values[k], expected[k], 1e-13);
  free(values);
}

/* The same for their absolute values. */
static inline void assert_near_abs(const gpuarr_array* array, const double* expected,
                                   int64_t count) {
  assert_int_equal(gpuarr_array_size(array), count);
  double* values = doubles_of(array);
  for (int64_t k = 0; k < count; ++k) assert_close(fabs(values[k]), expected[k], 1e-13);
  free(values);
}

/* Ends the program as skipped where there is no LAPACK, or no cuSOLVER. Asked in another process,
 * so that in this one nothing is open; a GPU can be used in one of the two only. */
static inline void skip_without_solver(void) {
  if (!test_device_is_host()) return;
  pid_t child = fork();
  if (child == 0) {
    gpuarr_array *a = matrix(GPUARR_F64, 1, 1, (double[]){1}), *out = NULL;
    _exit(gpuarr_cholesky(&out, a, 0, NULL, NULL) == GPUARR_ERR_NO_LIBRARY ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) skip_program("there is no LAPACK");
}

#endif
