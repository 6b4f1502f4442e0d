/** @file gpuarr/stream.h  Streams, in which work runs in order, and events, which mark points in
 *  streams. */
#ifndef GPUARR_STREAM_H
#define GPUARR_STREAM_H

#include "gpuarr/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A queue of work on one device, reference-counted. Wherever a function takes a stream, NULL means
 *  the calling thread's current stream of the device. */
typedef struct gpuarr_stream gpuarr_stream;

/** A point in a stream, reference-counted. */
typedef struct gpuarr_event gpuarr_event;

/** Flags of streams. */
enum {
  /** The stream synchronizes with CUDA's legacy default stream, which other libraries use by
   *  default. No effect on the CPU device. */
  GPUARR_STREAM_BLOCKING = 1
};

/** Flags of events. */
enum {
  GPUARR_EVENT_NO_TIMING = 1 /**< it records no time, which costs less */
};

/** A function that runs in the order of a stream. It must not throw, use a GPU or wait for work; it
 *  may release objects. */
typedef void (*gpuarr_host_function)(void* user);

/** Create a stream.
 *  @param[out] out       the stream, owned by the caller; NULL on failure
 *  @param      device    where it runs
 *  @param      priority  0 is normal, smaller numbers are more urgent; clamped to the device's
 *                        range
 *  @param      flags     0 or GPUARR_STREAM_BLOCKING
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_create(gpuarr_stream** out, gpuarr_device* device,
                                              int32_t priority, int32_t flags);

/** Use a stream that another library created. Borrowing a handle again returns the same stream. The
 *  owner may destroy the stream once all references to ours are released, including those of
 *  threads whose current stream it is; arrays that were used in it need not be released first.
 *  @param[out] out     the stream, owned by the caller; NULL on failure
 *  @param      device  the device that it was created for
 *  @param      native  a CUstream. NULL and CU_STREAM_LEGACY are CUDA's legacy default stream;
 *                      CU_STREAM_PER_THREAD is the calling thread's, to be used by this thread
 *                      only. On the CPU device the result of gpuarr_stream_native for a live
 *                      stream, or NULL for the device's own stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_borrow(gpuarr_stream** out, gpuarr_device* device,
                                              void* GPUARR_NULLABLE native);

/** Take another reference.
 *  @return @p stream
 *  @threadsafe */
GPUARR_API gpuarr_stream* gpuarr_stream_retain(gpuarr_stream* GPUARR_NULLABLE stream);

/** Drop a reference. Work that was submitted to the stream still runs.
 *  @threadsafe */
GPUARR_API void gpuarr_stream_release(gpuarr_stream* GPUARR_NULLABLE stream);

/** Get the calling thread's current stream of a device.
 *  @param[out] out     the stream, to be released by the caller; NULL on failure
 *  @param      device  the device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_current(gpuarr_stream** out, gpuarr_device* device);

/** Set the calling thread's current stream of a device. The thread holds a reference.
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

/** Priority of the stream, after clamping.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_stream_priority(const gpuarr_stream* stream);

/** Native handle of the stream, for other libraries: a CUstream; on the CPU device a pointer that
 *  identifies this stream. Valid as long as the stream.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API void* gpuarr_stream_native(const gpuarr_stream* stream);

/** Wait until the work in a stream is done, and return its error if it failed.
 *  @param  stream  the stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER, GPUARR_ERR_INDEX (see gpuarr_take),
 *          GPUARR_ERR_PEER and GPUARR_ERR_TIMEOUT (messages of a team do not come; see team.h)
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_synchronize(gpuarr_stream* stream);

/** Ask whether the work in a stream is done.
 *  @param[out] out_done  1 if it is, else 0
 *  @param      stream    the stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_query(int32_t* out_done, gpuarr_stream* stream);

/** Make a stream wait for an event: work that is submitted from now on runs after the event's
 *  point. The event may belong to another device. An event that was never recorded is not waited
 *  for.
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_wait(gpuarr_stream* stream, gpuarr_event* event);

/** Call a function when the work submitted to a stream so far is done; work that is submitted later
 *  waits for its return. It is not called if the device is lost before.
 *  @param  stream    the stream
 *  @param  function  called once, on a thread of the driver; on the CPU device on the thread that
 *                    runs the stream's work, which may be this thread before this call returns
 *  @param  user      passed to the function
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_host_function(gpuarr_stream* stream,
                                                     gpuarr_host_function function,
                                                     void* GPUARR_NULLABLE user);

/** Create an event.
 *  @param[out] out     the event, owned by the caller; NULL on failure
 *  @param      device  the device of the streams that will record it
 *  @param      flags   0 or GPUARR_EVENT_NO_TIMING
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_event_create(gpuarr_event** out, gpuarr_device* device,
                                             int32_t flags);

/** Take another reference.
 *  @return @p event
 *  @threadsafe */
GPUARR_API gpuarr_event* gpuarr_event_retain(gpuarr_event* GPUARR_NULLABLE event);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_event_release(gpuarr_event* GPUARR_NULLABLE event);

/** Device of an event.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API gpuarr_device* gpuarr_event_device(const gpuarr_event* event);

/** Native handle of the event: a CUevent; NULL on the CPU device. Valid as long as the event.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API void* gpuarr_event_native(const gpuarr_event* event);

/** Record an event: it marks the end of all work submitted to the stream so far.
 *  @param  event   the event; it no longer marks an earlier point
 *  @param  stream  a stream of the event's device; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @externalsync calls that record the same event */
GPUARR_API gpuarr_status gpuarr_event_record(gpuarr_event* event,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Wait until an event's point is reached; returns at once if it was never recorded.
 *  @return what gpuarr_stream_synchronize returns
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_event_synchronize(gpuarr_event* event);

/** Ask whether an event's point is reached.
 *  @param[out] out_done  1 if it is, or if it was never recorded, else 0
 *  @param      event     the event
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_event_query(int32_t* out_done, gpuarr_event* event);

/** Time between two events, both recorded and reached, on one device.
 *  @param[out] out_microseconds  the time, in microseconds
 *  @param      start             the earlier event
 *  @param      end               the later event
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (not recorded, not reached, or made without timing),
 *          GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_event_elapsed(double* out_microseconds, gpuarr_event* start,
                                              gpuarr_event* end);

#ifdef __cplusplus
}
#endif
#endif
