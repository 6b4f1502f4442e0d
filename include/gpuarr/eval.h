/** @file gpuarr/eval.h  Expressions as text: "sqrt(mean((x - y)**2, axis=1))".
 *
 *  The text is computed as gpuarr_evaluate computes an expression: in as few passes over memory as
 *  can be. It is Python with NumPy's functions, of which it has:
 *
 *      text        statements, with ; or the end of a line in between; # begins a comment
 *      statement   names = values, for what follows; the last one has no names: its values, with
 *                  commas in between, are the results
 *      value       x + y  x - y  x * y  x / y  x // y  x % y  x ** y  x @ y  -x  +x
 *                  x < y  x <= y  x > y  x >= y  x == y  x != y     not chained
 *                  x & y  x | y  ~x  x << y  x >> y                 of integers and bools
 *                  f(x, ...)  x[...]  x.T  (x)  a name  a number
 *      number      1  0xff  1_000  2.5  1e-3  1j  True  False  pi  e  inf  nan
 *      function    each of gpuarr_apply, and NumPy's other names for them (asin, absolute ...)
 *                  clip(x, low=None, high=None)  round(x, decimals=0)
 *                  sum, prod, min, max, argmin, argmax, any, all, count_nonzero, mean, nansum,
 *                  nanmin, nanmax, logsumexp (x, axis=None, keepdims=False)
 *                  var, std (x, axis=None, keepdims=False, ddof=0)
 *                  cumsum, cumprod, cummin, cummax (x, axis, exclusive=False), whose axis may
 *                  be left out where x has one
 *                  indices(x, axis), each element's index along it; likewise
 *                  norm(x, ord=2, axis=None, keepdims=False), ord 1, 2 or inf
 *                  matmul(x, y)
 *                  astype(x, float32)  transpose(x, axes=None)  reshape(x, shape)
 *                  flip(x, axis=None)
 *      axis        a number, a tuple of numbers as (0, -1), None for all, () for none
 *      index       a number, start:stop:step, ... and None, as in x[1:-1, ..., 0, None]
 *
 *  Operators bind as Python's do: ** before a sign on its left and from the right, & before |,
 *  comparisons last. divmod, frexp and modf have two results: q, r = divmod(x, y), or
 *  divmod(x, y)[0]. Numbers alone are computed as Python does it, integers in 64 bits. Dtypes are
 *  those of the functions that compute at once: beside arrays numbers count by their kind alone.
 *
 *      d = x - y; sum(d*d, axis=1)                               # distances, squared
 *      m = max(x, axis=1, keepdims=True); y = exp(x - m)
 *      y / sum(y, axis=1, keepdims=True)                         # softmax of rows
 *      (x - mean(x)) / std(x), max(x) - min(x)                   # two results
 *      x[1:] - x[:-1]
 *
 *  A text is parsed once and then known; one with more than 64 KiB is refused. Errors show the line
 *  with a ^ under the place. */
#ifndef GPUARR_EVAL_H
#define GPUARR_EVAL_H

#include "gpuarr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compute an expression from its text.
 *  @param[in,out] out     in: an array for the result, as in gpuarr_evaluate; or NULL, then it is
 *                         created and owned by the caller; on failure it stays NULL
 *  @param         text    the expression, which has one result
 *  @param         names   a name for each argument, as Python has them, none twice; those that the
 *                         text does not use are fine
 *  @param         args    an array or a scalar for each name. Arrays are borrowed for the call. An
 *                         argument called pi or sum hides the constant, but never the function
 *  @param         count   number of @p names and @p args, at most 1024
 *  @param         stream  stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_evaluate, and GPUARR_ERR_SYNTAX; GPUARR_ERR_ARGUMENT (a name without a value,
 *          an unknown function, arguments that it does not have, several results, no array);
 *          GPUARR_ERR_AXIS, GPUARR_ERR_BROADCAST, GPUARR_ERR_EMPTY
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_eval(gpuarr_array** out, const char* text, const char* const* names,
                                     const gpuarr_arg* args, int32_t count,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute several expressions from one text, together, as gpuarr_evaluate does.
 *  @param[in,out] outputs       an entry for each result, as in gpuarr_evaluate
 *  @param         output_count  number of @p outputs; gpuarr_eval_count tells how many results the
 *                               text has
 *  @param         text          the expressions: "sum(x), max(x)"
 *  @param         names         as in gpuarr_eval
 *  @param         args          as in gpuarr_eval
 *  @param         count         as in gpuarr_eval
 *  @param         stream        as in gpuarr_eval
 *  @return as gpuarr_eval
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_eval_all(gpuarr_array** outputs, int32_t output_count,
                                         const char* text, const char* const* names,
                                         const gpuarr_arg* args, int32_t count,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Tell how many results a text has; what its names stand for plays no part.
 *  @param[out] out   the number, at least 1; 0 on failure
 *  @param      text  the text
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX, GPUARR_ERR_DTYPE (a number that has
 *          no dtype), GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_eval_count(int32_t* out, const char* text);

/** Make expressions from a text, for gpuarr_evaluate, gpuarr_expr_explain, or others to be made of
 *  them.
 *  @param[out] outputs       the expressions, owned by the caller; NULL on failure
 *  @param      output_count  number of @p outputs, which is that of the text's results
 *  @param      text          as in gpuarr_eval_all
 *  @param      names         as in gpuarr_eval
 *  @param      args          an array or a scalar for each name; expressions keep arrays alive
 *  @param      count         as in gpuarr_eval
 *  @return GPUARR_OK, and the errors of gpuarr_eval that no computing has
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_expr_parse(gpuarr_expr** outputs, int32_t output_count,
                                           const char* text, const char* const* names,
                                           const gpuarr_arg* args, int32_t count);

#ifdef __cplusplus
}
#endif
#endif
