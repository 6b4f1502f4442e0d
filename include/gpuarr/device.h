/** @file gpuarr/device.h  Devices: the machine's CPU and GPUs. */
#ifndef GPUARR_DEVICE_H
#define GPUARR_DEVICE_H

#include "gpuarr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A device. There is one object for each device in a process; it is never freed, so pointers to it
 *  stay valid and need no release. */
typedef struct gpuarr_device gpuarr_device;

/** Kinds of devices. */
enum {
  GPUARR_DEVICE_HOST = 1, /**< the CPU */
  GPUARR_DEVICE_CUDA = 2  /**< an NVIDIA GPU */
};

/** Attributes of a device. */
enum {
  GPUARR_DEVICE_PROCESSORS = 1,         /**< threads of the CPU device, multiprocessors of a GPU */
  GPUARR_DEVICE_COMPUTE_CAPABILITY = 2, /**< 90 for 9.0; 0 on the CPU device */
  GPUARR_DEVICE_L2_BYTES = 3,           /**< bytes of the last-level cache; 0 if unknown */
  GPUARR_DEVICE_LOWEST_PRIORITY = 4,    /**< the largest number that a stream's priority can be */
  GPUARR_DEVICE_HIGHEST_PRIORITY = 5    /**< the smallest, negative or 0 */
};

/** Count the devices of a kind.
 *  @param[out] out   the count; 0 GPUs if there is no driver, which is not an error
 *  @param      kind  GPUARR_DEVICE_HOST or GPUARR_DEVICE_CUDA
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_count(int32_t* out, int32_t kind);

/** Open a device.
 *  @param[out] out   the device, not to be released; NULL on failure
 *  @param      name  "host", "cuda" (the first GPU) or "cuda:N"; NULL for the default:
 *                    $GPUARR_DEVICE if that is set, else the first GPU, else the CPU
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_NO_DEVICE, GPUARR_ERR_NO_DRIVER,
 *          GPUARR_ERR_DRIVER_TOO_OLD, GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED, GPUARR_ERR_UNSUPPORTED
 *          (a build without CUDA)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_open(gpuarr_device** out, const char* GPUARR_NULLABLE name);

/** Name that gpuarr_device_open accepts for the device.
 *  @return "host" or "cuda:N"; "" for NULL; lives as long as the process
 *  @threadsafe */
GPUARR_API const char* gpuarr_device_name(const gpuarr_device* device);

/** Product name of the device, "NVIDIA H200".
 *  @return "" for NULL; lives as long as the process
 *  @threadsafe */
GPUARR_API const char* gpuarr_device_description(const gpuarr_device* device);

/** Kind of a device.
 *  @return GPUARR_DEVICE_HOST or GPUARR_DEVICE_CUDA; 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_device_kind(const gpuarr_device* device);

/** Read an attribute of a device.
 *  @param[out] out        the value; 0 on failure
 *  @param      device     the device
 *  @param      attribute  a GPUARR_DEVICE_... attribute
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_attribute(int64_t* out, const gpuarr_device* device,
                                                 int32_t attribute);

/** Memory of a device, in bytes.
 *  @param[out] out_free   bytes that no process has allocated
 *  @param[out] out_total  bytes that the device has
 *  @param      device     the device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_memory(int64_t* out_free, int64_t* out_total,
                                              gpuarr_device* device);

/** Name, version and path of the compiler for this device's kernels.
 *  @param[out] out     "NVRTC 13.0 (/usr/lib/libnvrtc.so.13)"; lives as long as the process; NULL
 *                      on failure
 *  @param      device  the device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_NO_LIBRARY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_compiler(const char** out, gpuarr_device* device);

/** Name, version and path of this device's driver.
 *  @param[out] out     "CUDA 13.0 (libcuda.so.1)"; "" on the CPU device; lives as long as the
 *                      process; NULL on failure
 *  @param      device  the device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_driver(const char** out, gpuarr_device* device);

/** Name, version and path of this device's BLAS library, which the call loads if needed.
 *  @param[out] out     "cuBLAS 13.0.0 (/usr/lib/libcublas.so.13)"; lives as long as the process;
 *                      NULL on failure
 *  @param      device  the device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_NO_LIBRARY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_blas(const char** out, gpuarr_device* device);

/** Name, version and path of this device's library for factorisations, cuSOLVER or a LAPACK, which
 *  the call loads if needed.
 *  Parameters and errors as gpuarr_device_blas.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_solver(const char** out, gpuarr_device* device);

/** Ask whether kernels of a device can access the memory of another (peer access).
 *  @param[out] out     1 if they can, or if both are the same device; else 0
 *  @param      device  where the kernels run
 *  @param      peer    whose memory it is
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_can_access_peer(int32_t* out, gpuarr_device* device,
                                                       gpuarr_device* peer);

/** Let kernels of a device read and write the memory of another, by its addresses, until the
 *  process ends (peer access). The first copy of an array from one GPU to another enables it in
 *  that direction, because copies are faster with it (GPUARR_LOG=library tells). More than one call
 *  has no effect.
 *  @param  device  where the kernels run
 *  @param  peer    whose memory it is
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_UNSUPPORTED, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_enable_peer(gpuarr_device* device, gpuarr_device* peer);

/** Wait until all work of a device is done, and return its error if it failed. Work that is being
 *  captured into a graph does not count.
 *  @return what gpuarr_stream_synchronize returns, GPUARR_ERR_UNSUPPORTED (on a GPU while any
 *          thread captures one of its streams, when the driver cannot wait for the whole device;
 *          wait for streams or events)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_device_synchronize(gpuarr_device* device);

#ifdef __cplusplus
}
#endif
#endif
