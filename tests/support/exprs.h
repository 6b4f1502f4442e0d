/* Expressions in one line each; what goes in is released. */
#ifndef GPUARR_TEST_EXPRS_H
#define GPUARR_TEST_EXPRS_H

#include "arrays.h"

typedef const gpuarr_expr* const* gpuarr_expr_list;

gpuarr_expr* expr_leaf(const gpuarr_array* array);
gpuarr_expr* expr_number(double value);
gpuarr_expr* expr_whole(int64_t value);
gpuarr_expr* expr_input(int32_t number);
gpuarr_expr* expr_unary(const char* name, gpuarr_expr* x);
gpuarr_expr* expr_binary(const char* name, gpuarr_expr* x, gpuarr_expr* y);

/* Along all axes, or along one, which is kept. */
gpuarr_expr* expr_reduced(const char* name, gpuarr_expr* x);
gpuarr_expr* expr_along(const char* name, gpuarr_expr* x, int32_t axis);

gpuarr_expr* expr_product(gpuarr_expr* x, gpuarr_expr* y); /* of matrices */

/* Another reference. */
gpuarr_expr* expr_again(const gpuarr_expr* x);

/* Its value, which the caller releases. */
gpuarr_array* value_of_expr(gpuarr_expr* x);

/* A function of them. */
gpuarr_function* function_of_exprs(gpuarr_expr** exprs, int32_t count);

/* A step of momentum, of x, m, a gradient and a number: the new x and m. */
gpuarr_function* momentum_step(void);

/* How many kernels it would take. */
int kernels_of(gpuarr_expr_list exprs, int32_t count);

#endif
