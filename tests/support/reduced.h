/* Reductions of operands by the naive way: one element after the other, in C order. */
#ifndef GPUARR_TEST_REDUCED_H
#define GPUARR_TEST_REDUCED_H

#include "operands.h"

/* What is reduced: axis d is if bit d of `reduced` is set. */
struct reduced {
  int32_t ndim;
  int64_t shape[operand_axes];
  unsigned reduced;
  int32_t keepdims;
};

/* The axes as a caller may name them: in any order, some from the last. Returns their number, or
 * GPUARR_ALL_AXES. */
int32_t name_axes(const struct reduced* r, int32_t* axes);

/* Shape of the results; returns its number of axes. */
int32_t result_shape(const struct reduced* r, int64_t* shape);
int64_t result_count(const struct reduced* r);

/* An element of a result: numbers in C order of the result, of the element among all and among the
 * result's own, and the operands' values. */
struct element {
  int64_t result, i, j;
  const double* x;
};

/* Calls the function for each element of the first result in C order, then of the next. */
void each_element(const struct reduced* r, const struct operand* inputs, int32_t count,
                  void (*visit)(void* context, const struct element* e), void* context);

/* What an output of the results' shape will hold: the values, by number of result, as its dtype has
 * them. */
void expect_results(struct operand* out, const double* values);

/* An array that a call made has the results' shape, and these values. */
void compare_results(const struct reduced* r, const gpuarr_array* out, const double* values,
                     const char* what, int64_t number);

#endif
