/* Shapes and axes that are reduced in ways of their own: by few threads or many for a result, that
 * lie along reduced axes or along kept ones, with and without a rest. */
#ifndef GPUARR_TEST_REDUCED_SHAPES_H
#define GPUARR_TEST_REDUCED_SHAPES_H

#include "reduced.h"

/* What is done with a shape; `what` says which it is, for messages. */
typedef void (*shape_test)(struct reduced shape, const char* what);

void each_one_result(shape_test test);  /* of 1 to 2^21 elements */
void each_long_rows(shape_test test);   /* few rows of more than 2048 */
void each_middle_rows(shape_test test); /* few and many rows of 65 to 2048 */
void each_short_rows(shape_test test);  /* many rows of 1 to 64 */
void each_columns(shape_test test);     /* 1 to 1000 results side by side, of 2 to 10^5 elements */
void each_mixed_axes(shape_test test);  /* of three, all sets */

#endif
