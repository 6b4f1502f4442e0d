/** @file gpuarr/raw.h  Raw kernels: user-written __global__ functions, launched with checked
 *  arguments. */
#ifndef GPUARR_RAW_H
#define GPUARR_RAW_H

#include "gpuarr/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Attributes of a kernel; those marked as settable can be set.
 *
 *  A value that is set applies on every device to the following launches of this gpuarr_raw; calls
 *  that were prepared before keep their COOPERATIVE and CLUSTER_... values. On a GPU the driver
 *  stores the other attributes with the kernel: there they apply to all objects that
 *  gpuarr_module_kernel created for it. Attributes without a meaning on the CPU device are 0 there,
 *  and setting them has no effect. */
typedef int32_t gpuarr_attribute;

enum {
  GPUARR_ATTRIBUTE_MAX_THREADS = 1,    /**< maximum number of threads of a block */
  GPUARR_ATTRIBUTE_SHARED_BYTES = 2,   /**< static shared memory of a block; 0 on the CPU */
  GPUARR_ATTRIBUTE_CONSTANT_BYTES = 3, /**< constant memory; 0 on the CPU */
  GPUARR_ATTRIBUTE_LOCAL_BYTES = 4,    /**< local memory of a thread; 0 on the CPU */
  GPUARR_ATTRIBUTE_REGISTERS = 5,      /**< registers of a thread; 0 on the CPU */
  GPUARR_ATTRIBUTE_PTX_VERSION = 6,    /**< 90 for 9.0; 0 on the CPU */
  GPUARR_ATTRIBUTE_BINARY_VERSION = 7, /**< 90 for sm_90; 0 on the CPU */
  GPUARR_ATTRIBUTE_CACHE_CA = 8,       /**< 1 if it was compiled with -Xptxas -dlcm=ca */

  /** Maximum dynamic shared memory of a block, in bytes. A launch that asks for more raises it, up
   *  to the device's limit; set it for what gpuarr_raw_occupancy computes. Settable. */
  GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES = 9,
  /** Percentage of the on-chip memory to use as shared memory, -1 for the driver's choice.
   *  Settable. */
  GPUARR_ATTRIBUTE_SHARED_CARVEOUT = 10,
  GPUARR_ATTRIBUTE_CLUSTER_MUST_BE_SET = 11, /**< 1 if it can only be launched in clusters */
  GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_X = 12,  /**< from __cluster_dims__; 0 for none */
  GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_Y = 13,
  GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_Z = 14,
  GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER = 15, /**< 1: more than 8 blocks in a cluster. Settable. */
  GPUARR_ATTRIBUTE_CLUSTER_POLICY = 16, /**< 0 default, 1 spread, 2 load balancing. Settable. */

  /** 1: a cooperative launch, in which all blocks run at the same time and may wait for each other.
   *  Settable. */
  GPUARR_ATTRIBUTE_COOPERATIVE = 17,
  GPUARR_ATTRIBUTE_CLUSTER_X = 18, /**< blocks of a cluster at launch; 0 for none. Settable. */
  GPUARR_ATTRIBUTE_CLUSTER_Y = 19,
  GPUARR_ATTRIBUTE_CLUSTER_Z = 20
};

/** Create a raw kernel from its text: a module, and its kernel.
 *  @param[out] out      the kernel, owned by the caller; NULL on failure
 *  @param      source   CUDA C++, copied; see gpuarr_module_create
 *  @param      name     the kernel's name or template expression; see gpuarr_module_kernel
 *  @param      params   the kernel's parameters, or NULL; see gpuarr_module_kernel
 *  @param      options  build options; NULL for none
 *  @return as gpuarr_module_create and gpuarr_module_kernel
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_create(gpuarr_raw** out, const char* source, const char* name,
                                           const char* GPUARR_NULLABLE params,
                                           const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Take another reference.
 *  @return @p kernel, owned by the caller once more
 *  @threadsafe */
GPUARR_API gpuarr_raw* gpuarr_raw_retain(gpuarr_raw* GPUARR_NULLABLE kernel);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_raw_release(gpuarr_raw* GPUARR_NULLABLE kernel);

/** Launch a kernel.
 *
 *  Arguments are arrays (a pointer to the element with all indices 0), arrays as gpuarr_view,
 *  scalars, structs by value, pointers: see gpuarr/arg.h. Their number and sizes are checked
 *  against the compiled kernel. Their types are checked too, as far as they are known from the
 *  kernel's text, its C++ symbol or declared parameters: a pointer's elements must be of the
 *  array's kind and size (void and char accept any), and a number must be of the parameter's kind
 *  and size (an integer that fits may differ in signedness). Nothing is converted.
 *
 *  A grid with a 0 launches nothing and succeeds. Shared memory above 48 KiB needs no opt-in. The
 *  arrays are kept alive until the launch is done. On the CPU device the launch is complete when
 *  the call returns, and the call returns the error of a failed check or assert(); on a GPU a later
 *  call reports a fault (GPUARR_ERR_FAULT, GPUARR_ERR_ASSERT), unless checks are on, which wait for
 *  each launch.
 *
 *  @param  kernel        the kernel
 *  @param  grid          blocks along x, y, z: three numbers
 *  @param  block         threads of a block along x, y, z: three numbers
 *  @param  shared_bytes  dynamic shared memory of a block
 *  @param  args          an argument for each parameter
 *  @param  arg_count     their number; @p args may be NULL when it is 0
 *  @param  stream        stream to work in; NULL for the current one of the arrays' device, or of
 *                        the default device if there is no array
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (counts, sizes, grid, block, shared memory, attributes),
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE (an array elsewhere), what gpuarr_module_build
 *          returns, GPUARR_ERR_NOT_FOUND (no such kernel; the message lists the module's kernels),
 *          GPUARR_ERR_UNSUPPORTED (clusters on a device without them; a struct after other
 *          arguments with a driver older than CUDA 12.4, which does not tell its offset),
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_FAULT, GPUARR_ERR_ASSERT, GPUARR_ERR_RACE,
 *          GPUARR_ERR_SYNC
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_raw_launch(gpuarr_raw* kernel, const int64_t* grid,
                                           const int64_t* block, int64_t shared_bytes,
                                           const gpuarr_arg* GPUARR_NULLABLE args,
                                           int32_t arg_count,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Launch at least one thread for each of n elements, along x: the block size is that of best
 *  occupancy, and the grid follows from it. Threads beyond the last element must return.
 *  @param  kernel     the kernel
 *  @param  n          number of elements; 0 launches nothing
 *  @param  args       an argument for each parameter
 *  @param  arg_count  their number; @p args may be NULL when it is 0
 *  @param  stream     stream to work in, as for gpuarr_raw_launch
 *  @return as gpuarr_raw_launch
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_raw_launch_1d(gpuarr_raw* kernel, int64_t n,
                                              const gpuarr_arg* GPUARR_NULLABLE args,
                                              int32_t arg_count,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

/** Prepare a launch: check its arguments, compile its kernel, and keep both for many launches.
 *  @param[out] out           the call, owned by the caller; it keeps the kernel and the arrays
 *                            alive; NULL on failure. gpuarr_call_set_scalar counts the kernel's
 *                            parameters as inputs.
 *  @param      kernel        the kernel
 *  @param      grid          blocks along x, y, z: three numbers
 *  @param      block         threads of a block along x, y, z: three numbers
 *  @param      shared_bytes  dynamic shared memory of a block
 *  @param      args          an argument for each parameter; structs are copied
 *  @param      arg_count     their number; @p args may be NULL when it is 0
 *  @param      device        the device; NULL for that of the arrays, or the default one if there
 *                            is no array
 *  @return what gpuarr_raw_launch returns, except for errors of a running kernel
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_prepare(gpuarr_call** out, gpuarr_raw* kernel,
                                            const int64_t* grid, const int64_t* block,
                                            int64_t shared_bytes,
                                            const gpuarr_arg* GPUARR_NULLABLE args,
                                            int32_t arg_count,
                                            gpuarr_device* GPUARR_NULLABLE device);

/** Get what is known of a kernel's parameters.
 *  @param[out] out     "saxpy(float a, const float* x, float* y, int n)"; a parameter of which only
 *                      the size is known is "24 bytes"; "saxpy(...)" if nothing is known; valid
 *                      until this thread's next call of this function; NULL on failure
 *  @param      kernel  the kernel
 *  @param      device  the device; NULL for the default one
 *  @return what gpuarr_module_build returns, GPUARR_ERR_NOT_FOUND, GPUARR_ERR_ARGUMENT (not the
 *          declared number of parameters, or attributes that the device does not have)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_signature(const char** out, gpuarr_raw* kernel,
                                              gpuarr_device* GPUARR_NULLABLE device);

/** Read an attribute of a kernel.
 *  @param[out] out        the value; 0 on failure
 *  @param      kernel     the kernel
 *  @param      attribute  GPUARR_ATTRIBUTE_...
 *  @param      device     the device; NULL for the default one
 *  @return what gpuarr_raw_signature returns, GPUARR_ERR_ARGUMENT for an unknown attribute,
 *          GPUARR_ERR_UNSUPPORTED if the driver does not know it
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_attribute(int64_t* out, gpuarr_raw* kernel,
                                              gpuarr_attribute attribute,
                                              gpuarr_device* GPUARR_NULLABLE device);

/** Set an attribute of a kernel for the following launches.
 *  @param  kernel     the kernel
 *  @param  attribute  a settable GPUARR_ATTRIBUTE_...
 *  @param  value      the value
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT. A device that does not support the value fails the next
 *          call for it, such as a launch, with GPUARR_ERR_UNSUPPORTED or GPUARR_ERR_ARGUMENT.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_set_attribute(gpuarr_raw* kernel, gpuarr_attribute attribute,
                                                  int64_t value);

/** Compute the occupancy: how many blocks of a size run at the same time on a multiprocessor.
 *  @param[out] out           the number; 0 on failure
 *  @param      kernel        the kernel
 *  @param      threads       threads of a block
 *  @param      shared_bytes  dynamic shared memory of a block
 *  @param      device        the device; NULL for the default one
 *  @return what gpuarr_raw_signature returns, GPUARR_ERR_ARGUMENT (threads, shared memory)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_occupancy(int32_t* out, gpuarr_raw* kernel, int32_t threads,
                                              int64_t shared_bytes,
                                              gpuarr_device* GPUARR_NULLABLE device);

/** Compute the number of threads of a block that gives the best occupancy.
 *  @param[out] out           the number; 0 on failure
 *  @param      kernel        the kernel
 *  @param      shared_bytes  dynamic shared memory of a block
 *  @param      device        the device; NULL for the default one
 *  @return what gpuarr_raw_signature returns, GPUARR_ERR_ARGUMENT (shared memory)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_best_block(int32_t* out, gpuarr_raw* kernel,
                                               int64_t shared_bytes,
                                               gpuarr_device* GPUARR_NULLABLE device);

#ifdef __cplusplus
}
#endif
#endif
