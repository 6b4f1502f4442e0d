/** @file gpuarr/elementwise.h  Elementwise kernels: a body of CUDA C++ that runs for every
 *  element. */
#ifndef GPUARR_ELEMENTWISE_H
#define GPUARR_ELEMENTWISE_H

#include "gpuarr/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An elementwise kernel, reference-counted, immutable. It is compiled just in time, when it is
 *  first called with a combination of dtypes and layouts on any device, and kept in the cache. */
typedef struct gpuarr_elementwise gpuarr_elementwise;

/** No size: the loop's size comes from the arrays. */
#define GPUARR_NO_SIZE INT64_C(-1)

/** Create an elementwise kernel. Several operations in one body are one kernel and one pass over
 *  memory (kernel fusion).
 *
 *  A parameter list is "TYPE NAME, TYPE NAME, ...", each optionally with "raw" or "const" before
 *  it. A TYPE of one letter is a placeholder: the same letter stands for the same type, which is
 *  taken from given outputs, then from inputs that are arrays, then from scalars. Other types are
 *  bool, int8 ... uint64, float16, bfloat16, float32, float64, complex64, complex128.
 *
 *  In the body each parameter is the current element: inputs are const; outputs are variables that
 *  hold their old value until the body assigns to them. A name in both lists is one variable: it
 *  starts as the input and ends as the output. A raw parameter is the whole array: x[k] is element
 *  k in C order of its indices, x(i, j) the element at indices, and x.size(), x.shape()[d],
 *  x.strides()[d] (in elements) describe it. i is the index of the element in C order of the loop,
 *  n (also _ind.size()) their number, and _ind.get()[d] the index along axis d. `continue` and
 *  `return` end the work on an element. The name i and names that begin with _ are reserved; a
 *  parameter called n hides the built-in n. A scalar for a raw parameter is a plain number.
 *
 *  Elements are processed in any order and in parallel. Semantics and grammar follow CuPy's
 *  ElementwiseKernel (https://docs.cupy.dev/en/stable/user_guide/kernel.html); docs/cupy.md lists
 *  what differs, and what to write instead.
 *
 *  @param[out] out         the kernel, owned by the caller; NULL on failure
 *  @param      in_params   parameter list of the inputs; "" for none
 *  @param      out_params  parameter list of the outputs; "" for none, if an input is raw or the
 *                          body only has side effects
 *  @param      body        CUDA C++ statements, copied
 *  @param      options     build options; NULL for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX, GPUARR_ERR_TYPE. The body is first
 *          compiled when the kernel is called.
 *  @threadsafe */
GPUARR_API gpuarr_status
gpuarr_elementwise_create(gpuarr_elementwise** out, const char* in_params, const char* out_params,
                          const char* body, const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Take another reference.
 *  @return @p kernel
 *  @threadsafe */
GPUARR_API gpuarr_elementwise* gpuarr_elementwise_retain(
    gpuarr_elementwise* GPUARR_NULLABLE kernel);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_elementwise_release(gpuarr_elementwise* GPUARR_NULLABLE kernel);

/** Run a kernel over arrays.
 *
 *  Inputs that are arrays and not raw, and given outputs, broadcast together by NumPy's rules; the
 *  result is the loop's shape, and every given output must have exactly that shape. Arrays must
 *  have their parameter's type: none is converted. Scalars are converted if the type can hold them.
 *  Missing outputs are created, in the memory order of the inputs. An output may share memory with
 *  an input: if both have the same address and strides the kernel works in place, and if they
 *  overlap otherwise the result is as if they did not. Raw arrays are excepted: the body sees what
 *  it wrote. A loop of size 0 launches nothing.
 *
 *  @param         kernel        the kernel
 *  @param[in,out] outputs       an array for each output parameter; an entry that is NULL is
 *                               created and owned by the caller; on failure it stays NULL
 *  @param         output_count  number of output parameters; @p outputs may be NULL when it is 0
 *  @param         inputs        an array or scalar for each input parameter
 *  @param         input_count   number of input parameters; @p inputs may be NULL when it is 0
 *  @param         size          number of elements if all arrays are raw, otherwise GPUARR_NO_SIZE.
 *                               A raw output that is created has this size
 *  @param         stream        stream to work in; NULL for the current one of the arrays' device,
 *                               or of the default device if there is no array
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (counts, NULL, size), GPUARR_ERR_DTYPE, GPUARR_ERR_TYPE,
 *          GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD,
 *          GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED, GPUARR_ERR_ASSERT (on the
 *          CPU; on a GPU a later call reports a failed assert())
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_elementwise_call(gpuarr_elementwise* kernel,
                                                 gpuarr_array** GPUARR_NULLABLE outputs,
                                                 int32_t output_count,
                                                 const gpuarr_arg* GPUARR_NULLABLE inputs,
                                                 int32_t input_count, int64_t size,
                                                 gpuarr_stream* GPUARR_NULLABLE stream);

/** Prepare a call: check its arguments, compile its kernel, and keep both for many launches.
 *  @param[out] out  the call, owned by the caller; NULL on failure
 *  Other parameters and errors as gpuarr_elementwise_call, except that outputs must be given, and
 *  that an output may share memory with an input only at the same address and with the same strides
 *  (GPUARR_ERR_OVERLAP).
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_elementwise_prepare(gpuarr_call** out, gpuarr_elementwise* kernel,
                                                    gpuarr_array* const* GPUARR_NULLABLE outputs,
                                                    int32_t output_count,
                                                    const gpuarr_arg* GPUARR_NULLABLE inputs,
                                                    int32_t input_count, int64_t size);

/** Get the source that would be compiled for a call, without running it.
 *  @param[out] out  the source, NUL-terminated, valid until this thread's next call of this
 *                   function; NULL on failure
 *  Other parameters and errors as gpuarr_elementwise_call; outputs that are NULL stay NULL.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_elementwise_source(const char** out, gpuarr_elementwise* kernel,
                                                   gpuarr_array* const* GPUARR_NULLABLE outputs,
                                                   int32_t output_count,
                                                   const gpuarr_arg* GPUARR_NULLABLE inputs,
                                                   int32_t input_count, int64_t size);

#ifdef __cplusplus
}
#endif
#endif
