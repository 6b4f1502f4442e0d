/* What the programs of this folder check. It is compiled once, without any mpi.h; each program,
 * with the mpi.h of one MPI. */
#ifndef GPUARR_TEST_MPI_CHECKS_H
#define GPUARR_TEST_MPI_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "gpuarr/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All that transports do, on a communicator; in messages of `part` bytes, 0 for the usual. */
void check_comm(const void* comm, size_t bytes, int64_t part);
void check_fortran(int32_t comm);
void check_table(gpuarr_transport* transport);

/* A transport that stays, in one of a few places. Its communicator is given here, or by Fortran. */
void keep_transport(int place, const void* comm, size_t bytes);
void keep_fortran(int place, int32_t comm);
void check_kept(int place, int rank, int size, int32_t fortran);
void exchange_on_kept(int place);
void drop_on_kept(int place);                   /* a receive that nothing is sent to */
void kept_is_over(int place, const char* name); /* as its description begins */
void release_kept(int place);

/* What is refused. */
void check_refused(const void* comm, size_t bytes, int32_t status, const char* message);
void check_fortran_refused(int32_t comm, const char* message);
void check_bad_rank(const void* comm, size_t bytes, const char* message);
void check_sizes_differ(const void* comm, size_t bytes);

/* Teams on threads of their own: at the same time, or refused. */
void check_threads(const void* comm, size_t bytes, int allowed);

/* Microseconds of a message of 8 bytes there and back, between ranks 0 and 1. */
double ping_pong(const void* comm, size_t bytes, int count);

int checks_result(void); /* what main returns */

#ifdef __cplusplus
}
#endif
#endif
