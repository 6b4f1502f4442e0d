/** @file gpuarr/cache.h  The cache of compiled kernels, in memory and on disk. */
#ifndef GPUARR_CACHE_H
#define GPUARR_CACHE_H

#include "gpuarr/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On disk it lies in $GPUARR_CACHE_DIR, else $XDG_CACHE_HOME/gpuarr, else ~/.cache/gpuarr. The
 * directory must be this user's and nobody else's to write. $GPUARR_CACHE_READ_ONLY_DIR names a
 * second one that is read and never written; $GPUARR_CACHE_SIZE caps the first ("1GiB", the
 * default); $GPUARR_CACHE=off keeps compiled kernels in memory only. */

/** The cache's numbers, since the process began unless said. */
enum {
  GPUARR_CACHE_MEMORY_HITS = 1, /**< kernels found in memory */
  GPUARR_CACHE_DISK_HITS = 2,   /**< kernels found on disk */
  GPUARR_CACHE_COMPILES = 3,    /**< kernels compiled */
  GPUARR_CACHE_WAITS = 4,       /**< kernels that another thread or process compiled meanwhile */
  GPUARR_CACHE_REJECTED = 5,    /**< damaged or foreign entries that were passed over */
  GPUARR_CACHE_EVICTIONS = 6,   /**< entries removed to keep under the cap */
  GPUARR_CACHE_ENTRIES = 7,     /**< entries on disk now */
  GPUARR_CACHE_BYTES = 8,       /**< their bytes now */
  GPUARR_CACHE_LIMIT = 9        /**< the cap in bytes */
};

/** Read one of the cache's numbers.
 *  @param[out] out        the number; 0 on failure
 *  @param      statistic  a GPUARR_CACHE_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_cache_statistic(int64_t* out, int32_t statistic);

/** Where the cache lies on disk.
 *  @return the directory; "" if none is used; lives as long as the process
 *  @threadsafe */
GPUARR_API const char* gpuarr_cache_directory(void);

/** Why the cache on disk is not used, or not written.
 *  @return one sentence; "" if all is well; lives as long as the process
 *  @threadsafe */
GPUARR_API const char* gpuarr_cache_problem(void);

/** Gets an entry of the cache on disk. It must not throw, nor call the cache.
 *  @param  user    what gpuarr_cache_list was given
 *  @param  key     the entry's name, 32 hexadecimal digits
 *  @param  kernel  the kernel's name
 *  @param  target  what it was compiled for, "sm_90" or a CPU
 *  @param  bytes   its size on disk
 *  @param  used    when it was last used, in seconds since 1970
 *  @return 0 to go on, anything else to stop */
typedef int32_t (*gpuarr_cache_visitor)(void* user, const char* key, const char* kernel,
                                        const char* target, int64_t bytes, int64_t used);

/** Go through the entries on disk, the last used first.
 *  @param  visitor  called for each entry, on this thread
 *  @param  user     handed to it
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_IO
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_cache_list(gpuarr_cache_visitor visitor,
                                           void* GPUARR_NULLABLE user);

/** Remove all entries from the disk; kernels in memory stay. The read-only directory is not
 *  touched.
 *  @return GPUARR_OK, GPUARR_ERR_IO
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_cache_clear(void);

/** Hears what gpuarr_cache_warm() does next. It must not throw.
 *  @param  user  what gpuarr_cache_warm was given
 *  @param  what  "sort of float32"
 *  @param  done  how many such things are done
 *  @param  all   of how many
 *  @return 0 to go on, anything else to stop */
typedef int32_t (*gpuarr_cache_progress)(void* user, const char* what, int32_t done, int32_t all);

/** Compile what takes long when it is first called, so that it is in the cache: scans, selection,
 *  sorting, and what finds elements by their rank (partition, topk, medians), for the common
 *  dtypes. It runs them on a few elements in the device's current stream, and waits; what is in the
 *  cache already costs next to nothing.
 *  @param  device    the device
 *  @param  progress  called before each of them, on this thread; NULL for none
 *  @param  user      handed to it
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
