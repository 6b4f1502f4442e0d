/** @file gpuarr/module.h  Modules: CUDA C++ with kernels and variables of your own, or its compiled
 *  form. gpuarr/raw.h launches the kernels. */
#ifndef GPUARR_MODULE_H
#define GPUARR_MODULE_H

#include "gpuarr/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** CUDA C++ text, or its compiled form: kernels, device functions, variables. Reference-counted.
 *
 *  Text is compiled for a device when a kernel or variable is first used there, and kept in the
 *  cache; gpuarr_module_build() does it at a time of your choosing. Each module has variables of
 *  its own on each device, which live as long as the module. */
typedef struct gpuarr_module gpuarr_module;

/** A kernel of a module, see gpuarr/raw.h. */
typedef struct gpuarr_raw gpuarr_raw;

/** What gpuarr_module_listing() shows. */
typedef int32_t gpuarr_listing;

enum {
  GPUARR_LISTING_PTX = 1,     /**< PTX; NVIDIA GPUs only */
  GPUARR_LISTING_ASSEMBLY = 2 /**< the processor's own code: SASS, or the CPU's */
};

/** Make a module from CUDA C++.
 *
 *  The text is what NVRTC takes: headers that the toolkit or an -I option has may be included; the
 *  usual ones of C (stdint.h, stdio.h, math.h ...) are known without being there. The CPU device
 *  compiles the same text; inline PTX, textures and launches from kernels are errors there, unless
 *  `#ifndef GPUARR_HOST` leaves them out. `#include <gpuarr.cuh>` brings the names of dtypes
 *  (float16, complex64 ...), gpuarr_view and GPUARR_LOOP(i, n), a loop over 0 ... n-1 in which each
 *  thread takes the share that is best on its device.
 *
 *  @param[out] out      the module, owned by the caller; NULL on failure
 *  @param      source   CUDA C++, copied
 *  @param      options  build options; NULL for none. -std=c++17 unless given.
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no text; options of other kernels, such as loop_prep; a
 *          $GPUARR_CHECK that is no list of checks). The text is first compiled when it is used.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_create(gpuarr_module** out, const char* source,
                                              const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Make a module from a file: CUDA C++, or PTX, cubin or fatbin, told apart by what is in it. Text
 *  may include files beside it.
 *  @param[out] out      the module, owned by the caller; NULL on failure
 *  @param      path     the file, read once, now
 *  @param      options  build options; NULL for none. For what is compiled already, checks only.
 *  @return GPUARR_OK, what gpuarr_module_create returns, GPUARR_ERR_ARGUMENT (options for text that
 *          is compiled already), GPUARR_ERR_IO, GPUARR_ERR_FORMAT (none of these, or cut short)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_open(gpuarr_module** out, const char* path,
                                            const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Make a module from PTX, a cubin or a fatbin in memory. It runs on GPUs only.
 *  @param[out] out    the module, owned by the caller; NULL on failure
 *  @param      image  the bytes, copied; PTX needs no NUL
 *  @param      bytes  their number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no bytes, or a $GPUARR_CHECK that is no list of checks),
 *          GPUARR_ERR_FORMAT if it is none of these or cut short. Whether it fits a GPU shows when
 *          it is used: GPUARR_ERR_LOAD.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_load(gpuarr_module** out, const void* image, int64_t bytes);

/** Take another reference.
 *  @return @p module, owned by the caller once more
 *  @threadsafe */
GPUARR_API gpuarr_module* gpuarr_module_retain(gpuarr_module* GPUARR_NULLABLE module);

/** Drop a reference. Kernels and arrays that came of the module keep it alive.
 *  @threadsafe */
GPUARR_API void gpuarr_module_release(gpuarr_module* GPUARR_NULLABLE module);

/** Compile and load a module for a device now, if that was not done yet.
 *  @param  module  the module
 *  @param  device  the device; NULL for the default one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_COMPILE (the message shows your lines and the
 *          whole log), GPUARR_ERR_NO_COMPILER (on the CPU), GPUARR_ERR_NO_LIBRARY (no NVRTC),
 *          GPUARR_ERR_LOAD (damaged, or for other GPUs or drivers), GPUARR_ERR_UNSUPPORTED (code of
 *          GPUs on the CPU; checks there without g++; a GPU or options that NVRTC makes no code
 *          for), GPUARR_ERR_IO (no place for temporary files), GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FAULT, GPUARR_ERR_FORKED; with a @p device of NULL also
 *          what gpuarr_device_open returns
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_build(gpuarr_module* module,
                                             gpuarr_device* GPUARR_NULLABLE device);

/** Get a kernel of a module.
 *
 *  Of overloaded kernels, GPUs know each by its parameters: "over(float*)". The CPU device has
 *  none.
 *
 *  Templates are asked for as they are written in C++: "scale<float, 4>", "ns::scale<float, 4>".
 *  They have to be known when the module is compiled: ask for them before its first use, or name
 *  them with gpuarr_kernel_options_add_kernel(). A module without variables compiles once more for
 *  one that comes late.
 *
 *  @param[out] out     the kernel, owned by the caller; it keeps the module alive; NULL on failure
 *  @param      module  the module
 *  @param      name    the kernel's name, or a template expression
 *  @param      params  NULL, or what the parameters are, to be checked at each launch: "const
 *                      float* x, float* y, int n", in the types of C++ and the names of dtypes;
 *                      anything else, such as a struct, is checked for its size only
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX (params), GPUARR_ERR_NOT_FOUND if the
 *          module is known to have no such kernel; the message lists those that it has
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_kernel(gpuarr_raw** out, gpuarr_module* module,
                                              const char* name, const char* GPUARR_NULLABLE params);

/** Count the kernels that a module has on a device. Templates count that were asked for before the
 *  module was compiled, which this does if need be.
 *  @param[out] out     the number; 0 on failure
 *  @param      module  the module
 *  @param      device  the device; NULL for the default one
 *  @return as gpuarr_module_build
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_kernel_count(int32_t* out, gpuarr_module* module,
                                                    gpuarr_device* GPUARR_NULLABLE device);

/** Name a kernel that a module has on a device.
 *  @param[out] out     the name, as gpuarr_module_kernel takes it, valid as long as the module;
 *                      NULL on failure
 *  @param      module  the module
 *  @param      index   which of gpuarr_module_kernel_count, from 0
 *  @param      device  the device; NULL for the default one
 *  @return as gpuarr_module_build; GPUARR_ERR_ARGUMENT for an index out of range
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_kernel_name(const char** out, gpuarr_module* module,
                                                   int32_t index,
                                                   gpuarr_device* GPUARR_NULLABLE device);

/** Look at a __device__ or __constant__ variable of a module as an array of one axis.
 *
 *  A variable that the kernels do not use may have been left out by a GPU's compiler. One that is
 *  const cannot be had on the CPU.
 *  @param[out] out     an array over the variable's memory, owned by the caller; it keeps the
 *                      module alive; NULL on failure
 *  @param      module  the module
 *  @param      name    the variable's name, "inner::table" in a namespace
 *  @param      dtype   dtype of its elements, of which the variable's size must be a multiple; 0
 *                      for that of its declaration
 *  @param      device  the device; NULL for the default one
 *  @return GPUARR_OK, what gpuarr_module_build returns, GPUARR_ERR_NOT_FOUND, GPUARR_ERR_DTYPE
 *          (@p dtype is none; it is 0, and the declaration does not tell; the variable's size or
 *          address is no multiple of the dtype's)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_global(gpuarr_array** out, gpuarr_module* module,
                                              const char* name, gpuarr_dtype dtype,
                                              gpuarr_device* GPUARR_NULLABLE device);

/** Show what a module was compiled to.
 *
 *  SASS is written by nvdisasm or cuobjdump of the CUDA toolkit (for PTX, after ptxas), the CPU's
 *  code by objdump.
 *  @param[out] out      the text, NUL-terminated, valid until this thread's next call of this
 *                       function; NULL on failure
 *  @param      module   the module
 *  @param      listing  GPUARR_LISTING_...
 *  @param      device   the device; NULL for the default one
 *  @return GPUARR_OK, what gpuarr_module_build returns, GPUARR_ERR_UNSUPPORTED for PTX of the CPU,
 *          or of a cubin or fatbin that has none; GPUARR_ERR_NO_LIBRARY where the program is
 *          missing, GPUARR_ERR_LOAD (GPU) or GPUARR_ERR_IO (CPU) where it fails
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_listing(const char** out, gpuarr_module* module,
                                               gpuarr_listing listing,
                                               gpuarr_device* GPUARR_NULLABLE device);

#ifdef __cplusplus
}
#endif
#endif
