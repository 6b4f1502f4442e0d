/** @file gpuarr/pinned.h  Memory of the host that a device copies from and to on its own.
 *
 *  A GPU copies ordinary memory of the host by way of a buffer of the driver's, and the call waits
 *  for that. From page-locked ("pinned") memory it copies alone and faster, while the program goes
 *  on: gpuarr_array_write_async and gpuarr_array_read_async in transfer.h. Making such memory is
 *  slow and what is made is taken from the whole machine, so that freed pieces are kept for the
 *  next request. On the CPU device it is ordinary memory, with the same promises.
 */
#ifndef GPUARR_PINNED_H
#define GPUARR_PINNED_H

#include "gpuarr/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Get page-locked memory of the host. It is for all devices of the device's kind; the device is
 *  the one in whose pool it is kept.
 *  @param[out] out     its address, a multiple of 512; NULL on failure, and for 0 bytes
 *  @param      device  in whose pool
 *  @param      bytes   how much
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_pinned_allocate(void** out, gpuarr_device* device, int64_t bytes);

/** Give page-locked memory back. Copies that the library was given with it may still run: it is
 *  handed out again when they are done. Never waits.
 *  @param  device  the one that it was asked for from
 *  @param  data    its address; nothing happens for NULL
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no memory of this device's pool that is in use)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_pinned_free(gpuarr_device* device, void* GPUARR_NULLABLE data);

/** Read one of the numbers of a device's pool of page-locked memory.
 *  @param[out] out        the number; 0 on failure
 *  @param      device     whose pool
 *  @param      statistic  GPUARR_MEMORY_USED to GPUARR_MEMORY_DEVICE_CALLS
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_pinned_statistic(int64_t* out, gpuarr_device* device,
                                                 int32_t statistic);

/** Give the page-locked memory that nobody uses back to the machine. Waits for copies that hold up
 *  what was freed.
 *  @param  device  whose pool
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_pinned_trim(gpuarr_device* device);

#ifdef __cplusplus
}
#endif
#endif
