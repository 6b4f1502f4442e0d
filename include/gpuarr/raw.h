/** @file gpuarr/raw.h  Raw kernels: __global__ functions as you wrote them, launched with arguments
 *  that are checked. */
#ifndef GPUARR_RAW_H
#define GPUARR_RAW_H

#include "gpuarr/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What can be read of a kernel, and set where it says so.
 *
 *  Values that are set hold on every device, for the launches of this gpuarr_raw that follow; a
 *  call that is prepared already keeps COOPERATIVE and CLUSTER_... as they were. To a GPU's driver
 *  the others are the kernel's own: there they hold for all that gpuarr_module_kernel made of it.
 *  What the CPU device has nothing like is 0 there, and can be set to no effect. */
typedef int32_t gpuarr_attribute;

enum {
  GPUARR_ATTRIBUTE_MAX_THREADS = 1,    /**< threads that a block may have at most */
  GPUARR_ATTRIBUTE_SHARED_BYTES = 2,   /**< static shared memory of a block; 0 on the CPU */
  GPUARR_ATTRIBUTE_CONSTANT_BYTES = 3, /**< constant memory; 0 on the CPU */
  GPUARR_ATTRIBUTE_LOCAL_BYTES = 4,    /**< local memory of a thread; 0 on the CPU */
  GPUARR_ATTRIBUTE_REGISTERS = 5,      /**< registers of a thread; 0 on the CPU */
  GPUARR_ATTRIBUTE_PTX_VERSION = 6,    /**< 90 for 9.0; 0 on the CPU */
  GPUARR_ATTRIBUTE_BINARY_VERSION = 7, /**< 90 for sm_90; 0 on the CPU */
  GPUARR_ATTRIBUTE_CACHE_CA = 8,       /**< 1 if it was compiled with -Xptxas -dlcm=ca */

  /** Dynamic shared memory that a block may have at most. A launch that asks for more raises it, as
   *  far as the device goes; set it to hold occupancy figures against. Settable. */
  GPUARR_ATTRIBUTE_MAX_DYNAMIC_SHARED_BYTES = 9,
  /** Per cent of the on-chip memory to be used as shared memory, -1 for the driver's choice.
   *  Settable. */
  GPUARR_ATTRIBUTE_SHARED_CARVEOUT = 10,
  GPUARR_ATTRIBUTE_CLUSTER_MUST_BE_SET = 11, /**< 1 if it can only be launched in clusters */
  GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_X = 12,  /**< from __cluster_dims__; 0 for none */
  GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_Y = 13,
  GPUARR_ATTRIBUTE_REQUIRED_CLUSTER_Z = 14,
  GPUARR_ATTRIBUTE_NON_PORTABLE_CLUSTER = 15, /**< 1: more than 8 blocks in a cluster. Settable. */
  GPUARR_ATTRIBUTE_CLUSTER_POLICY = 16, /**< 0 default, 1 spread, 2 load balancing. Settable. */

  /** 1: all blocks run at the same time and may wait for each other. Settable. */
  GPUARR_ATTRIBUTE_COOPERATIVE = 17,
  GPUARR_ATTRIBUTE_CLUSTER_X = 18, /**< blocks of a cluster at launch; 0 for none. Settable. */
  GPUARR_ATTRIBUTE_CLUSTER_Y = 19,
  GPUARR_ATTRIBUTE_CLUSTER_Z = 20
};

/** Make a raw kernel from text of its own: a module, and the kernel from it.
 *  @param[out] out      the kernel, owned by the caller; NULL on failure
 *  @param      source   CUDA C++, copied; see gpuarr_module_create
 *  @param      name     the kernel's name or template expression; see gpuarr_module_kernel
 *  @param      params   NULL, or what the parameters are; see gpuarr_module_kernel
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
 *  against the compiled kernel; types too, where the kernel's own text, its C++ symbol or declared
 *  parameters tell them: a pointer's elements must be of the array's kind and size (void and char
 *  take any), and a number must be of the parameter's kind and size (an integer that fits may have
 *  the other sign). Nothing is converted.
 *
 *  A grid with a 0 launches nothing and succeeds. Shared memory above 48 KiB is opted in to. The
 *  arrays are kept until the launch is done. On the CPU device the launch is complete when the call
 *  returns, and a failed check or assert() is its status; on a GPU a fault shows at a later call
 *  (GPUARR_ERR_FAULT, GPUARR_ERR_ASSERT), unless checks are on: these wait for each launch.
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
 *          returns, GPUARR_ERR_NOT_FOUND (no such kernel; the message lists those there are),
 *          GPUARR_ERR_UNSUPPORTED (clusters where there are none; a struct behind other arguments
 *          where a driver before CUDA 12.4 does not tell its place), GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_FAULT, GPUARR_ERR_ASSERT, GPUARR_ERR_RACE, GPUARR_ERR_SYNC
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_raw_launch(gpuarr_raw* kernel, const int64_t* grid,
                                           const int64_t* block, int64_t shared_bytes,
                                           const gpuarr_arg* GPUARR_NULLABLE args,
                                           int32_t arg_count,
                                           gpuarr_stream* GPUARR_NULLABLE stream);

/** Launch at least one thread for each of n elements, along x: the block is what occupancy advises,
 *  the grid follows. Threads past the last element have to return.
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

/** Check and lay out a launch, compile what it needs, and keep it for launching many times.
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
 *  @return what gpuarr_raw_launch returns, but for what a kernel does while it runs
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_prepare(gpuarr_call** out, gpuarr_raw* kernel,
                                            const int64_t* grid, const int64_t* block,
                                            int64_t shared_bytes,
                                            const gpuarr_arg* GPUARR_NULLABLE args,
                                            int32_t arg_count,
                                            gpuarr_device* GPUARR_NULLABLE device);

/** Show what is known of a kernel's parameters.
 *  @param[out] out     "saxpy(float a, const float* x, float* y, int n)"; a parameter of which only
 *                      the size is known is "24 bytes", and "saxpy(...)" one of which nothing is;
 *                      valid until this thread's next call of this function; NULL on failure
 *  @param      kernel  the kernel
 *  @param      device  the device; NULL for the default one
 *  @return what gpuarr_module_build returns, GPUARR_ERR_NOT_FOUND, GPUARR_ERR_ARGUMENT (the number
 *          of parameters is not what was declared, or attributes that the device cannot have)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_signature(const char** out, gpuarr_raw* kernel,
                                              gpuarr_device* GPUARR_NULLABLE device);

/** Read an attribute of a kernel.
 *  @param[out] out        the value; 0 on failure
 *  @param      kernel     the kernel
 *  @param      attribute  GPUARR_ATTRIBUTE_...
 *  @param      device     the device; NULL for the default one
 *  @return what gpuarr_raw_signature returns, GPUARR_ERR_ARGUMENT for none of these,
 *          GPUARR_ERR_UNSUPPORTED where the driver does not know it
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_attribute(int64_t* out, gpuarr_raw* kernel,
                                              gpuarr_attribute attribute,
                                              gpuarr_device* GPUARR_NULLABLE device);

/** Set an attribute of a kernel, for the launches that follow.
 *  @param  kernel     the kernel
 *  @param  attribute  GPUARR_ATTRIBUTE_..., one that is settable
 *  @param  value      the value
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT. Whether a device can do it shows at the next call for
 *          it, such as a launch: GPUARR_ERR_UNSUPPORTED, GPUARR_ERR_ARGUMENT.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_raw_set_attribute(gpuarr_raw* kernel, gpuarr_attribute attribute,
                                                  int64_t value);

/** How many blocks of a size a processor of the device runs at the same time.
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

/** How many threads in a block fill the device best.
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
