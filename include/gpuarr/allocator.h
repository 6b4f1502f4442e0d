/** @file gpuarr/allocator.h  Where arrays' memory comes from: pools, the driver, your functions. */
#ifndef GPUARR_ALLOCATOR_H
#define GPUARR_ALLOCATOR_H

#include "gpuarr/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A source of a device's memory, reference-counted. Memory that came from it keeps it alive. */
typedef struct gpuarr_allocator gpuarr_allocator;

/** Kinds of allocators. $GPUARR_ALLOCATOR may name one, "pool", "driver", "managed" or "direct",
 *  for devices to begin with; without it they begin with a pool. */
enum {
  GPUARR_ALLOCATOR_POOL = 1,   /**< keeps blocks of the device and cuts them; a request that it can
                                    serve makes no call to the driver */
  GPUARR_ALLOCATOR_DRIVER = 2, /**< the driver's stream-ordered pool; on the CPU device as direct */
  GPUARR_ALLOCATOR_MANAGED = 3, /**< a pool of managed memory, which CPU and GPU both reach */
  GPUARR_ALLOCATOR_DIRECT = 4   /**< each request goes to the device, each release waits for the
                                     stream: slow, and what tools that watch memory can follow */
};

/** Make an allocator.
 *  @param[out] out     the allocator, owned by the caller; NULL on failure
 *  @param      device  whose memory
 *  @param      kind    GPUARR_ALLOCATOR_POOL, ..._DRIVER, ..._MANAGED or ..._DIRECT
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_create(gpuarr_allocator** out, gpuarr_device* device,
                                                 int32_t kind);

/** Gives memory that work in a stream may use at once.
 *  @param[out] out     its address, a multiple of 16; NULL if there is no room, upon which caches
 *                      are emptied, gpuarr_reclaim_fn are called and it is asked again
 *  @param      bytes   at least so many, above 0
 *  @param      device  whose memory
 *  @param      stream  the stream, valid during the call
 *  @param      user    as it was given
 *  @return GPUARR_OK; any other status is what the call fails with that needed the memory */
typedef gpuarr_status (*gpuarr_allocate_fn)(void** out, int64_t bytes, gpuarr_device* device,
                                            gpuarr_stream* stream, void* GPUARR_NULLABLE user);

/** Takes memory back. Work that was given to the stream before may still use it.
 *  @param  data    what gpuarr_allocate_fn gave
 *  @param  bytes   what was asked for
 *  @param  device  whose memory
 *  @param  stream  the stream, valid during the call; NULL where there is no memory to tell it:
 *                  then all work of the device has been waited for
 *  @param  user    as it was given */
typedef void (*gpuarr_deallocate_fn)(void* data, int64_t bytes, gpuarr_device* device,
                                     gpuarr_stream* GPUARR_NULLABLE stream,
                                     void* GPUARR_NULLABLE user);

/** Make an allocator of functions of yours, which are called from any thread.
 *  @param[out] out         the allocator, owned by the caller; NULL on failure
 *  @param      device      whose memory they give
 *  @param      allocate    gives memory
 *  @param      deallocate  takes it back; must not fail
 *  @param      user        is handed to both; it must last as long as the allocator, which is as
 *                          long as memory of it is in use
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

/** Let a device's new arrays come from an allocator, in all streams that have none of their own.
 *  @param  device     the device
 *  @param  allocator  one of that device; NULL for the pool that it began with
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_set_current(gpuarr_device* device,
                                                      gpuarr_allocator* GPUARR_NULLABLE allocator);

/** Let arrays that are made in a stream from now on come from an allocator.
 *  @param  stream     the stream
 *  @param  allocator  one of its device; NULL for the device's current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status
gpuarr_allocator_set_for_stream(gpuarr_stream* stream, gpuarr_allocator* GPUARR_NULLABLE allocator);

/** Find the allocator that an array made in a stream would come from now.
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

/** Read one of an allocator's numbers.
 *  @param[out] out        the number; 0 on failure
 *  @param      allocator  the allocator
 *  @param      statistic  a GPUARR_MEMORY_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_statistic(int64_t* out, gpuarr_allocator* allocator,
                                                    int32_t statistic);

/** Give what an allocator caches and nobody uses back to the device, as gpuarr_memory_trim.
 *  @param  allocator  the allocator
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_trim(gpuarr_allocator* allocator);

/** Get memory that is no array's, for another library to work in, say.
 *  @param[out] out        its address, a multiple of 16; NULL on failure, and for 0 bytes
 *  @param      allocator  where it comes from
 *  @param      bytes      how much
 *  @param      stream     work in this stream may use it at once; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_allocate(void** out, gpuarr_allocator* allocator,
                                                   int64_t bytes,
                                                   gpuarr_stream* GPUARR_NULLABLE stream);

/** Give such memory back, before the allocator's last reference is dropped. Work that was given to
 *  the stream before may still use it.
 *  @param  allocator  where it came from
 *  @param  data       its address; nothing happens for NULL
 *  @param  stream     the stream that used it last; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (memory that is not in use, or not of this allocator),
 *          GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_allocator_free(gpuarr_allocator* allocator,
                                               void* GPUARR_NULLABLE data,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
