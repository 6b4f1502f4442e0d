/** @file gpuarr/cache.h  The cache of compiled kernels, in memory and on disk. */
#ifndef GPUARR_CACHE_H
#define GPUARR_CACHE_H

#include "gpuarr/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The cache on disk is in $GPUARR_CACHE_DIR, else $XDG_CACHE_HOME/gpuarr, else ~/.cache/gpuarr. The
 * directory must be writable by this user only. $GPUARR_CACHE_READ_ONLY_DIR names a second one that
 * is read and never written; $GPUARR_CACHE_SIZE limits the first ("1GiB", the default);
 * $GPUARR_CACHE=off keeps compiled kernels in memory only. */

/** Statistics of the cache, since the process began unless stated otherwise. */
enum {
  GPUARR_CACHE_MEMORY_HITS = 1, /**< kernels found in memory */
  GPUARR_CACHE_DISK_HITS = 2,   /**< kernels found on disk */
  GPUARR_CACHE_COMPILES = 3,    /**< kernels compiled */
  GPUARR_CACHE_WAITS = 4,       /**< kernels that another thread or process compiled meanwhile */
  GPUARR_CACHE_REJECTED = 5,    /**< entries that are damaged, or that others may write to */
  GPUARR_CACHE_EVICTIONS = 6,   /**< entries removed to stay below the limit */
  GPUARR_CACHE_ENTRIES = 7,     /**< entries on disk now */
  GPUARR_CACHE_BYTES = 8,       /**< their bytes now */
  GPUARR_CACHE_LIMIT = 9        /**< the limit in bytes */
};

/** Read a statistic of the cache.
 *  @param[out] out        the number; 0 on failure
 *  @param      statistic  a GPUARR_CACHE_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_cache_statistic(int64_t* out, int32_t statistic);

/** Directory of the cache on disk.
 *  @return the directory; "" if none is used; lives as long as the process
 *  @threadsafe */
GPUARR_API const char* gpuarr_cache_directory(void);

/** Why the cache on disk is not used, or not written.
 *  @return one sentence; "" if it is used; lives as long as the process
 *  @threadsafe */
GPUARR_API const char* gpuarr_cache_problem(void);

/** A function that receives an entry of the cache on disk. It must not throw or call the cache.
 *  @param  user    as given to gpuarr_cache_list
 *  @param  key     the entry's name, 32 hexadecimal digits
 *  @param  kernel  the kernel's name
 *  @param  target  what it was compiled for, "sm_90" or a CPU
 *  @param  bytes   its size on disk
 *  @param  used    when it was last used, in seconds since 1970
 *  @return 0 to continue, any other value to stop */
typedef int32_t (*gpuarr_cache_visitor)(void* user, const char* key, const char* kernel,
                                        const char* target, int64_t bytes, int64_t used);

/** List the entries on disk, the most recently used first.
 *  @param  visitor  called for each entry, on this thread
 *  @param  user     passed to @p visitor
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_IO
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_cache_list(gpuarr_cache_visitor visitor,
                                           void* GPUARR_NULLABLE user);

/** Remove all entries from the disk; kernels in memory stay. The read-only directory is not
 *  touched.
 *  @return GPUARR_OK, GPUARR_ERR_IO
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_cache_clear(void);

/** A function that is told the progress of gpuarr_cache_warm(). It must not throw.
 *  @param  user  as given to gpuarr_cache_warm
 *  @param  what  the next step: "sort of float32"
 *  @param  done  how many steps are done
 *  @param  all   how many there are
 *  @return 0 to continue, any other value to stop */
typedef int32_t (*gpuarr_cache_progress)(void* user, const char* what, int32_t done, int32_t all);

/** Warm up the cache: compile the operations whose first call takes long, which are scans,
 *  selection by masks, sorting, partition, topk and medians, for the common dtypes. The call runs
 *  each on a few elements in the device's current stream, and waits; what is already in the cache
 *  takes almost no time.
 *  @param  device    the device
 *  @param  progress  called before each step, on this thread; NULL for none
 *  @param  user      passed to @p progress
 *  @return GPUARR_OK (also when it was stopped), GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED, GPUARR_ERR_UNSUPPORTED (the stream is being
 *          captured; a build without CUB)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_cache_warm(gpuarr_device* device,
                                           gpuarr_cache_progress GPUARR_NULLABLE progress,
                                           void* GPUARR_NULLABLE user);

#ifdef __cplusplus
}
#endif
#endif
