/** @file gpuarr/expr.h  Expressions: whole formulas, reductions included, as the fewest kernels.
 *
 *  An expression is built from arrays and scalars by functions, reductions and views. Nothing is
 *  computed until gpuarr_evaluate, which runs sum((x - y)**2) as one reduction that reads x and y
 *  once, where gpuarr_subtract, gpuarr_square and gpuarr_sum would be three passes over memory:
 *
 *      gpuarr_expr *xy[2], *d, *d2, *s;
 *      gpuarr_expr_array(&xy[0], x);
 *      gpuarr_expr_array(&xy[1], y);
 *      gpuarr_expr_apply(&d, 1, "subtract", (const gpuarr_expr* const*)xy, 2);
 *      gpuarr_expr_apply(&d2, 1, "square", (const gpuarr_expr* const*)&d, 1);
 *      gpuarr_expr_reduce(&s, "sum", d2, NULL, 0, 0, 0.0);
 *      gpuarr_array* result = NULL;
 *      gpuarr_evaluate(&result, (const gpuarr_expr* const*)&s, 1, NULL);
 *
 *  Expressions are immutable. Each keeps alive what it is made of, which may be released at once.
 *  An array in an expression counts as it is when the expression is evaluated, not when it is
 *  built. Dtypes, shapes and errors are those of the functions that compute at once (gpuarr_apply,
 *  gpuarr_sum ...), and are found when a node is made. */
#ifndef GPUARR_EXPR_H
#define GPUARR_EXPR_H

#include "gpuarr/apply.h"
#include "gpuarr/elementwise.h"
#include "gpuarr/reduce.h"
#include "gpuarr/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An expression, reference-counted, immutable. */
typedef struct gpuarr_expr gpuarr_expr;

/** Make an expression of an array.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      array  the array, which the expression keeps alive
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_array(gpuarr_expr** out, const gpuarr_array* array);

/** Make an expression of a scalar, of which beside arrays only the kind counts (bool, integer,
 *  float, complex), as in gpuarr_add. Expressions that differ in nothing but what scalars are worth
 *  share their kernels.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      value  a scalar
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DTYPE, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_scalar(gpuarr_expr** out, gpuarr_arg value);

/** Make an expression of an elementwise function of others, by its name: as gpuarr_apply.
 *  @param[out] outputs        the expressions, owned by the caller, one for each output of the
 *                             function; NULL on failure
 *  @param      output_count   number of @p outputs
 *  @param      name           a function of gpuarr_apply: "add", "where", "exp" ...
 *  @param      operands       its inputs, in order; they broadcast together. An operand may be NULL
 *                             where gpuarr_clip takes a bound that is left out
 *  @param      operand_count  number of @p operands
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (an unknown name, counts, no operand but scalars),
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_BROADCAST, GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OUT_OF_MEMORY. Messages end with the operation and what its operands are.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_apply(gpuarr_expr** outputs, int32_t output_count,
                                           const char* name, const gpuarr_expr* const* operands,
                                           int32_t operand_count);

/** Make an expression of another's elements as another dtype: as gpuarr_array_astype.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      x      any expression but a scalar
 *  @param      dtype  the dtype
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DTYPE, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_astype(gpuarr_expr** out, const gpuarr_expr* x,
                                            gpuarr_dtype dtype);

/** Make an expression of a ready-made reduction of another, by its name.
 *  @param[out] out         the expression, owned by the caller; NULL on failure
 *  @param      name        "sum", "prod", "min", "max", "argmin", "argmax", "any", "all",
 *                          "count_nonzero", "mean", "var", "std", "norm_1", "norm_2", "norm_inf",
 *                          "nansum", "nanmin", "nanmax" or "logsumexp": the functions of reduce.h,
 *                          gpuarr_norm by its order
 *  @param      x           any expression but a scalar
 *  @param      axes        as in gpuarr_sum
 *  @param      axis_count  as in gpuarr_sum
 *  @param      keepdims    as in gpuarr_sum
 *  @param      ddof        of "var" and "std", as in gpuarr_var; 0 for others
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_DTYPE, GPUARR_ERR_EMPTY,
 *          GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_reduce(gpuarr_expr** out, const char* name,
                                            const gpuarr_expr* x,
                                            const int32_t* GPUARR_NULLABLE axes, int32_t axis_count,
                                            int32_t keepdims, double ddof);

/** Make an expression of cumulative values of another along an axis, by the function's name. What
 *  is scanned is computed on the way.
 *  @param[out] out        the expression, owned by the caller; NULL on failure
 *  @param      name       "cumsum", "cumprod", "cummin" or "cummax": the functions of scan.h
 *  @param      x          any expression but a scalar
 *  @param      axis       as in gpuarr_cumsum
 *  @param      exclusive  as in gpuarr_cumsum
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_scan(gpuarr_expr** out, const char* name, const gpuarr_expr* x,
                                          int32_t axis, int32_t exclusive);

/** Make an expression of the matrix product of others: as gpuarr_matmul without flags, by which it
 *  is computed. Arrays and views of arrays are multiplied as they lie; other operands are stored
 *  before, and what is computed of the product is another kernel.
 *  @param[out] out  the expression, owned by the caller; NULL on failure
 *  @param      x    any expression but a scalar, of shape (..., m, k) or (k,)
 *  @param      y    any expression but a scalar, of shape (..., k, n) or (k,)
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST,
 *          GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_matmul(gpuarr_expr** out, const gpuarr_expr* x,
                                            const gpuarr_expr* y);

/** Make an expression of each element's index along an axis of another, from 0, as int64: NumPy's
 *  indices(x.shape)[axis]. Of @p x only the shape counts. In a loop or a reduction over that axis
 *  alone it costs nothing; elsewhere an array as long as the axis is stored before.
 *  @param[out] out   the expression, of the shape of @p x, owned by the caller; NULL on failure
 *  @param      x     any expression but a scalar
 *  @param      axis  from 0, or from the last as -1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_indices(gpuarr_expr** out, const gpuarr_expr* x, int32_t axis);

/** Make expressions of an elementwise kernel of yours: as gpuarr_elementwise_call without outputs.
 *
 *  Its body becomes a part of a larger kernel where it says what becomes of one element and of
 *  nothing else: it has no raw parameters, no loop_prep and after_loop, no compiler options, no
 *  name in both lists, and reads neither i, n nor _ind, nor what belongs to a block of threads.
 *  Else the kernel runs as it is, on operands that are stored before.
 *  @param[out] outputs        the expressions, owned by the caller, one for each output of the
 *                             kernel; NULL on failure
 *  @param      output_count   number of @p outputs
 *  @param      kernel         the kernel, which the expressions keep alive
 *  @param      operands       its inputs, in order: expressions of the parameters' dtypes, which
 *                             broadcast together, and scalars
 *  @param      operand_count  number of @p operands
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DTYPE, GPUARR_ERR_TYPE,
 *          GPUARR_ERR_BROADCAST, GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_elementwise(gpuarr_expr** outputs, int32_t output_count,
                                                 gpuarr_elementwise* kernel,
                                                 const gpuarr_expr* const* operands,
                                                 int32_t operand_count);

/** Make expressions of a reduction of yours: as gpuarr_reduction_call without outputs. Its texts
 *  become a part of a larger kernel as a body does in gpuarr_expr_elementwise, if there is one
 *  output and the operator is commutative.
 *  @param[out] outputs        the expressions, owned by the caller, one for each output of the
 *                             reduction; NULL on failure
 *  @param      output_count   number of @p outputs
 *  @param      kernel         the reduction, which the expressions keep alive
 *  @param      operands       its inputs, in order, as in gpuarr_expr_elementwise
 *  @param      operand_count  number of @p operands
 *  @param      axes           as in gpuarr_sum
 *  @param      axis_count     as in gpuarr_sum
 *  @param      keepdims       as in gpuarr_sum
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_DTYPE, GPUARR_ERR_TYPE,
 *          GPUARR_ERR_BROADCAST, GPUARR_ERR_SHAPE, GPUARR_ERR_EMPTY, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_reduction(gpuarr_expr** outputs, int32_t output_count,
                                               gpuarr_reduction* kernel,
                                               const gpuarr_expr* const* operands,
                                               int32_t operand_count,
                                               const int32_t* GPUARR_NULLABLE axes,
                                               int32_t axis_count, int32_t keepdims);

/** Make an expression of every @p step -th index along an axis: as gpuarr_array_slice. A view of
 *  arrays and of elementwise functions costs nothing; that of a reduction's result reads it as it
 *  was stored. So do the other views.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      x      any expression but a scalar
 *  @param      axis   as in gpuarr_array_slice
 *  @param      start  as in gpuarr_array_slice
 *  @param      stop   as in gpuarr_array_slice
 *  @param      step   as in gpuarr_array_slice
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_slice(gpuarr_expr** out, const gpuarr_expr* x, int32_t axis,
                                           int64_t start, int64_t stop, int64_t step);

/** Make an expression of one index along an axis, which is dropped: as gpuarr_array_select.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      x      any expression but a scalar
 *  @param      axis   from 0, or from the last as -1
 *  @param      index  from 0, or from the last as -1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_index(gpuarr_expr** out, const gpuarr_expr* x, int32_t axis,
                                           int64_t index);

/** Make an expression with an axis of extent 1 more: as gpuarr_array_expand.
 *  @param[out] out   the expression, owned by the caller; NULL on failure
 *  @param      x     any expression but a scalar
 *  @param      axis  where the axis is then; from 0, or from the last as -1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_SHAPE,
 *          GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_expand(gpuarr_expr** out, const gpuarr_expr* x, int32_t axis);

/** Make an expression with its axes in another order: as gpuarr_array_transpose.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      x      any expression but a scalar
 *  @param      count  number of @p axes; 0 for the reverse order
 *  @param      axes   the axis of @p x that each axis of the result is
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_transpose(gpuarr_expr** out, const gpuarr_expr* x,
                                               int32_t count, const int32_t* GPUARR_NULLABLE axes);

/** Make an expression that runs backwards along axes: as gpuarr_flip.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      x      any expression but a scalar
 *  @param      count  number of @p axes; 0 for all
 *  @param      axes   the axes
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_flip(gpuarr_expr** out, const gpuarr_expr* x, int32_t count,
                                          const int32_t* GPUARR_NULLABLE axes);

/** Make an expression that repeats another along axes: as gpuarr_array_broadcast.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      x      any expression but a scalar
 *  @param      ndim   number of axes of the result
 *  @param      shape  its extents
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_BROADCAST, GPUARR_ERR_SHAPE,
 *          GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_broadcast(gpuarr_expr** out, const gpuarr_expr* x,
                                               int32_t ndim, const int64_t* shape);

/** Make an expression of the elements in C order in another shape: as gpuarr_array_reshape. Where
 *  no view of the arrays is that, the value is stored before, and copied if need be.
 *  @param[out] out    the expression, owned by the caller; NULL on failure
 *  @param      x      any expression but a scalar
 *  @param      ndim   number of axes of the result
 *  @param      shape  its extents, of which one may be -1, which follows from the others
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_reshape(gpuarr_expr** out, const gpuarr_expr* x, int32_t ndim,
                                             const int64_t* shape);

/** Take another reference.
 *  @return @p expr
 *  @threadsafe */
GPUARR_API gpuarr_expr* gpuarr_expr_retain(gpuarr_expr* GPUARR_NULLABLE expr);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_expr_release(gpuarr_expr* GPUARR_NULLABLE expr);

/** Number of axes of the value; 0 for a scalar.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_expr_ndim(const gpuarr_expr* expr);

/** Extents of the value's axes.
 *  @return gpuarr_expr_ndim() values, owned by the expression; NULL for NULL
 *  @threadsafe */
GPUARR_API const int64_t* gpuarr_expr_shape(const gpuarr_expr* expr);

/** Type of the value's elements.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API gpuarr_dtype gpuarr_expr_dtype(const gpuarr_expr* expr);

/** Compute expressions, together: what they have in common is computed once, in as few passes over
 *  memory as the planner finds.
 *
 *  Values are those that the functions computing at once would give, but that a compiler may fuse
 *  products and sums where they meet in one kernel (GPUARR_CONTRACT=0 forbids it, there and here),
 *  and that sums of floats on a GPU may be added up in another order, which is the same from run to
 *  run. An array may be an operand and a result: then it is read before it is written.
 *
 *  @param[in,out] outputs  in: for each expression an array of its shape and on its device, of its
 *                          dtype or of one that it converts to as the outputs of gpuarr_add do; or
 *                          NULL, then it is created and owned by the caller; on failure these stay
 *                          NULL
 *  @param         exprs    the expressions, none of them a scalar
 *  @param         count    number of @p outputs and @p exprs, at least 1
 *  @param         stream   stream to work in; NULL for the current one of the arrays' device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OVERLAP, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_COMPILE,
 *          GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_DRIVER,
 *          GPUARR_ERR_FORKED, GPUARR_ERR_UNSUPPORTED
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_evaluate(gpuarr_array** outputs, const gpuarr_expr* const* exprs,
                                         int32_t count, gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell which kernels expressions become: for each its kind, its shape, the arrays and bytes that
 *  it reads and writes, why each value that it stores is stored, and why a reduction is not one
 *  kernel with what uses it along the same rows; last the bytes in all, and those of one call after
 *  another.
 *  @param[out] out    the text, valid until the calling thread asks again; NULL on failure
 *  @param      exprs  the expressions
 *  @param      count  number of @p exprs, at least 1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_explain(const char** out, const gpuarr_expr* const* exprs,
                                             int32_t count);

#ifdef __cplusplus
}
#endif
#endif
