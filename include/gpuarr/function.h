/** @file gpuarr/function.h  Functions: expressions of inputs, made once and called with arrays.
 *
 *  Where gpuarr_evaluate takes an expression of arrays, a function takes the arrays when it is
 *  called, as CuPy's fuse does. It is planned for each combination of dtypes, shapes and strides
 *  that it is called with; later calls with such arrays look the plan up.
 *
 *      gpuarr_expr *x, *e, *m;
 *      gpuarr_expr_input(&x, 0);
 *      gpuarr_expr_apply(&e, 1, "exp", (const gpuarr_expr* const*)&x, 1);
 *      gpuarr_expr_reduce(&m, "mean", e, NULL, 0, 0, 0.0);
 *      gpuarr_function* mean_of_exp;
 *      gpuarr_function_create(&mean_of_exp, (const gpuarr_expr* const*)&m, 1);
 *      gpuarr_arg inputs[] = {gpuarr_arg_array(a)};
 *      gpuarr_function_call(mean_of_exp, &result, 1, inputs, 1, NULL);
 *
 *  An expression that has inputs has no dtype and no shape (gpuarr_expr_dtype and gpuarr_expr_ndim
 *  give 0), and what is wrong with dtypes, shapes and axes is found when the function is called. */
#ifndef GPUARR_FUNCTION_H
#define GPUARR_FUNCTION_H

#include "gpuarr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A function, reference-counted, immutable. */
typedef struct gpuarr_function gpuarr_function;

/** Make an expression of a function's input, which an array or a scalar will stand for.
 *  @param[out] out     the expression, owned by the caller; NULL on failure
 *  @param      number  which input: from 0 to 1023
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_input(gpuarr_expr** out, int32_t number);

/** Create a function of expressions. It has as many inputs as the largest number of one says; it
 *  need not use all. Arrays in the expressions are kept alive, and count as they are when it is
 *  called.
 *  @param[out] out    the function, owned by the caller; NULL on failure
 *  @param      exprs  an expression for each output
 *  @param      count  number of @p exprs, at least 1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_function_create(gpuarr_function** out,
                                                const gpuarr_expr* const* exprs, int32_t count);

/** Take another reference.
 *  @return @p function
 *  @threadsafe */
GPUARR_API gpuarr_function* gpuarr_function_retain(gpuarr_function* GPUARR_NULLABLE function);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_function_release(gpuarr_function* GPUARR_NULLABLE function);

/** Number of inputs.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_function_input_count(const gpuarr_function* function);

/** Number of outputs.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_function_output_count(const gpuarr_function* function);

/** Compute a function's outputs, as gpuarr_evaluate computes expressions.
 *  @param         function      the function
 *  @param[in,out] outputs       as in gpuarr_evaluate
 *  @param         output_count  gpuarr_function_output_count()
 *  @param         inputs        an array or a scalar for each input; a scalar is weak, as in
 *                               gpuarr_add
 *  @param         input_count   gpuarr_function_input_count()
 *  @param         stream        stream to work in; NULL for the current one of the arrays' device
 *  @return what gpuarr_evaluate and the functions that make expressions return
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_function_call(const gpuarr_function* function,
                                              gpuarr_array** outputs, int32_t output_count,
                                              const gpuarr_arg* GPUARR_NULLABLE inputs,
                                              int32_t input_count,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

/** Prepare a call: check its arguments, compile its kernels, get memory for what they store on the
 *  way, and keep it all for many launches by gpuarr_call_launch, also in a stream that is captured.
 *  Where there are several kernels, one launch at a time.
 *  @param[out] out  the call, owned by the caller; NULL on failure. gpuarr_call_set_scalar counts
 *                   the function's inputs; one whose value chose a kernel, as the 2 of x**2, cannot
 *                   be set
 *  Other parameters and errors as gpuarr_function_call, except that outputs must be given, each a
 *  value of its own, and that one of several kernels shares no memory with inputs
 *  (GPUARR_ERR_OVERLAP). Scans and matrix products cannot be prepared (GPUARR_ERR_UNSUPPORTED).
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_function_prepare(gpuarr_call** out, const gpuarr_function* function,
                                                 gpuarr_array* const* outputs, int32_t output_count,
                                                 const gpuarr_arg* GPUARR_NULLABLE inputs,
                                                 int32_t input_count);

/** Tell which kernels a call becomes, as gpuarr_expr_explain does.
 *  @param[out] out          the text, valid until the calling thread asks again; NULL on failure
 *  @param      function     the function
 *  @param      inputs       an array or a scalar for each input
 *  @param      input_count  gpuarr_function_input_count()
 *  @return GPUARR_OK, and what the functions that make expressions return
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_function_explain(const char** out, const gpuarr_function* function,
                                                 const gpuarr_arg* GPUARR_NULLABLE inputs,
                                                 int32_t input_count);

#ifdef __cplusplus
}
#endif
#endif
