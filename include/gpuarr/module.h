/** @file gpuarr/module.h  Modules: CUDA C++ with your own kernels and variables, or its compiled
 *  form. gpuarr/raw.h launches the kernels. */
#ifndef GPUARR_MODULE_H
#define GPUARR_MODULE_H

#include "gpuarr/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** CUDA C++ text, or its compiled form: kernels, device functions, variables. Reference-counted.
 *
 *  Text is compiled just in time for a device, when a kernel or variable is first used there, and
 *  kept in the cache; gpuarr_module_build() does it earlier. Each module has its own variables on
 *  each device, which live as long as the module. */
typedef struct gpuarr_module gpuarr_module;

/** A kernel of a module, see gpuarr/raw.h. */
typedef struct gpuarr_raw gpuarr_raw;

/** Listings that gpuarr_module_listing() makes. */
typedef int32_t gpuarr_listing;

enum {
  GPUARR_LISTING_PTX = 1,     /**< PTX; NVIDIA GPUs only */
  GPUARR_LISTING_ASSEMBLY = 2 /**< machine code: SASS, or the CPU's assembly */
};

/** Create a module from CUDA C++.
 *
 *  The text may contain what NVRTC accepts, and include headers of the toolkit or of an -I option;
 *  the common C headers (stdint.h, stdio.h, math.h ...) are built in. The CPU device compiles the
 *  same text; inline PTX, textures and launches from kernels are errors there, unless `#ifndef
 *  GPUARR_HOST` leaves them out. `#include <gpuarr.cuh>` defines the names of dtypes (float16,
 *  complex64 ...), gpuarr_view and GPUARR_LOOP(i, n), a loop over 0 ... n-1 that divides the range
 *  among the threads as suits the device.
 *
 *  @param[out] out      the module, owned by the caller; NULL on failure
 *  @param      source   CUDA C++, copied
 *  @param      options  build options; NULL for none. The default language is -std=c++17
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no text; options of other kernels, such as loop_prep; an
 *          invalid $GPUARR_CHECK). The text is first compiled when it is used.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_create(gpuarr_module** out, const char* source,
                                              const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Create a module from a file: CUDA C++, PTX, a cubin or a fatbin, distinguished by its contents.
 *  Text may include files from its directory.
 *  @param[out] out      the module, owned by the caller; NULL on failure
 *  @param      path     the file, read by this call
 *  @param      options  build options; NULL for none. Compiled code takes only checks
 *  @return GPUARR_OK, what gpuarr_module_create returns, GPUARR_ERR_ARGUMENT (other options for
 *          compiled code), GPUARR_ERR_IO, GPUARR_ERR_FORMAT (none of these, or truncated)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_open(gpuarr_module** out, const char* path,
                                            const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Create a module from PTX, a cubin or a fatbin in memory. It runs on GPUs only.
 *  @param[out] out    the module, owned by the caller; NULL on failure
 *  @param      image  the bytes, copied; PTX needs no NUL
 *  @param      bytes  their number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no bytes, or an invalid $GPUARR_CHECK),
 *          GPUARR_ERR_FORMAT (none of these, or truncated). An image that does not fit a GPU fails
 *          when it is used: GPUARR_ERR_LOAD.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_load(gpuarr_module** out, const void* image, int64_t bytes);

/** Take another reference.
 *  @return @p module, owned by the caller once more
 *  @threadsafe */
GPUARR_API gpuarr_module* gpuarr_module_retain(gpuarr_module* GPUARR_NULLABLE module);

/** Drop a reference. Kernels and arrays of the module keep it alive.
 *  @threadsafe */
GPUARR_API void gpuarr_module_release(gpuarr_module* GPUARR_NULLABLE module);

/** Compile and load a module for a device now, unless that was done before.
 *  @param  module  the module
 *  @param  device  the device; NULL for the default one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_COMPILE (the message shows the text's lines
 *          and the compiler's log), GPUARR_ERR_NO_COMPILER (on the CPU), GPUARR_ERR_NO_LIBRARY (no
 *          NVRTC), GPUARR_ERR_LOAD (damaged, or for other GPUs or drivers), GPUARR_ERR_UNSUPPORTED
 *          (GPU code on the CPU; checks there without g++; a GPU or options that NVRTC does not
 *          support), GPUARR_ERR_IO (no place for temporary files), GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FAULT, GPUARR_ERR_FORKED; with a @p device of NULL also
 *          what gpuarr_device_open returns
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_build(gpuarr_module* module,
                                             gpuarr_device* GPUARR_NULLABLE device);

/** Compile a module's text for a processor that need not be in this machine, to see whether it
 *  compiles. Nothing is loaded, and nothing kept. A template is checked as far as it can be without
 *  an instance; gpuarr_kernel_options_add_kernel() names some.
 *  @param  module  the module, of text
 *  @param  target  "host", the CPU of this machine; or the architecture of an NVIDIA GPU, "sm_90",
 *                  which needs NVRTC but no GPU
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (@p target is NULL or empty, @p module is compiled code),
 *          GPUARR_ERR_COMPILE (the message shows the text's lines), GPUARR_ERR_NO_COMPILER (no
 *          compiler for the CPU), GPUARR_ERR_NO_LIBRARY (no NVRTC), GPUARR_ERR_UNSUPPORTED (no such
 *          target, or NVRTC does not know it), GPUARR_ERR_IO, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_check(gpuarr_module* module, const char* target);

/** Get a kernel of a module.
 *
 *  An overloaded kernel is named with its parameters, "over(float*)", on GPUs; the CPU device does
 *  not support overloads.
 *
 *  A template's instance is named as in C++: "scale<float, 4>", "ns::scale<float, 4>". It must be
 *  known when the module is compiled: get it before the module's first use, or name it with
 *  gpuarr_kernel_options_add_kernel(). A module without variables is compiled again for an instance
 *  that is requested later.
 *
 *  @param[out] out     the kernel, owned by the caller; it keeps the module alive; NULL on failure
 *  @param      module  the module
 *  @param      name    the kernel's name, or a template expression
 *  @param      params  the kernel's parameters, to be checked at each launch: "const float* x,
 *                      float* y, int n", in the types of C++ and the names of dtypes; other types,
 *                      such as structs, are only checked for their size. NULL to check what the
 *                      kernel's text and symbol tell
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX (params), GPUARR_ERR_NOT_FOUND if the
 *          module is known to have no such kernel; the message lists its kernels
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_kernel(gpuarr_raw** out, gpuarr_module* module,
                                              const char* name, const char* GPUARR_NULLABLE params);

/** Count the kernels of a module on a device. Instances of templates count if they were requested
 *  before the module was compiled. Compiles the module if needed.
 *  @param[out] out     the number; 0 on failure
 *  @param      module  the module
 *  @param      device  the device; NULL for the default one
 *  @return as gpuarr_module_build
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_kernel_count(int32_t* out, gpuarr_module* module,
                                                    gpuarr_device* GPUARR_NULLABLE device);

/** Get the name of a kernel of a module on a device.
 *  @param[out] out     the name, as gpuarr_module_kernel accepts it, valid as long as the module;
 *                      NULL on failure
 *  @param      module  the module
 *  @param      index   0 to gpuarr_module_kernel_count() - 1
 *  @param      device  the device; NULL for the default one
 *  @return as gpuarr_module_build; GPUARR_ERR_ARGUMENT for an index out of range
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_kernel_name(const char** out, gpuarr_module* module,
                                                   int32_t index,
                                                   gpuarr_device* GPUARR_NULLABLE device);

/** Get a __device__ or __constant__ variable of a module as an array of one axis.
 *
 *  A GPU's compiler may remove a variable that the kernels do not use. A const variable is not
 *  accessible on the CPU.
 *  @param[out] out     an array over the variable's memory, owned by the caller; it keeps the
 *                      module alive; NULL on failure
 *  @param      module  the module
 *  @param      name    the variable's name, "inner::table" in a namespace
 *  @param      dtype   dtype of its elements, whose size must divide the variable's; 0 for that of
 *                      its declaration
 *  @param      device  the device; NULL for the default one
 *  @return GPUARR_OK, what gpuarr_module_build returns, GPUARR_ERR_NOT_FOUND, GPUARR_ERR_DTYPE
 *          (@p dtype is invalid, or 0 and the declaration has no such type; the variable's size or
 *          address is not a multiple of the dtype's)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_global(gpuarr_array** out, gpuarr_module* module,
                                              const char* name, gpuarr_dtype dtype,
                                              gpuarr_device* GPUARR_NULLABLE device);

/** Get a listing of a module's compiled code.
 *
 *  SASS comes from the CUDA toolkit's nvdisasm or cuobjdump (for a module from PTX, after ptxas),
 *  the CPU's assembly from objdump.
 *  @param[out] out      the text, NUL-terminated, valid until this thread's next call of this
 *                       function; NULL on failure
 *  @param      module   the module
 *  @param      listing  GPUARR_LISTING_...
 *  @param      device   the device; NULL for the default one
 *  @return GPUARR_OK, what gpuarr_module_build returns, GPUARR_ERR_UNSUPPORTED (PTX on the CPU, or
 *          of a cubin or fatbin without PTX), GPUARR_ERR_NO_LIBRARY (the program is missing),
 *          GPUARR_ERR_LOAD (GPU) or GPUARR_ERR_IO (CPU) if the program fails
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_module_listing(const char** out, gpuarr_module* module,
                                               gpuarr_listing listing,
                                               gpuarr_device* GPUARR_NULLABLE device);

#ifdef __cplusplus
}
#endif
#endif
