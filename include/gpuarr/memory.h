/** @file gpuarr/memory.h  Statistics of the caching allocator that arrays come from. */
#ifndef GPUARR_MEMORY_H
#define GPUARR_MEMORY_H

#include "gpuarr/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The allocator's numbers. */
enum {
  GPUARR_MEMORY_USED = 1,        /**< bytes in live arrays, each rounded up to 512 */
  GPUARR_MEMORY_CACHED = 2,      /**< bytes that the allocator holds and nobody uses */
  GPUARR_MEMORY_TOTAL = 3,       /**< used + cached */
  GPUARR_MEMORY_PEAK = 4,        /**< the most that was ever used */
  GPUARR_MEMORY_BLOCKS = 5,      /**< blocks in use */
  GPUARR_MEMORY_ALLOCATIONS = 6, /**< requests so far */
  GPUARR_MEMORY_HITS = 7,        /**< requests so far that made no call to the device */
  GPUARR_MEMORY_DEVICE_CALLS = 8 /**< allocations and frees so far that the device was asked for */
};

/** Read one of the allocator's numbers.
 *  @param[out] out        the number; 0 on failure
 *  @param      device     whose allocator
 *  @param      statistic  a GPUARR_MEMORY_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_statistic(int64_t* out, gpuarr_device* device,
                                                 int32_t statistic);

/** Give the cached memory that nobody uses back to the device. Waits for the device's work.
 *  @param  device  whose allocator
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_trim(gpuarr_device* device);

#ifdef __cplusplus
}
#endif
#endif
