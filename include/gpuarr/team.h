/** @file gpuarr/team.h  Teams: several devices, in one process or in many, that work on the blocks
 *  of blocked arrays.
 *
 *  A team is an ordered list of places; a place is a device of a process. Every process makes the
 *  same calls on a team and its blocked arrays, in the same order, each for its own places: such
 *  calls are collective, and their comments say so. One program serves one process and many:
 *
 *      gpuarr_team* team;
 *      gpuarr_team_world(&team, NULL);   // MPI's world, `gpuarr run`'s processes, or this one
 *
 *  Errors. A wrong argument fails alike on every place, nothing is sent, and the team goes on. When
 *  a call fails on one place only, for lack of memory, in a callback, as a kernel does not compile,
 *  or for memory of the program that this place alone has, it gets its error, and all others get
 *  GPUARR_ERR_PEER, with place, call and cause, from the call that they wait in or their next one;
 *  gpuarr_team_synchronize is the call after which all places know. The team can then only be
 *  released. If a process ends without a word, calls that wait for it fail after the deadline
 *  (gpuarr_team_set_timeout), and so does what waits for work of a place's device that needs its
 *  messages: gpuarr_stream_synchronize, gpuarr_event_synchronize, gpuarr_device_synchronize,
 *  gpuarr_array_read.
 *
 *  Messages go by MPI, which is not linked: the one that the process has loaded is found when a
 *  team is made (Open MPI; MPICH and what has its ABI; the standard ABI of MPI 5). Between GPUs
 *  they go by NCCL, where each place has a GPU of its own, and otherwise by page-locked memory of
 *  the host; gpuarr_team_describe says which.
 */
#ifndef GPUARR_TEAM_H
#define GPUARR_TEAM_H

#include "gpuarr/stream.h"
#include "gpuarr/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A team, reference-counted. One thread at a time uses a team and its blocked arrays. */
typedef struct gpuarr_team gpuarr_team;

/** What happens after the deadline. */
enum {
  GPUARR_TIMEOUT_ABORT = 1, /**< all processes are ended, as by MPI_Abort; the default */
  GPUARR_TIMEOUT_RETURN = 2 /**< the call returns GPUARR_ERR_TIMEOUT; the team can only be
                                 released */
};

/** A function that is told how far a call has come.
 *  @param  operation  name of the C function, valid during the call
 *  @param  done       blocks of this process that are done
 *  @param  total      blocks of this process
 *  @param  user       as given to gpuarr_team_set_progress */
typedef void (*gpuarr_progress_fn)(const char* operation, int64_t done, int64_t total,
                                   void* GPUARR_NULLABLE user);

/** Make a team of devices of this process alone.
 *  @param[out] out      the team, owned by the caller; NULL on failure
 *  @param      devices  a device for each place; one may be there several times. NULL: GPUs 0 to
 *                       count - 1 where there are as many, otherwise the CPU @p count times
 *  @param      count    number of places, 1 to 65536; 0 with @p devices NULL: one for each GPU, or
 *                       one on the CPU
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_team_local(gpuarr_team** out,
                                           gpuarr_device* const* GPUARR_NULLABLE devices,
                                           int32_t count);

/** Make a team of all processes that this one was started with: by `gpuarr run`, or by a launcher
 *  of MPI, then of MPI's world; MPI is initialized if nobody has done it. A process that was
 *  started alone becomes a team of one. Collective.
 *  @param[out] out     the team, owned by the caller; NULL on failure
 *  @param      device  this process's device; NULL for a GPU that no other process of the machine
 *                      has, as far as there are as many, or the CPU where there is none. The
 *                      default device, where $GPUARR_DEVICE says one
 *  @return as gpuarr_team_from_mpi
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_team_world(gpuarr_team** out,
                                           gpuarr_device* GPUARR_NULLABLE device);

/** Make a team of the processes of an MPI communicator, each with one place. Collective.
 *
 *      gpuarr_team_from_mpi(&team, &comm, sizeof comm, NULL);
 *
 *  Messages do not mix with the program's own: they go through a duplicate of the communicator.
 *  After MPI_Finalize the team can only be released. MPI must be initialized; with
 *  MPI_THREAD_FUNNELED the team is used by the main thread only.
 *  @param[out] out     the team, owned by the caller; NULL on failure
 *  @param      comm    address of an MPI_Comm, an intracommunicator
 *  @param      bytes   sizeof(MPI_Comm), which tells whose handle it is
 *  @param      device  as in gpuarr_team_world
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (also: not this MPI's handle), GPUARR_ERR_NO_LIBRARY (no
 *          MPI is loaded), GPUARR_ERR_UNSUPPORTED (an MPI of unknown ABI: see gpuarr_mpi.h),
 *          GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_DRIVER, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe as far as MPI is */
GPUARR_API gpuarr_status gpuarr_team_from_mpi(gpuarr_team** out, const void* comm, int64_t bytes,
                                              gpuarr_device* GPUARR_NULLABLE device);

/** Make a team of the processes of an MPI communicator that is known by its Fortran handle: the
 *  integer of mpif.h and the module mpi, comm%MPI_VAL of mpi_f08. Collective.
 *  @param[out] out     the team, owned by the caller; NULL on failure
 *  @param      comm    the handle
 *  @param      device  as in gpuarr_team_world
 *  @return as gpuarr_team_from_mpi
 *  @threadsafe as far as MPI is */
GPUARR_API gpuarr_status gpuarr_team_from_mpi_f(gpuarr_team** out, int32_t comm,
                                                gpuarr_device* GPUARR_NULLABLE device);

/** Make a team of the processes of a transport. Collective.
 *  @param[out] out        the team, owned by the caller; NULL on failure
 *  @param      transport  what messages go by
 *  @param      device     as in gpuarr_team_world
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_DRIVER,
 *          GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe as far as the transport is */
GPUARR_API gpuarr_status gpuarr_team_from_transport(gpuarr_team** out, gpuarr_transport* transport,
                                                    gpuarr_device* GPUARR_NULLABLE device);

/** Take another reference.
 *  @return @p team
 *  @threadsafe */
GPUARR_API gpuarr_team* gpuarr_team_retain(gpuarr_team* GPUARR_NULLABLE team);

/** Drop a reference. No other place is waited for; teams may be released in any order.
 *  @threadsafe */
GPUARR_API void gpuarr_team_release(gpuarr_team* GPUARR_NULLABLE team);

/** Number of places.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_team_size(const gpuarr_team* team);

/** Number of the first place of this process: its rank where each process has one place.
 *  @return -1 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_team_first(const gpuarr_team* team);

/** Number of places of this process, which follow each other.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_team_local_count(const gpuarr_team* team);

/** Device of a place of this process.
 *  @return NULL for a place of another process, and for NULL
 *  @threadsafe */
GPUARR_API gpuarr_device* gpuarr_team_device(const gpuarr_team* team, int32_t place);

/** Get the stream in which a place works on its blocks: the one that was the device's current one
 *  when the team was made.
 *  @param[out] out    the stream, to be released by the caller; NULL on failure
 *  @param      team   the team
 *  @param      place  a place of this process
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_team_stream(gpuarr_stream** out, gpuarr_team* team, int32_t place);

/** Describe a team: places, processes, machines, devices, and what messages go by, with versions.
 *  @param[out] out   the text, valid until this thread's next call of this function; NULL on
 *                    failure
 *  @param      team  the team
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_team_describe(const char** out, gpuarr_team* team);

/** Set how long calls wait for other places, and what happens then.
 *  @param  team     the team
 *  @param  seconds  the deadline of each wait, 0 for none; $GPUARR_TIMEOUT or 300 unless set
 *  @param  action   GPUARR_TIMEOUT_ABORT or GPUARR_TIMEOUT_RETURN
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p team */
GPUARR_API gpuarr_status gpuarr_team_set_timeout(gpuarr_team* team, double seconds, int32_t action);

/** Set a function that is told how far calls have come.
 *  @param  team      the team
 *  @param  function  called on the thread that makes the collective call, between blocks; NULL for
 *                    none
 *  @param  user      passed to the function
 *  @param  seconds   it is called at most once in this time, and at a call's end if it was called
 *                    before
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p team */
GPUARR_API gpuarr_status gpuarr_team_set_progress(gpuarr_team* team,
                                                  gpuarr_progress_fn GPUARR_NULLABLE function,
                                                  void* GPUARR_NULLABLE user, double seconds);

/** Wait until all places have done all work that they were given, and learn whether any failed.
 *  Collective.
 *  @param  team  the team
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH
 *          (with $GPUARR_CHECK=team, which compares the calls of all places: they differ),
 *          GPUARR_ERR_DRIVER, and the errors of work in the streams
 *  @externalsync @p team */
GPUARR_API gpuarr_status gpuarr_team_synchronize(gpuarr_team* team);

/** Get the profile's report of each process (gpuarr_profile_report, as text), by place. Collective.
 *  With $GPUARR_PROFILE=FILE each process writes a file of its own at its end, named by its place.
 *  @param[out] out   the text, valid until this thread's next call of this function; NULL on
 *                    failure
 *  @param      team  the team
 *  @return as gpuarr_team_synchronize
 *  @externalsync @p team */
GPUARR_API gpuarr_status gpuarr_team_profile(const char** out, gpuarr_team* team);

/** NCCL's communicator of a place of this process, an ncclComm_t, for libraries that take one; work
 *  in it must be in the team's order on all places. Valid as long as the team.
 *  @return NULL where the team does not use NCCL, and for NULL
 *  @threadsafe */
GPUARR_API void* gpuarr_team_nccl(const gpuarr_team* team, int32_t place);

/** Fortran handle of the communicator that the team was made of, which is MPI's world for
 *  gpuarr_team_world: for libraries that take one. The team's own messages go through a duplicate,
 *  so those of a library do not mix with them.
 *  @return -1 where the team does not use MPI, after the communicator was freed, and for NULL
 *  @threadsafe as far as MPI is */
GPUARR_API int32_t gpuarr_team_mpi_f(const gpuarr_team* team);

#ifdef __cplusplus
}
#endif
#endif
