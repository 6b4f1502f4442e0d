/** @file gpuarr/reduction.h  Reduction kernels: map every element, combine the results,
 *  post-process. */
#ifndef GPUARR_REDUCTION_H
#define GPUARR_REDUCTION_H

#include "gpuarr/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A reduction kernel, reference-counted, immutable. It is compiled just in time, when it is first
 *  called with a combination of dtypes and layouts on any device, and kept in the cache. */
typedef struct gpuarr_reduction gpuarr_reduction;

/** Value of axis_count to reduce along all axes, to one result. A NULL list of length 0 means the
 *  same. */
#define GPUARR_ALL_AXES (-1)

/** Create a reduction kernel: post(reduce(map(x0), map(x1), ...)).
 *
 *  Parameter lists are as in gpuarr_elementwise_create, except that only inputs may be raw and that
 *  no name may be in both lists. The three texts use these names:
 *
 *  map     an expression that is evaluated for each element. It sees the inputs; _J, the element's
 *          index in C order along the reduced axes; i, its index in C order of the inputs' common
 *          shape; _j, its index with the reduced axes first; _in_ind.get()[d], its index along axis
 *          d.
 *  reduce  an expression of a and b, two partial results. It must be associative, and, unless the
 *          options say otherwise (gpuarr_kernel_options_set_commutative), commutative.
 *  post    statements, or an expression, that set the outputs from a, the reduced value. They see
 *          i, the result's index in C order, and _out_ind.get()[d]. A given output holds its old
 *          value until it is set. "" sets a single output to a.
 *
 *  All three, and the identity, see scalars, raw inputs, n (also _in_ind.size()), the total number
 *  of elements, and _out_ind.size(), the number of results; so a mean's post is "y = a /
 *  (_in_ind.size() / _out_ind.size())". The name i and names that begin with _ are reserved; a
 *  parameter called n hides the built-in n. In reduce and post, a and b hide parameters of these
 *  names; no output can be called a.
 *
 *  Partial results have the reduce type: the first output's type, float32 if that is float16 or
 *  bfloat16, or the type set by gpuarr_kernel_options_set_reduce_type. The identity enters each
 *  result once, before the first element; without one, a result consists of its elements alone.
 *
 *  Results are reproducible: how elements are grouped depends on shapes, layouts and the device
 *  only, so the same call on the same device gives the same bits, on the CPU with any number of
 *  threads. Semantics and grammar follow CuPy's ReductionKernel
 *  (https://docs.cupy.dev/en/stable/user_guide/kernel.html); docs/cupy.md lists what differs.
 *
 *  @param[out] out         the kernel, owned by the caller; NULL on failure
 *  @param      in_params   parameter list of the inputs, at least one of them not raw
 *  @param      out_params  parameter list of the outputs, at least one
 *  @param      map         CUDA C++ expression, copied
 *  @param      reduce      CUDA C++ expression, copied
 *  @param      post        CUDA C++ statements, copied
 *  @param      identity    CUDA C++ expression that converts to the reduce type, copied; NULL for
 *                          none, in which case a reduction of no elements fails
 *  @param      options     build options; NULL for none. loop_prep and after_loop must not be set.
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX, GPUARR_ERR_TYPE. The texts are first
 *          compiled when the kernel is called.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_reduction_create(
    gpuarr_reduction** out, const char* in_params, const char* out_params, const char* map,
    const char* reduce, const char* post, const char* GPUARR_NULLABLE identity,
    const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Take another reference.
 *  @return @p kernel
 *  @threadsafe */
GPUARR_API gpuarr_reduction* gpuarr_reduction_retain(gpuarr_reduction* GPUARR_NULLABLE kernel);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_reduction_release(gpuarr_reduction* GPUARR_NULLABLE kernel);

/** Reduce arrays.
 *
 *  Inputs that are arrays and not raw broadcast together by NumPy's rules; the axes are those of
 *  their common shape. Results have that shape without the reduced axes, or with extent 1 there.
 *  Types are as in gpuarr_elementwise_call. Missing outputs are created, in the memory order of the
 *  inputs; given ones must have exactly the results' shape. If there are no results, nothing is
 *  launched; if there are results but no elements to reduce, they are post(identity).
 *
 *  Where several blocks share a result, as for few results of many elements, they combine it in
 *  temporary memory from the pool; while gpuarr_stream_begin_capture captures the stream, in memory
 *  of the graph. In a stream that is captured with the driver's own functions that is not possible
 *  (GPUARR_ERR_UNSUPPORTED): capture a call prepared by gpuarr_reduction_prepare.
 *
 *  @param         kernel        the kernel
 *  @param[in,out] outputs       an array for each output parameter; an entry that is NULL is
 *                               created and owned by the caller; on failure it stays NULL
 *  @param         output_count  number of output parameters
 *  @param         inputs        an array or scalar for each input parameter
 *  @param         input_count   number of input parameters
 *  @param         axes          axes to reduce along, from 0, or from the last as -1; NULL with an
 *                               @p axis_count of 0 for all
 *  @param         axis_count    number of @p axes; 0 with @p axes not NULL reduces along none, so
 *                               that each element is a result; GPUARR_ALL_AXES reduces along all
 *                               and ignores @p axes
 *  @param         keepdims      1 to keep reduced axes, with extent 1; 0 to drop them
 *  @param         stream        stream to work in; NULL for the current one of the arrays' device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (counts, NULL, keepdims), GPUARR_ERR_AXIS,
 *          GPUARR_ERR_EMPTY (no elements and no identity), GPUARR_ERR_SHAPE (also: more blocks of
 *          threads than a GPU can start, 2^31 - 1), GPUARR_ERR_OVERLAP (an output shares memory
 *          with an array of the call), GPUARR_ERR_DTYPE, GPUARR_ERR_TYPE, GPUARR_ERR_BROADCAST,
 *          GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER,
 *          GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED,
 *          GPUARR_ERR_UNSUPPORTED (also: arrays of too many axes)
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_reduction_call(gpuarr_reduction* kernel, gpuarr_array** outputs,
                                               int32_t output_count, const gpuarr_arg* inputs,
                                               int32_t input_count,
                                               const int32_t* GPUARR_NULLABLE axes,
                                               int32_t axis_count, int32_t keepdims,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Prepare a call: check its arguments, compile its kernel, and keep both for many launches, one
 *  after another. The call has temporary memory of its own, so that it can be captured into a CUDA
 *  graph, which may run as long as the call lives. Prepare it before the capture begins.
 *  @param[out] out  the call, owned by the caller; NULL on failure
 *  Other parameters and errors as gpuarr_reduction_call, except that outputs must be given.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_reduction_prepare(gpuarr_call** out, gpuarr_reduction* kernel,
                                                  gpuarr_array* const* outputs,
                                                  int32_t output_count, const gpuarr_arg* inputs,
                                                  int32_t input_count,
                                                  const int32_t* GPUARR_NULLABLE axes,
                                                  int32_t axis_count, int32_t keepdims);

/** Get the source that would be compiled for a call, without running it.
 *  @param[out] out  the source, NUL-terminated, valid until this thread's next call of this
 *                   function; NULL on failure
 *  Other parameters and errors as gpuarr_reduction_call; outputs that are NULL stay NULL.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_reduction_source(const char** out, gpuarr_reduction* kernel,
                                                 gpuarr_array* const* outputs, int32_t output_count,
                                                 const gpuarr_arg* inputs, int32_t input_count,
                                                 const int32_t* GPUARR_NULLABLE axes,
                                                 int32_t axis_count, int32_t keepdims);

#ifdef __cplusplus
}
#endif
#endif
