/** @file gpuarr/kernel.h  What all kernels share: build options, and calls made ready in advance.
 *
 *  Wherever a kernel's text, a part of it or an option is given: it has at most 16 MiB
 *  (GPUARR_ERR_ARGUMENT), at most 256 brackets are open at once, and an expression or a chain of
 *  branches has at most 4096 operators (GPUARR_ERR_SYNTAX). A byte order mark in front is skipped.
 *  Text is code and trusted; SECURITY.md says how $GPUARR_TEXT=closed keeps it from files, where
 *  what it may not have is GPUARR_ERR_UNSUPPORTED.
 */
#ifndef GPUARR_KERNEL_H
#define GPUARR_KERNEL_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a kernel is built. Set what you need, make kernels from it, release it. */
typedef struct gpuarr_kernel_options gpuarr_kernel_options;

/** A call with its arguments, checked and laid out in advance, to be launched many times. It keeps
 *  its kernel and its arrays alive. Reference-counted. */
typedef struct gpuarr_call gpuarr_call;

/** Make options that hold nothing.
 *  @param[out] out  the options, owned by the caller; NULL on failure
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_kernel_options_create(gpuarr_kernel_options** out);

/** Free options. Kernels made from them stay as they are.
 *  @externalsync @p options */
GPUARR_API void gpuarr_kernel_options_release(gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Name the kernel, for messages, profilers and the cache's list. The default is its kind.
 *  @param  options  the options
 *  @param  name     a C identifier, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_name(gpuarr_kernel_options* options,
                                                        const char* name);

/** Set text that stands before the kernel, at file scope: functions, types, constants, includes.
 *  @param  options   the options
 *  @param  preamble  CUDA C++, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_preamble(gpuarr_kernel_options* options,
                                                            const char* preamble);

/** Set statements that run before a thread's first element; what they declare, the body sees. A
 *  thread works on one or more elements, so they may run any number of times.
 *  @param  options     the options
 *  @param  statements  CUDA C++, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_loop_prep(gpuarr_kernel_options* options,
                                                             const char* statements);

/** Set statements that run after a thread's last element, once for each time that the ones before
 *  the first ran.
 *  @param  options     the options
 *  @param  statements  CUDA C++, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_after_loop(gpuarr_kernel_options* options,
                                                              const char* statements);

/** Set the type of a reduction's partial results.
 *  @param  options  the options
 *  @param  type     a dtype's name, a placeholder of the parameter lists, or a type from the
 *                   preamble: trivially copyable, assignable, at most 64 bytes, with a default
 *                   constructor, and made from what map gives; copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_reduce_type(gpuarr_kernel_options* options,
                                                               const char* type);

/** Say whether a reduction's operator is commutative, as most are. One that is not, such as a
 *  product of matrices, is applied to elements in C order along the reduced axes, which is slower.
 *  @param  options      the options
 *  @param  commutative  1, the default, or 0
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_commutative(gpuarr_kernel_options* options,
                                                               int32_t commutative);

/** Add an option of the compiler. -D, -U, -I and -std= mean the same to NVRTC and to the CPU's
 *  compiler; any other is handed to the device's own compiler as it is. No option is added behind
 *  your back that changes arithmetic.
 *  @param  options  the options
 *  @param  option   "-DN=4", copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_add(gpuarr_kernel_options* options,
                                                   const char* option);

/** Name a template's instance that a module is to be compiled with: see gpuarr_module_kernel.
 *  @param  options     the options
 *  @param  expression  "scale<float, 4>", copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_add_kernel(gpuarr_kernel_options* options,
                                                          const char* expression);

/** What is checked while a raw kernel runs. */
enum {
  GPUARR_CHECK_MEMORY = 1, /**< accesses outside of arrays, or to arrays that were released */
  GPUARR_CHECK_RACE = 2,   /**< accesses of several threads without order, one of them a write */
  GPUARR_CHECK_SYNC = 4    /**< barriers that not all threads of a block reach */
};

/** Choose the checks that a module's kernels run with, beside those of $GPUARR_CHECK
 *  ("memory,race,sync").
 *
 *  On the CPU device each access is checked, and what is found is the status of the launch:
 *  GPUARR_ERR_FAULT, GPUARR_ERR_RACE, GPUARR_ERR_SYNC, with array, index, block, thread and line.
 *  An access takes 1 to 25 ns more. It needs g++: with clang++ the module fails to build, with
 *  GPUARR_ERR_UNSUPPORTED. On a GPU each launch is waited for, so that a fault is its status.
 *  @param  options  the options
 *  @param  checks   GPUARR_CHECK_... added up; 0 for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_check(gpuarr_kernel_options* options,
                                                         int32_t checks);

/** Bound the time that a compile may take, in place of $GPUARR_COMPILE_TIMEOUT (300 s unless set).
 *
 *  After that the compiler and all that it started are ended, and the call fails with
 *  GPUARR_ERR_COMPILE, as do those of other threads that wait for the same kernel; the next one
 *  compiles anew. NVRTC works in this process: from CUDA 12.9 on it gives up soon after, an older
 *  one is waited for.
 *  @param  options  the options
 *  @param  seconds  the limit; 0 for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_timeout(gpuarr_kernel_options* options,
                                                           double seconds);

/** Cancel all compiles of this process that are under way: they end as when their time is up. Those
 *  that begin later go on.
 *
 *  Compilers are in process groups of their own, which Ctrl-C at a terminal does not reach: a
 *  program that is to end them with itself calls this in its handler, and waits a moment.
 *  @threadsafe in handlers of signals too */
GPUARR_API void gpuarr_compile_cancel(void);

/** Take another reference.
 *  @return @p call
 *  @threadsafe */
GPUARR_API gpuarr_call* gpuarr_call_retain(gpuarr_call* GPUARR_NULLABLE call);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_call_release(gpuarr_call* GPUARR_NULLABLE call);

/** Launch a prepared call.
 *  @param  call    the call
 *  @param  stream  stream of its device; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER, GPUARR_ERR_FAULT,
 *          GPUARR_ERR_FORKED; of a raw kernel what gpuarr_raw_launch returns
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_call_launch(gpuarr_call* call,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Replace a scalar input of a prepared call.
 *  @param  call   the call
 *  @param  input  which input of the kernel, from 0; it was given as a scalar
 *  @param  value  a scalar that the parameter's type can hold
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DTYPE
 *  @externalsync @p call */
GPUARR_API gpuarr_status gpuarr_call_set_scalar(gpuarr_call* call, int32_t input, gpuarr_arg value);

#ifdef __cplusplus
}
#endif
#endif
