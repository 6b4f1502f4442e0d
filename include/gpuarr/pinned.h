/** @file gpuarr/pinned.h  Pinned (page-locked) host memory, for asynchronous copies.
 *
 *  Copies between a GPU and ordinary host memory go through a buffer of the driver, and the call
 *  waits for that. Copies from and to pinned memory are faster and run while the program continues:
 *  see gpuarr_array_write_async and gpuarr_array_read_async in transfer.h. Allocating pinned memory
 *  is slow and reduces what is left for the whole machine, so freed pieces are cached for later
 *  requests. On the CPU device it is ordinary memory that behaves the same.
 */
#ifndef GPUARR_PINNED_H
#define GPUARR_PINNED_H

#include "gpuarr/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Allocate pinned host memory. All devices of the device's kind can use it; the device is the one
 *  whose pool it belongs to.
 *  @param[out] out     its address, a multiple of 512; NULL on failure, and for 0 bytes
 *  @param      device  whose pool
 *  @param      bytes   how much
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_pinned_allocate(void** out, gpuarr_device* device, int64_t bytes);

/** Free pinned memory. The library's copies may still use it: it is reused when they are done.
 *  Never waits.
 *  @param  device  the device that it was allocated for
 *  @param  data    its address; nothing happens for NULL
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (not memory in use of this device's pool)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_pinned_free(gpuarr_device* device, void* GPUARR_NULLABLE data);

/** Read a statistic of a device's pool of pinned memory.
 *  @param[out] out        the number; 0 on failure
 *  @param      device     whose pool
 *  @param      statistic  GPUARR_MEMORY_USED to GPUARR_MEMORY_DEVICE_CALLS
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_pinned_statistic(int64_t* out, gpuarr_device* device,
                                                 int32_t statistic);

/** Return unused pinned memory to the system. Waits for copies that still use freed memory.
 *  @param  device  whose pool
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_pinned_trim(gpuarr_device* device);

#ifdef __cplusplus
}
#endif
#endif
