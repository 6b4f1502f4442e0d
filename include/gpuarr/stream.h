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

/** What streams are made with. */
enum {
  /** It waits for CUDA's legacy default stream, in which other libraries work unless told
   *  otherwise, and that one waits for it. Nothing on the CPU device. */
  GPUARR_STREAM_BLOCKING = 1
};

/** What events are made with. */
enum {
  GPUARR_EVENT_NO_TIMING = 1 /**< it marks a point but knows no time, which costs less */
};

/** What runs in the order of a stream. It must not throw, and can neither use a GPU nor wait for
 *  any work; it may release objects. */
typedef void (*gpuarr_host_function)(void* user);

/** Make a stream.
 *  @param[out] out       the stream, owned by the caller; NULL on failure
 *  @param      device    where it runs
 *  @param      priority  0 is normal, a smaller number more urgent; clamped to the device's range
 *  @param      flags     0 or GPUARR_STREAM_BLOCKING
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_create(gpuarr_stream** out, gpuarr_device* device,
                                              int32_t priority, int32_t flags);

/** Use a stream that somebody else made. One handle is one stream, however often it is borrowed.
 *  Its owner may destroy it when all references to ours are released, those of threads whose
 *  current stream it is among them; arrays that were used in it need not be released first.
 *  @param[out] out     the stream, owned by the caller; NULL on failure
 *  @param      device  the device that it was made for
 *  @param      native  a CUstream. NULL and CU_STREAM_LEGACY are CUDA's legacy default stream;
 *                      CU_STREAM_PER_THREAD is the calling thread's, to be used by this thread
 *                      only. On the CPU device what gpuarr_stream_native says of a live stream, or
 *                      NULL for the device's own one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_borrow(gpuarr_stream** out, gpuarr_device* device,
                                              void* GPUARR_NULLABLE native);

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

/** The device's own handle of the stream, to be given to other libraries: a CUstream; on the CPU
 *  device a pointer that is this stream's alone. Valid as long as the stream.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API void* gpuarr_stream_native(const gpuarr_stream* stream);

/** Wait until the work in a stream is done, and report what went wrong in it.
 *  @param  stream  the stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER, GPUARR_ERR_INDEX (see gpuarr_take)
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

/** Call a function when the work that was given to a stream so far is done; what is given later
 *  waits for its return. It is not called if the device is lost before.
 *  @param  stream    the stream
 *  @param  function  called once, on a thread of the driver's; on the CPU device where the stream's
 *                    work is done, which may be this thread and before this call returns
 *  @param  user      passed on
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_host_function(gpuarr_stream* stream,
                                                     gpuarr_host_function function,
                                                     void* GPUARR_NULLABLE user);

/** Make an event.
 *  @param[out] out     the event, owned by the caller; NULL on failure
 *  @param      device  the device of the streams that it will be recorded in
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

/** The device's own handle of the event: a CUevent; NULL on the CPU device. Valid as long as the
 *  event.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API void* gpuarr_event_native(const gpuarr_event* event);

/** Record an event: it marks the end of all work given to the stream so far.
 *  @param  event   the event; a point that it marked before is forgotten
 *  @param  stream  a stream of the event's device; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @externalsync calls that record the same event */
GPUARR_API gpuarr_status gpuarr_event_record(gpuarr_event* event,
                                             gpuarr_stream* GPUARR_NULLABLE stream);

/** Wait until an event's point is reached; at once if it was never recorded.
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER, GPUARR_ERR_INDEX (see gpuarr_take)
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
