/** @file gpuarr/kernel.h  What all kernels share: build options, checks, prepared calls.
 *
 *  Limits of a kernel's text, of each part of it and of each option: 16 MiB (GPUARR_ERR_ARGUMENT),
 *  256 nested brackets, and 4096 operators in an expression or a chain of branches
 *  (GPUARR_ERR_SYNTAX). A byte order mark at the beginning is skipped. Text is code and is trusted;
 *  with $GPUARR_TEXT=closed it cannot read files, and what would do so returns
 *  GPUARR_ERR_UNSUPPORTED: see SECURITY.md.
 */
#ifndef GPUARR_KERNEL_H
#define GPUARR_KERNEL_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Build options of kernels. Set what you need, create kernels with them, release them. */
typedef struct gpuarr_kernel_options gpuarr_kernel_options;

/** A prepared call: a kernel and its arguments, checked and compiled in advance, to be launched
 *  many times. It keeps its kernel and its arrays alive. Reference-counted. */
typedef struct gpuarr_call gpuarr_call;

/** Create empty options.
 *  @param[out] out  the options, owned by the caller; NULL on failure
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_kernel_options_create(gpuarr_kernel_options** out);

/** Release options. Kernels that were created with them are not affected.
 *  @externalsync @p options */
GPUARR_API void gpuarr_kernel_options_release(gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Set the kernel's name in messages, profilers and the cache's list. The default is its kind.
 *  @param  options  the options
 *  @param  name     a C identifier, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_name(gpuarr_kernel_options* options,
                                                        const char* name);

/** Set text to insert before the kernel, at file scope: functions, types, constants, includes.
 *  @param  options   the options
 *  @param  preamble  CUDA C++, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_preamble(gpuarr_kernel_options* options,
                                                            const char* preamble);

/** Set statements that run before a thread's first element; the body sees what they declare. A
 *  thread works on one or more elements, so they may run any number of times.
 *  @param  options     the options
 *  @param  statements  CUDA C++, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_loop_prep(gpuarr_kernel_options* options,
                                                             const char* statements);

/** Set statements that run after a thread's last element, as often as those of
 *  gpuarr_kernel_options_set_loop_prep.
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
 *                   constructor, and constructible from the result of map; copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_reduce_type(gpuarr_kernel_options* options,
                                                               const char* type);

/** Set whether a reduction's operator is commutative, as most are. One that is not, such as a
 *  product of matrices, is applied to the elements in C order along the reduced axes, which is
 *  slower.
 *  @param  options      the options
 *  @param  commutative  1, the default, or 0
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_commutative(gpuarr_kernel_options* options,
                                                               int32_t commutative);

/** Add a compiler option. -D, -U, -I and -std= mean the same to NVRTC and to the CPU's compiler;
 *  any other is passed unchanged to the device's own compiler. The library itself adds no option
 *  that changes arithmetic.
 *  @param  options  the options
 *  @param  option   "-DN=4", copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_add(gpuarr_kernel_options* options,
                                                   const char* option);

/** Add a template instance to compile a module with: see gpuarr_module_kernel.
 *  @param  options     the options
 *  @param  expression  "scale<float, 4>", copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_add_kernel(gpuarr_kernel_options* options,
                                                          const char* expression);

/** Checks of raw kernels while they run. */
enum {
  GPUARR_CHECK_MEMORY = 1, /**< accesses outside of arrays or to released arrays */
  GPUARR_CHECK_RACE = 2,   /**< data races: unordered accesses of threads, one a write */
  GPUARR_CHECK_SYNC = 4    /**< barriers that not all threads of a block reach */
};

/** Set the checks that a module's kernels run with, in addition to those of $GPUARR_CHECK
 *  ("memory,race,sync").
 *
 *  On the CPU device each access is checked, and the launch returns the error that is found:
 *  GPUARR_ERR_FAULT, GPUARR_ERR_RACE or GPUARR_ERR_SYNC, with array, index, block, thread and line
 *  in its message. An access takes 1 to 25 ns longer. It needs g++: with clang++ building the
 *  module fails with GPUARR_ERR_UNSUPPORTED. On a GPU each launch waits until it is done, so that
 *  it returns its own faults.
 *  @param  options  the options
 *  @param  checks   the sum of GPUARR_CHECK_... flags; 0 for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_check(gpuarr_kernel_options* options,
                                                         int32_t checks);

/** Limit the time that a compilation may take, instead of $GPUARR_COMPILE_TIMEOUT (300 s unless
 *  set).
 *
 *  After that time the compiler and the processes that it started are killed, and the call fails
 *  with GPUARR_ERR_COMPILE, as do those of other threads that wait for the same kernel; the next
 *  call compiles again. NVRTC runs inside this process: since CUDA 12.9 it stops soon after the
 *  limit; an older one runs to its end.
 *  @param  options  the options
 *  @param  seconds  the limit; 0 for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_kernel_options_set_timeout(gpuarr_kernel_options* options,
                                                           double seconds);

/** Cancel all running compilations of this process: they end as if they had timed out. Compilations
 *  that start later are not affected.
 *
 *  Compilers run in process groups of their own, which Ctrl-C at a terminal does not reach: to end
 *  them together with the program, call this in its signal handler and wait a moment.
 *  @threadsafe and async-signal-safe */
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

/** Set a scalar input of a prepared call.
 *  @param  call   the call
 *  @param  input  index of the input among the kernel's, from 0; it must have been given as a
 *                 scalar
 *  @param  value  a scalar that the parameter's type can hold
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DTYPE
 *  @externalsync @p call */
GPUARR_API gpuarr_status gpuarr_call_set_scalar(gpuarr_call* call, int32_t input, gpuarr_arg value);

#ifdef __cplusplus
}
#endif
#endif
