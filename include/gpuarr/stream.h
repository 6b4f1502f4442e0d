/** @file gpuarr/stream.h  Streams, in which work runs in order, and events, which mark points. */
#ifndef GPUARR_STREAM_H
#define GPUARR_STREAM_H

#include "gpuarr/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A queue of work on one device, reference-counted. Wherever a function takes a stream, NULL means
 *  the calling thread's current stream of the device in question. */
typedef struct gpuarr_stream gpuarr_stream;

/** A point in a stream, reference-counted. */
typedef struct gpuarr_event gpuarr_event;

/** Make a stream.
 *  @param[out] out       the stream, owned by the caller; NULL on failure
 *  @param      device    where it runs
 *  @param      priority  0 is normal, a smaller number more urgent; clamped to the device's range
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_create(gpuarr_stream** out, gpuarr_device* device,
                                              int32_t priority);

/** Take another reference.
 *  @return @p stream
 *  @threadsafe */
GPUARR_API gpuarr_stream* gpuarr_stream_retain(gpuarr_stream* GPUARR_NULLABLE stream);

/** Drop a reference. Work that was given to the stream is still done.
 *  @threadsafe */
GPUARR_API void gpuarr_stream_release(gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the calling thread's current stream of a device.
 *  @param[out] out     the stream, to be released by the caller; NULL on failure
 *  @param      device  the device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_current(gpuarr_stream** out, gpuarr_device* device);

/** Make a stream the calling thread's current one of its device. The thread holds a reference.
 *  @param  device  the device whose current stream is set
 *  @param  stream  a stream of that device; NULL for the device's own stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_set_current(gpuarr_device* device,
                                                   gpuarr_stream* GPUARR_NULLABLE stream);

/** Device of a stream.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API gpuarr_device* gpuarr_stream_device(const gpuarr_stream* stream);

/** Priority that the stream got.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_stream_priority(const gpuarr_stream* stream);

/** The device's own handle of the stream: a CUstream; NULL on the CPU device. Borrowed.
 *  @threadsafe */
GPUARR_API void* gpuarr_stream_native(const gpuarr_stream* stream);

/** Wait until the work in a stream is done, and report what went wrong in it.
 *  @param  stream  the stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_synchronize(gpuarr_stream* stream);

/** Ask whether the work in a stream is done.
 *  @param[out] out_done  1 if it is, else 0
 *  @param      stream    the stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_query(int32_t* out_done, gpuarr_stream* stream);

/** Let a stream wait for an event: what is given to it from now on runs after the event's point.
 *  The event may be of another device. An event that was never recorded is not waited for.
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_wait(gpuarr_stream* stream, gpuarr_event* event);

/** Make an event.
 *  @param[out] out     the event, owned by the caller; NULL on failure
 *  @param      device  the device of the streams that it will be recorded in
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_event_create(gpuarr_event** out, gpuarr_device* device);

/** Take another reference.
 *  @return @p event
 *  @threadsafe */
GPUARR_API gpuarr_event* gpuarr_event_retain(gpuarr_event* GPUARR_NULLABLE event);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_event_release(gpuarr_event* GPUARR_NULLABLE event);

/** Record an event: it marks the end of all work given to the stream so far.
 *  @param  event   the event; a point that it marked before is forgotten
 *  @param  stream  a stream of the event's device; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @externalsync calls that record the same event */
GPUARR_API gpuarr_status gpuarr_event_record(gpuarr_event* event,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Wait until an event's point is reached; at once if it was never recorded.
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_event_synchronize(gpuarr_event* event);

/** Ask whether an event's point is reached.
 *  @param[out] out_done  1 if it is, or if it was never recorded, else 0
 *  @param      event     the event
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_event_query(int32_t* out_done, gpuarr_event* event);

/** Time between two events, both recorded and reached, on one device.
 *  @param[out] out_milliseconds  the time, in milliseconds
 *  @param      start             the earlier event
 *  @param      end               the later event
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (not recorded, or not reached), GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_event_elapsed(double* out_milliseconds, gpuarr_event* start,
                                              gpuarr_event* end);

#ifdef __cplusplus
}
#endif
#endif
