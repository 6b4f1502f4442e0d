/* Arrays that lie in memory in random ways, with all that is around their elements known: what a
 * kernel reads or writes next to them is found out. */
#ifndef GPUARR_TEST_OPERANDS_H
#define GPUARR_TEST_OPERANDS_H

#include "support.h"

enum { operand_axes = 6 }; /* at most */

/* An array seen through a view, and the host's copy of all the memory behind it. */
struct operand {
  gpuarr_array* base;
  gpuarr_array* view;
  int64_t count;  /* elements of base */
  int64_t offset; /* of the view's first element in base */
  double* values; /* of base, in memory order */
};

/* Small random integers (see elements.h), seen in a random order of axes through steps, negative
 * ones too, with other elements around. */
struct operand make_operand(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape);

/* The same numbers one behind the other in C order, `before` elements after where memory begins,
 * with a few more after them. */
struct operand make_flat_operand(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape,
                                 int64_t before);
void drop_operand(struct operand* o);

/* Look through another view of the same memory, which the operand now owns. */
void look_through(struct operand* o, gpuarr_array* view);

/* Place in `values` of an element; the operand broadcasts to a loop of `loop_ndim` axes. */
int64_t place(const struct operand* o, int32_t loop_ndim, const int64_t* index);

/* All of base is on the device as it is in `values`; if not, the message begins with `what` and the
 * number. */
void compare_operand(const struct operand* o, const char* what, int64_t number);

/* The shape of an operand that broadcasts to another: some axes 1, some leading ones missing.
 * Returns its number of axes. */
int32_t narrow(int32_t ndim, const int64_t* shape, int64_t* out);

#endif
