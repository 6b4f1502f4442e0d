/** @file gpuarr/allocator.h  Allocators: where arrays' memory comes from: pools, the driver, your
 *  functions. */
#ifndef GPUARR_ALLOCATOR_H
#define GPUARR_ALLOCATOR_H

#include "gpuarr/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An allocator of a device's memory, reference-counted. Memory allocated by it keeps it alive. */
typedef struct gpuarr_allocator gpuarr_allocator;

/** Kinds of allocators. $GPUARR_ALLOCATOR, "pool", "driver", "managed" or "direct", chooses the
 *  default one of each device; without it that is a pool. */
enum {
  GPUARR_ALLOCATOR_POOL = 1,   /**< a caching memory pool, which serves most requests by itself */
  GPUARR_ALLOCATOR_DRIVER = 2, /**< the driver's stream-ordered pool; on the CPU device as direct */
  GPUARR_ALLOCATOR_MANAGED = 3, /**< a pool of managed (unified) memory, for CPU and GPU */
  GPUARR_ALLOCATOR_DIRECT = 4   /**< each request goes to the device, each release waits for the
                                     stream: slow, but memory checkers see each array */
};

/** Create an allocator.
 *  @param[out] out     the allocator, owned by the caller; NULL on failure
 *  @param      device  whose memory
 *  @param      kind    GPUARR_ALLOCATOR_POOL, ..._DRIVER, ..._MANAGED or ..._DIRECT
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_create(gpuarr_allocator** out, gpuarr_device* device,
                                                 int32_t kind);

/** A function that allocates memory, which work in a stream may use at once.
 *  @param[out] out     its address, a multiple of 16; NULL if there is not enough memory: then
 *                      caches are freed, gpuarr_reclaim_fn functions are called, and this is called
 *                      again
 *  @param      bytes   how many bytes at least, above 0
 *  @param      device  whose memory
 *  @param      stream  the stream, valid during the call
 *  @param      user    as given to gpuarr_allocator_create_custom
 *  @return GPUARR_OK; the call that needed the memory fails with any other status */
typedef gpuarr_status (*gpuarr_allocate_fn)(void** out, int64_t bytes, gpuarr_device* device,
                                            gpuarr_stream* stream, void* GPUARR_NULLABLE user);

/** A function that frees memory. Work that was submitted to the stream before may still use it.
 *  @param  data    the address from gpuarr_allocate_fn
 *  @param  bytes   requested size
 *  @param  device  whose memory
 *  @param  stream  the stream, valid during the call; NULL if there is no memory to create it: then
 *                  the device has finished all work
 *  @param  user    as given to gpuarr_allocator_create_custom */
typedef void (*gpuarr_deallocate_fn)(void* data, int64_t bytes, gpuarr_device* device,
                                     gpuarr_stream* GPUARR_NULLABLE stream,
                                     void* GPUARR_NULLABLE user);

/** Create an allocator from your own functions, which are called on any thread.
 *  @param[out] out         the allocator, owned by the caller; NULL on failure
 *  @param      device      whose memory they allocate
 *  @param      allocate    allocates memory
 *  @param      deallocate  frees it; must not fail
 *  @param      user        passed to both; it must stay valid as long as the allocator, which lives
 *                          as long as any of its memory is in use
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_create_custom(gpuarr_allocator** out,
                                                        gpuarr_device* device,
                                                        gpuarr_allocate_fn allocate,
                                                        gpuarr_deallocate_fn deallocate,
                                                        void* GPUARR_NULLABLE user);

/** Take another reference.
 *  @return @p allocator
 *  @threadsafe */
GPUARR_API gpuarr_allocator* gpuarr_allocator_retain(gpuarr_allocator* GPUARR_NULLABLE allocator);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_allocator_release(gpuarr_allocator* GPUARR_NULLABLE allocator);

/** Set the allocator of a device's new arrays, in all streams that have none of their own.
 *  @param  device     the device
 *  @param  allocator  an allocator of that device; NULL for the device's default one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_set_current(gpuarr_device* device,
                                                      gpuarr_allocator* GPUARR_NULLABLE allocator);

/** Set the allocator of new arrays in a stream.
 *  @param  stream     the stream
 *  @param  allocator  an allocator of its device; NULL for the device's current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status
gpuarr_allocator_set_for_stream(gpuarr_stream* stream, gpuarr_allocator* GPUARR_NULLABLE allocator);

/** Get the allocator that a new array in a stream would come from.
 *  @param[out] out     the allocator, to be released by the caller; NULL on failure
 *  @param      device  the device
 *  @param      stream  a stream of it; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_current(gpuarr_allocator** out, gpuarr_device* device,
                                                  gpuarr_stream* GPUARR_NULLABLE stream);

/** Device of an allocator.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API gpuarr_device* gpuarr_allocator_device(const gpuarr_allocator* allocator);

/** Read a statistic of an allocator.
 *  @param[out] out        the number; 0 on failure
 *  @param      allocator  the allocator
 *  @param      statistic  a GPUARR_MEMORY_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_statistic(int64_t* out, gpuarr_allocator* allocator,
                                                    int32_t statistic);

/** Free the cached memory of an allocator, as gpuarr_memory_trim.
 *  @param  allocator  the allocator
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_trim(gpuarr_allocator* allocator);

/** Allocate memory without an array, for example as workspace of another library.
 *  @param[out] out        its address, a multiple of 16; NULL on failure, and for 0 bytes
 *  @param      allocator  where it comes from
 *  @param      bytes      how much
 *  @param      stream     stream whose work may use it at once; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_allocate(void** out, gpuarr_allocator* allocator,
                                                   int64_t bytes,
                                                   gpuarr_stream* GPUARR_NULLABLE stream);

/** Free memory of gpuarr_allocator_allocate, before the allocator's last reference is dropped. Work
 *  that was submitted to the stream before may still use it.
 *  @param  allocator  where it came from
 *  @param  data       its address; nothing happens for NULL
 *  @param  stream     the stream that used it last; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (memory that is not in use, or of another allocator),
 *          GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_free(gpuarr_allocator* allocator,
                                               void* GPUARR_NULLABLE data,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
