/** @file gpuarr/gufunc.h  Generalized universal functions: a body of CUDA C++ that runs for each
 *  place of the outer dimensions, and sees a small array of each operand there, its core. */
#ifndef GPUARR_GUFUNC_H
#define GPUARR_GUFUNC_H

#include "gpuarr/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A gufunc, reference-counted, immutable. It is compiled just in time, when it is first called
 *  with a combination of dtypes, layouts and small core sizes on any device, and kept in the
 *  cache. */
typedef struct gpuarr_gufunc gpuarr_gufunc;

/** Who runs the body for a place. */
enum {
  GPUARR_GROUP_AUTO = 0,   /**< a thread, or what suits the cores' size if the body names `group` */
  GPUARR_GROUP_THREAD = 1, /**< one thread */
  GPUARR_GROUP_WARP = 32,  /**< 32 threads in step */
  GPUARR_GROUP_BLOCK = -1  /**< a block of threads, as many as suit the largest core */
};

/** Create a gufunc.
 *
 *  The signature is NumPy's
 *  (https://numpy.org/doc/stable/reference/c-api/generalized-ufuncs.html): a core for each input
 *  and output, as in "(m,k),(k,n)->(m,n)", "(n)->()" or "(3),(3)->(3)". A dimension is a name, or
 *  an integer that fixes its size; one with "?" behind it, as in matmul's "(m?,k),(k,n?)->(m?,n?)",
 *  may be missing: then it is for all operands, has size 1 in the body, and no axis in the outputs.
 *  A name stands for one size: within a core nothing broadcasts. The other axes of the arrays, the
 *  outer ones, broadcast together by NumPy's rules.
 *
 *  Parameter lists are those of gpuarr_elementwise_create, without "raw": "float32 x, T y" names
 *  the signature's inputs in order. Cores are the last axes with GPUARR_ORDER_C, and the first ones
 *  with GPUARR_ORDER_F, where outer axes broadcast from the first one on, as in Fortran and Julia;
 *  in both the core's first axis is the signature's first dimension.
 *
 *  In the body an operand is what it is for a place: with core () the element, as in an elementwise
 *  kernel; else a view: x(i, j) is an element, x[k] element k in C order, and x.shape()[d],
 *  x.size(), x.strides()[d] describe it. Outputs are written in place; one that is created holds
 *  nothing yet. Named dimensions are constants of type long long under their names. `continue` and
 *  `return` end the work on a place.
 *
 *  If the body names `group`, that is who runs it: group.rank() of group.size() threads,
 *  group.sync(), their barrier, and group.sum(x) and group.reduce(x, op) for all of them. One
 *  thread is a group too, so the same body suits all. For warps and blocks the body is the text of
 *  a raw kernel, with __shared__ variables, __syncthreads() and warp operations; outputs with core
 *  () get what thread 0 has in them.
 *
 *  @param[out] out         the gufunc, owned by the caller; NULL on failure
 *  @param      signature   cores of the inputs and outputs
 *  @param      in_params   parameter list of the inputs; "" for none
 *  @param      out_params  parameter list of the outputs; "" for none
 *  @param      body        CUDA C++ statements, copied
 *  @param      group       GPUARR_GROUP_..., or the threads of a block: a multiple of 32 from 64 to
 *                          1024
 *  @param      order       GPUARR_ORDER_C or GPUARR_ORDER_F: where cores are
 *  @param      options     build options; NULL for none. loop_prep and after_loop have no meaning
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX, GPUARR_ERR_TYPE. The body is first
 *          compiled when the gufunc is called.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_gufunc_create(gpuarr_gufunc** out, const char* signature,
                                              const char* in_params, const char* out_params,
                                              const char* body, int32_t group, int32_t order,
                                              const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Take another reference.
 *  @return @p gufunc
 *  @threadsafe */
GPUARR_API gpuarr_gufunc* gpuarr_gufunc_retain(gpuarr_gufunc* GPUARR_NULLABLE gufunc);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_gufunc_release(gpuarr_gufunc* GPUARR_NULLABLE gufunc);

/** Run a gufunc over arrays.
 *
 *  Arrays must have their parameter's type: none is converted. An input with core () may be a
 *  scalar, which is converted if the type can hold it. Given outputs must have exactly the loop's
 *  outer shape and their core's. Missing outputs are created, with their cores' elements together
 *  and the outer axes in the memory order of the inputs; an output whose core has a name that no
 *  input has must be given. Outputs may overlap inputs: the result is as if they did not. A loop
 *  over no places launches nothing; a core may be empty.
 *
 *  @param         gufunc        the gufunc
 *  @param[in,out] outputs       an array for each output parameter; an entry that is NULL is
 *                               created and owned by the caller; on failure it stays NULL
 *  @param         output_count  number of output parameters; @p outputs may be NULL when it is 0
 *  @param         inputs        an array or scalar for each input parameter
 *  @param         input_count   number of input parameters; @p inputs may be NULL when it is 0
 *  @param         stream        stream to work in; NULL for the current one of the arrays' device,
 *                               or of the default device if there is no array
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (counts, NULL), GPUARR_ERR_DTYPE, GPUARR_ERR_TYPE,
 *          GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD,
 *          GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED, and on the CPU
 *          GPUARR_ERR_ASSERT, GPUARR_ERR_FAULT, GPUARR_ERR_RACE, GPUARR_ERR_SYNC (with checks, of
 *          warps and blocks)
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_gufunc_call(gpuarr_gufunc* gufunc,
                                            gpuarr_array** GPUARR_NULLABLE outputs,
                                            int32_t output_count,
                                            const gpuarr_arg* GPUARR_NULLABLE inputs,
                                            int32_t input_count,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Prepare a call: check its arguments, compile its kernel, and keep both for many launches.
 *  @param[out] out  the call, owned by the caller; NULL on failure
 *  Other parameters and errors as gpuarr_gufunc_call, except that outputs must be given, and that
 *  an output may share memory with an input only where both have core () and the same address and
 *  strides, and one thread runs the body (GPUARR_ERR_OVERLAP).
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_gufunc_prepare(gpuarr_call** out, gpuarr_gufunc* gufunc,
                                               gpuarr_array* const* GPUARR_NULLABLE outputs,
                                               int32_t output_count,
                                               const gpuarr_arg* GPUARR_NULLABLE inputs,
                                               int32_t input_count);

/** Get the source that would be compiled for a call, without running it.
 *  @param[out] out  the source, NUL-terminated, valid until this thread's next call of this
 *                   function; NULL on failure
 *  Other parameters and errors as gpuarr_gufunc_call; outputs that are NULL stay NULL.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_gufunc_source(const char** out, gpuarr_gufunc* gufunc,
                                              gpuarr_array* const* GPUARR_NULLABLE outputs,
                                              int32_t output_count,
                                              const gpuarr_arg* GPUARR_NULLABLE inputs,
                                              int32_t input_count);

#ifdef __cplusplus
}
#endif
#endif
