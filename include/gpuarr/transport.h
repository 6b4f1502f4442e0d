/** @file gpuarr/transport.h  Messages between the processes of a team through functions of your
 *  own: an MPI that the library does not know, another library, a simulator. gpuarr_mpi.h makes a
 *  transport of any MPI. */
#ifndef GPUARR_TRANSPORT_H
#define GPUARR_TRANSPORT_H

#include "gpuarr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Functions that send and receive messages, reference-counted. Teams that use them keep them
 *  alive. */
typedef struct gpuarr_transport gpuarr_transport;

/* Each function returns 0, or a code of its own: the call that needed it then fails with
 * GPUARR_ERR_PEER, and gpuarr_last_native_error() returns the code. None may wait for another
 * process. The functions of a transport are called by one thread at a time for each team, and must
 * allow for as many threads as there are teams of it that are used at the same time. Messages of
 * one tag between two processes arrive in the order in which they were sent. */

/** A function that begins to send a message.
 *  @param[out] out    the message under way, for gpuarr_test_fn; anything, NULL too
 *  @param      data   the bytes, which stay until gpuarr_test_fn says that they are sent
 *  @param      bytes  how many, 0 or more
 *  @param      to     the process that receives it, 0 to the number of processes - 1; may be the
 *                     caller itself
 *  @param      tag    0 to 32767: goes to the receive of the same tag
 *  @param      user   as given to gpuarr_transport_create */
typedef int32_t (*gpuarr_send_fn)(void** out, const void* data, int64_t bytes, int32_t to,
                                  int32_t tag, void* GPUARR_NULLABLE user);

/** A function that begins to receive a message.
 *  @param[out] out    the message under way, for gpuarr_test_fn; anything, NULL too
 *  @param      data   receives the bytes, and stays until gpuarr_test_fn says that they are there
 *  @param      bytes  how many, as many as are sent
 *  @param      from   the process that sends it
 *  @param      tag    the tag that it is sent with
 *  @param      user   as given to gpuarr_transport_create */
typedef int32_t (*gpuarr_receive_fn)(void** out, void* data, int64_t bytes, int32_t from,
                                     int32_t tag, void* GPUARR_NULLABLE user);

/** A function that asks whether a message is sent or received. It also lets others make progress
 *  that the transport has on the way.
 *  @param[out] out      1: it is over, and is not asked for again; 0: not yet
 *  @param      request  the message under way
 *  @param      user     as given to gpuarr_transport_create */
typedef int32_t (*gpuarr_test_fn)(int32_t* out, void* GPUARR_NULLABLE request,
                                  void* GPUARR_NULLABLE user);

/** A function that asks whether a message waits to be received, whoever sent it.
 *  @param[out] out   the process that sent it; -1: there is none
 *  @param      tag   its tag
 *  @param      user  as given to gpuarr_transport_create */
typedef int32_t (*gpuarr_probe_fn)(int32_t* out, int32_t tag, void* GPUARR_NULLABLE user);

/** A function that ends all processes, as MPI_Abort does.
 *  @param  code  an exit status
 *  @param  user  as given to gpuarr_transport_create */
typedef void (*gpuarr_abort_fn)(int32_t code, void* GPUARR_NULLABLE user);

/** A function that is called once, when nothing uses the transport any more. It must not throw, and
 *  may be called on any thread.
 *  @param  user  as given to gpuarr_transport_create */
typedef void (*gpuarr_release_fn)(void* GPUARR_NULLABLE user);

/** Create a transport from your own functions. Every process creates one, and all make the same
 *  teams of it in the same order.
 *  @param[out] out      the transport, owned by the caller; NULL on failure
 *  @param      rank     number of this process, from 0
 *  @param      size     number of processes
 *  @param      send     begins to send a message
 *  @param      receive  begins to receive one
 *  @param      test     asks whether a message is over
 *  @param      user     passed to all of the functions; it must stay valid as long as the
 *                       transport, which lives as long as anything uses it
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_transport_create(gpuarr_transport** out, int32_t rank, int32_t size,
                                                 gpuarr_send_fn send, gpuarr_receive_fn receive,
                                                 gpuarr_test_fn test, void* GPUARR_NULLABLE user);

/** Take another reference.
 *  @return @p transport
 *  @threadsafe */
GPUARR_API gpuarr_transport* gpuarr_transport_retain(gpuarr_transport* GPUARR_NULLABLE transport);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_transport_release(gpuarr_transport* GPUARR_NULLABLE transport);

/** Set the function that looks for messages of any process. Without one, what goes wrong in one
 *  process is noticed by others where they next agree, not before.
 *  @param  transport  the transport, before a team is made of it
 *  @param  probe      the function; NULL for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p transport */
GPUARR_API gpuarr_status gpuarr_transport_set_probe(gpuarr_transport* transport,
                                                    gpuarr_probe_fn GPUARR_NULLABLE probe);

/** Set the function that ends all processes. Without one, a process that gives up ends alone.
 *  @param  transport  the transport, before a team is made of it
 *  @param  abort      the function; NULL for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p transport */
GPUARR_API gpuarr_status gpuarr_transport_set_abort(gpuarr_transport* transport,
                                                    gpuarr_abort_fn GPUARR_NULLABLE abort);

/** Set the function that is called when nothing uses the transport any more.
 *  @param  transport  the transport, before a team is made of it
 *  @param  release    the function; NULL for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p transport */
GPUARR_API gpuarr_status gpuarr_transport_set_release(gpuarr_transport* transport,
                                                      gpuarr_release_fn GPUARR_NULLABLE release);

/** Set the name of the transport in messages and descriptions.
 *  @param  transport  the transport, before a team is made of it
 *  @param  name       as "Fujitsu MPI 4.0", copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p transport */
GPUARR_API gpuarr_status gpuarr_transport_set_name(gpuarr_transport* transport, const char* name);

#ifdef __cplusplus
}
#endif
#endif
