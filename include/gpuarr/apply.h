/** @file gpuarr/apply.h  Elementwise functions by name and with a mask; promotion of dtypes. */
#ifndef GPUARR_APPLY_H
#define GPUARR_APPLY_H

#include "gpuarr/arithmetic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Call a function of arithmetic.h, logic.h, math.h or special.h by its name: "add" is gpuarr_add.
 *
 *  Parameters of type int32_t and double are inputs here too, as scalars: "round" takes x and
 *  decimals, "isclose" x, y, rtol, atol and equal_nan. gpuarr_allclose and gpuarr_array_equal are
 *  not among them.
 *
 *  @param[in,out] outputs       an array for each output; an entry that is NULL is created and
 *                               owned by the caller; on failure it stays NULL
 *  @param         output_count  number of outputs
 *  @param         name          the function
 *  @param         inputs        an array or a scalar for each input
 *  @param         input_count   number of inputs
 *  @param         where         mask of bools that broadcasts with the inputs: outputs, which must
 *                               be given, change where it is true and keep their value elsewhere;
 *                               NULL for everywhere
 *  @param         stream        stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_add, and GPUARR_ERR_ARGUMENT for an unknown name, wrong counts, and a mask
 *          without given outputs
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_apply(gpuarr_array** outputs, int32_t output_count,
                                      const char* name, const gpuarr_arg* inputs,
                                      int32_t input_count,
                                      const gpuarr_array* GPUARR_NULLABLE where,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Number of functions that gpuarr_apply knows.
 *  @return the number
 *  @threadsafe */
GPUARR_API int32_t gpuarr_apply_count(void);

/** Describe a function that gpuarr_apply knows.
 *  @param[out] out_name     its name, static; NULL on failure
 *  @param[out] out_about    what it computes, in one line, static; NULL on failure
 *  @param[out] out_inputs   number of inputs; 0 on failure
 *  @param[out] out_outputs  number of outputs; 0 on failure
 *  @param      index        which: 0 to gpuarr_apply_count() - 1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_apply_describe(const char** out_name, const char** out_about,
                                               int32_t* out_inputs, int32_t* out_outputs,
                                               int32_t index);

/** Get the dtype that arguments are promoted to, by the rules of gpuarr_add.
 *  @param[out] out    the dtype; 0 on failure
 *  @param      args   arrays and scalars
 *  @param      count  their number, at least 1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_result_type(gpuarr_dtype* out, const gpuarr_arg* args,
                                            int32_t count);

#ifdef __cplusplus
}
#endif
#endif
