/** @file gpuarr/memory.h  What holds for all memory of a device: limit, numbers, hooks, reclaim.
 *
 *  Arrays come from a device's current allocator (allocator.h), by default a pool that keeps what
 *  is released for the next array. Where there is no room for an array, this is tried in turn: give
 *  back what is cached and wait for the device; then call the functions that the program gave to
 *  gpuarr_memory_add_reclaim; then the call fails with GPUARR_ERR_OUT_OF_MEMORY, and its message
 *  says what is used, cached, free and allowed.
 */
#ifndef GPUARR_MEMORY_H
#define GPUARR_MEMORY_H

#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An allocator's numbers. */
enum {
  GPUARR_MEMORY_USED = 1,         /**< bytes in live arrays, each rounded up to 512 */
  GPUARR_MEMORY_CACHED = 2,       /**< bytes that the allocator holds and nobody uses */
  GPUARR_MEMORY_TOTAL = 3,        /**< used + cached */
  GPUARR_MEMORY_PEAK = 4,         /**< the most that was used since the start or the last reset; to
                                       within 1 MiB for each stream that has memory at the time */
  GPUARR_MEMORY_BLOCKS = 5,       /**< pieces in use */
  GPUARR_MEMORY_ALLOCATIONS = 6,  /**< requests so far */
  GPUARR_MEMORY_HITS = 7,         /**< requests so far that made no call to the device */
  GPUARR_MEMORY_DEVICE_CALLS = 8, /**< allocations and frees so far that the device was asked for */
  GPUARR_MEMORY_TRANSFERS = 9,    /**< pieces so far that another stream took over after an event */
  GPUARR_MEMORY_WAITS = 10,       /**< times so far that the whole device was waited for */
  GPUARR_MEMORY_LIMIT = 11        /**< bytes that all allocators of the device together may hold; 0:
                                       as many as there are */
};

/** Read one of the numbers of a device's current allocator.
 *  @param[out] out        the number; 0 on failure
 *  @param      device     whose allocator
 *  @param      statistic  a GPUARR_MEMORY_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_statistic(int64_t* out, gpuarr_device* device,
                                                 int32_t statistic);

/** Let GPUARR_MEMORY_PEAK of a device's current allocator begin anew, at what is used now.
 *  @param  device  whose allocator
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_reset_peak(gpuarr_device* device);

/** Give the cached memory that nobody uses back to the device, from all allocators. Waits for the
 *  device's work, but while a stream is being captured nothing is waited for or given back.
 *  @param  device  whose memory
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_trim(gpuarr_device* device);

/** Limit what the library's allocators together hold of a device's memory, used or cached. What is
 *  held already stays. Until it is called, $GPUARR_MEMORY_LIMIT is the limit of each device:
 *  "8GiB", "512MiB", "50%" of the device's memory.
 *  @param  device  whose memory
 *  @param  bytes   the most; 0 for no limit
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_set_limit(gpuarr_device* device, int64_t bytes);

/** The same as a part of all memory that the device has.
 *  @param  device    whose memory
 *  @param  fraction  above 0, at most 1
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_set_limit_fraction(gpuarr_device* device, double fraction);

/** Is called when memory is short, on the thread that asked for it, without any lock held. It may
 *  call the library, release arrays and make some; it is not called for what it makes itself.
 *  @param  device  whose memory is short
 *  @param  bytes   what was asked for
 *  @param  user    as it was given
 *  @return 1 if something was released, or may be by now: the allocation is tried again, and as
 *          long as that brings used memory down the function is called again; 0 if there is nothing
 *          to release */
typedef int32_t (*gpuarr_reclaim_fn)(gpuarr_device* device, int64_t bytes,
                                     void* GPUARR_NULLABLE user);

/** Have a function called before an allocation fails for want of memory, on any device. A language
 *  with a collector runs it there. Several functions are all called, in the order that they came.
 *  @param[out] out   a number that takes it away again; 0 on failure
 *  @param      fn    the function; it and @p user must last until it is taken away
 *  @param      user  is handed to it
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_add_reclaim(int64_t* out, gpuarr_reclaim_fn fn,
                                                   void* GPUARR_NULLABLE user);

/** Call a reclaim function no more. One that is running on another thread runs to its end.
 *  @param  number  what gpuarr_memory_add_reclaim gave
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no such number)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_remove_reclaim(int64_t number);

/** What a hook is told. */
enum {
  GPUARR_MEMORY_ALLOCATING = 1,       /**< an allocator is about to be asked */
  GPUARR_MEMORY_ALLOCATED = 2,        /**< it gave memory */
  GPUARR_MEMORY_FREEING = 3,          /**< memory is about to go back to an allocator */
  GPUARR_MEMORY_FREED = 4,            /**< it is back */
  GPUARR_MEMORY_DEVICE_ALLOCATED = 5, /**< a pool got a block of the device */
  GPUARR_MEMORY_DEVICE_FREED = 6      /**< a pool gave a block back */
};

/** Watches memory, on the thread that allocates or frees, without any lock held. It may call the
 *  library; what it causes there is watched too, so mind endless recursion.
 *  @param  event   a GPUARR_MEMORY_... number of those above
 *  @param  data    where the memory is; NULL for GPUARR_MEMORY_ALLOCATING
 *  @param  bytes   what was asked for; 0 if that is not known
 *  @param  device  whose memory
 *  @param  stream  in whose order the memory comes or goes, valid during the call; NULL for blocks
 *                  of the device, and where there is no memory to tell it
 *  @param  user    as it was given
 *  @return GPUARR_OK; any other status from GPUARR_MEMORY_ALLOCATING refuses the allocation, which
 *          fails with it, and from other events is ignored */
typedef gpuarr_status (*gpuarr_memory_hook_fn)(int32_t event, void* GPUARR_NULLABLE data,
                                               int64_t bytes, gpuarr_device* device,
                                               gpuarr_stream* GPUARR_NULLABLE stream,
                                               void* GPUARR_NULLABLE user);

/** Have a function told of every allocation and every free from now on, on all devices.
 *  @param[out] out   a number that takes it away again; 0 on failure
 *  @param      fn    the function; it and @p user must last until it is taken away
 *  @param      user  is handed to it
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_add_hook(int64_t* out, gpuarr_memory_hook_fn fn,
                                                void* GPUARR_NULLABLE user);

/** Call a hook no more. One that is running on another thread runs to its end.
 *  @param  number  what gpuarr_memory_add_hook gave
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (no such number)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_memory_remove_hook(int64_t number);

#ifdef __cplusplus
}
#endif
#endif
