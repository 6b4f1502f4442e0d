/** @file gpuarr/memory.h  Memory of a device: limits, statistics, hooks, functions that release
 *  memory when it is short.
 *
 *  Arrays are allocated by the device's current allocator (allocator.h), by default a
 *  stream-ordered memory pool that caches released memory for later arrays. When an allocation
 *  fails, the library frees all cached memory and waits for the device, then calls the program's
 *  functions of gpuarr_memory_add_reclaim, each time trying again. If that does not help, the call
 *  fails with GPUARR_ERR_OUT_OF_MEMORY; the message tells how much is used, cached, free and
 *  allowed.
 */
#ifndef GPUARR_MEMORY_H
#define GPUARR_MEMORY_H

#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Statistics of an allocator. */
enum {
  GPUARR_MEMORY_USED = 1,        /**< bytes in live arrays, each rounded up to 512 */
  GPUARR_MEMORY_CACHED = 2,      /**< bytes that the allocator holds unused */
  GPUARR_MEMORY_TOTAL = 3,       /**< used + cached */
  GPUARR_MEMORY_PEAK = 4,        /**< the most that was used since the start or the last reset; to
                                      within 1 MiB for each stream that has memory at the time */
  GPUARR_MEMORY_BLOCKS = 5,      /**< allocations in use */
  GPUARR_MEMORY_ALLOCATIONS = 6, /**< requests so far */
  GPUARR_MEMORY_HITS = 7, /**< requests so far that were served without a call to the device */
  GPUARR_MEMORY_DEVICE_CALLS = 8, /**< allocations and frees so far by the device */
  GPUARR_MEMORY_TRANSFERS = 9,    /**< reuses so far of another stream's memory, after an event */
  GPUARR_MEMORY_WAITS = 10,       /**< waits so far for the whole device */
  GPUARR_MEMORY_LIMIT = 11        /**< bytes that all allocators of the device together may hold; 0:
                                       as many as there are */
};

/** Read a statistic of a device's current allocator.
 *  @param[out] out        the number; 0 on failure
 *  @param      device     whose allocator
 *  @param      statistic  a GPUARR_MEMORY_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_statistic(int64_t* out, gpuarr_device* device,
                                                 int32_t statistic);

/** Reset GPUARR_MEMORY_PEAK of a device's current allocator to what is used now.
 *  @param  device  whose allocator
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_reset_peak(gpuarr_device* device);

/** Free the cached memory of all allocators of a device. Waits for the device's work; while a
 *  stream is being captured it does nothing.
 *  @param  device  whose memory
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_trim(gpuarr_device* device);

/** Limit the memory of a device that the library's allocators hold together, used and cached.
 *  Memory that is already held stays. The default limit of each device is $GPUARR_MEMORY_LIMIT:
 *  "8GiB", "512MiB", "50%" of the device's memory.
 *  @param  device  whose memory
 *  @param  bytes   the limit; 0 for no limit
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_set_limit(gpuarr_device* device, int64_t bytes);

/** Set the limit of gpuarr_memory_set_limit as a fraction of the device's memory.
 *  @param  device    whose memory
 *  @param  fraction  above 0, at most 1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_set_limit_fraction(gpuarr_device* device, double fraction);

/** A function that is called when memory is short, on the allocating thread, with no lock held. It
 *  may call the library, release arrays and create arrays; it is not called for its own
 *  allocations.
 *  @param  device  whose memory is short
 *  @param  bytes   size of the failed request
 *  @param  user    as given to gpuarr_memory_add_reclaim
 *  @return 1 if memory was or may have been released: the allocation is tried again, and the
 *          function is called again as long as used memory decreases; 0 if there is nothing to
 *          release */
typedef int32_t (*gpuarr_reclaim_fn)(gpuarr_device* device, int64_t bytes,
                                     void* GPUARR_NULLABLE user);

/** Register a function to call before an allocation fails for lack of memory, on any device.
 *  Bindings of languages with a garbage collector run it there. Several functions are called in the
 *  order of their registration.
 *  @param[out] out   a number for gpuarr_memory_remove_reclaim; 0 on failure
 *  @param      fn    the function; it and @p user must stay valid until it is removed
 *  @param      user  passed to the function
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_add_reclaim(int64_t* out, gpuarr_reclaim_fn fn,
                                                   void* GPUARR_NULLABLE user);

/** Remove a function of gpuarr_memory_add_reclaim. If it is running on another thread it finishes
 *  there.
 *  @param  number  the number from gpuarr_memory_add_reclaim
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no such number)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_remove_reclaim(int64_t number);

/** Events that a hook is called for. */
enum {
  GPUARR_MEMORY_ALLOCATING = 1,       /**< before an allocation */
  GPUARR_MEMORY_ALLOCATED = 2,        /**< after an allocation */
  GPUARR_MEMORY_FREEING = 3,          /**< before memory is freed */
  GPUARR_MEMORY_FREED = 4,            /**< after memory was freed */
  GPUARR_MEMORY_DEVICE_ALLOCATED = 5, /**< a pool allocated a block from the device */
  GPUARR_MEMORY_DEVICE_FREED = 6      /**< a pool freed a block */
};

/** A function that observes memory, on the thread that allocates or frees, with no lock held. It
 *  may call the library; allocations that it causes are observed too, so avoid endless recursion.
 *  @param  event   a GPUARR_MEMORY_... number of those above
 *  @param  data    where the memory is; NULL for GPUARR_MEMORY_ALLOCATING
 *  @param  bytes   requested size; 0 if it is not known
 *  @param  device  whose memory
 *  @param  stream  stream in whose order the memory is allocated or freed, valid during the call;
 *                  NULL for a device's blocks, and if there is no memory to create it
 *  @param  user    as given to gpuarr_memory_add_hook
 *  @return GPUARR_OK; any other status for GPUARR_MEMORY_ALLOCATING makes the allocation fail with
 *          it, and for other events is ignored */
typedef gpuarr_status (*gpuarr_memory_hook_fn)(int32_t event, void* GPUARR_NULLABLE data,
                                               int64_t bytes, gpuarr_device* device,
                                               gpuarr_stream* GPUARR_NULLABLE stream,
                                               void* GPUARR_NULLABLE user);

/** Register a function to call for every allocation and every free, on all devices.
 *  @param[out] out   a number for gpuarr_memory_remove_hook; 0 on failure
 *  @param      fn    the function; it and @p user must stay valid until it is removed
 *  @param      user  passed to the function
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_add_hook(int64_t* out, gpuarr_memory_hook_fn fn,
                                                void* GPUARR_NULLABLE user);

/** Remove a hook. If it is running on another thread it finishes there.
 *  @param  number  the number from gpuarr_memory_add_hook
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no such number)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_remove_hook(int64_t number);

#ifdef __cplusplus
}
#endif
#endif
