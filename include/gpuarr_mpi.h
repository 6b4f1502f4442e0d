/** @file gpuarr_mpi.h  A transport of any MPI, compiled with its own mpi.h: for an MPI that the
 *  library does not know, one that is linked as an archive, a simulator of MPI. With Open MPI, the
 *  MPICH family and MPI 5's standard interface, teams take an MPI_Comm as it is. C and C++. */
#ifndef GPUARR_MPI_H
#define GPUARR_MPI_H

#include <mpi.h>
#include <stdlib.h>

#include "gpuarr/transport.h"

/* What is below is used by gpuarr_transport_from_mpi alone. */

/* Bytes of one message of MPI, which counts them in an int. */
#define GPUARR_MPI_PART INT64_C(1073741824)

struct gpuarr_mpi_message {
  int parts, over;
  MPI_Request requests[1]; /* as many as there are parts */
};

/* Also where MPI is not in use any more. */
static inline struct gpuarr_mpi_message* gpuarr_mpi_begin(int64_t bytes) {
  const int64_t parts = bytes > 0 ? (bytes - 1) / GPUARR_MPI_PART + 1 : 1;
  struct gpuarr_mpi_message* message;
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (is_over) return NULL;
  message = (struct gpuarr_mpi_message*)malloc(sizeof *message +
                                               (size_t)parts * sizeof *message->requests);
  if (message == NULL) return NULL;
  message->parts = (int)parts;
  message->over = 0;
  return message;
}

static inline int gpuarr_mpi_count(int64_t bytes, int part) {
  const int64_t rest = bytes - (int64_t)part * GPUARR_MPI_PART;
  return (int)(rest < GPUARR_MPI_PART ? rest : GPUARR_MPI_PART);
}

static inline int32_t gpuarr_mpi_send(void** out, const void* data, int64_t bytes, int32_t to,
                                      int32_t tag, void* user) {
  struct gpuarr_mpi_message* message = gpuarr_mpi_begin(bytes);
  int code = message != NULL ? MPI_SUCCESS : MPI_ERR_OTHER, k;
  for (k = 0; code == MPI_SUCCESS && k < message->parts; ++k)
    code = MPI_Isend((char*)data + (int64_t)k * GPUARR_MPI_PART, gpuarr_mpi_count(bytes, k),
                     MPI_BYTE, to, tag, *(MPI_Comm*)user, &message->requests[k]);
  *out = message;
  return code;
}

static inline int32_t gpuarr_mpi_receive(void** out, void* data, int64_t bytes, int32_t from,
                                         int32_t tag, void* user) {
  struct gpuarr_mpi_message* message = gpuarr_mpi_begin(bytes);
  int code = message != NULL ? MPI_SUCCESS : MPI_ERR_OTHER, k;
  for (k = 0; code == MPI_SUCCESS && k < message->parts; ++k)
    code = MPI_Irecv((char*)data + (int64_t)k * GPUARR_MPI_PART, gpuarr_mpi_count(bytes, k),
                     MPI_BYTE, from, tag, *(MPI_Comm*)user, &message->requests[k]);
  *out = message;
  return code;
}

static inline int32_t gpuarr_mpi_test(int32_t* out, void* request, void* user) {
  struct gpuarr_mpi_message* message = (struct gpuarr_mpi_message*)request;
  MPI_Status status;
  int is_over = 0, code = MPI_SUCCESS;
  (void)user;
  MPI_Finalized(&is_over);
  if (is_over) return MPI_ERR_OTHER;
  for (*out = 0; message->over < message->parts; ++message->over) {
    code = MPI_Test(&message->requests[message->over], &is_over, &status);
    if (code != MPI_SUCCESS || !is_over) return code;
  }
  free(message);
  *out = 1;
  return code;
}

static inline int32_t gpuarr_mpi_probe(int32_t* out, int32_t tag, void* user) {
  MPI_Status status;
  int is_there = 0, code;
  MPI_Finalized(&is_there);
  if (is_there) return MPI_ERR_OTHER;
  code = MPI_Iprobe(MPI_ANY_SOURCE, tag, *(MPI_Comm*)user, &is_there, &status);
  *out = is_there ? status.MPI_SOURCE : -1;
  return code;
}

/* Of another communicator, MPICH 4.0 waits for those that do not answer. */
static inline void gpuarr_mpi_abort(int32_t code, void* user) {
  (void)user;
  MPI_Abort(MPI_COMM_WORLD, code);
}

static inline void gpuarr_mpi_release(void* user) { free(user); }

/** Create a transport of a communicator.
 *  @param[out] out   the transport, owned by the caller; NULL on failure
 *  @param      comm  a communicator on which nothing else is sent, such as a duplicate, with one
 *                    group. It must stay as long as the transport is used, and returns errors
 *                    from now on
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY */
static inline gpuarr_status gpuarr_transport_from_mpi(gpuarr_transport** out, MPI_Comm comm) {
  MPI_Comm* user = (MPI_Comm*)malloc(sizeof *user);
  int rank = -1, size = 0;
  gpuarr_status status;
  if (user != NULL) {
    *user = comm;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
  }
  status = gpuarr_transport_create(out, rank, size, gpuarr_mpi_send, gpuarr_mpi_receive,
                                   gpuarr_mpi_test, user);
  if (status != GPUARR_OK) {
    free(user);
    return user != NULL ? status : GPUARR_ERR_OUT_OF_MEMORY;
  }
  gpuarr_transport_set_probe(*out, gpuarr_mpi_probe);
  gpuarr_transport_set_abort(*out, gpuarr_mpi_abort);
  gpuarr_transport_set_release(*out, gpuarr_mpi_release);
  gpuarr_transport_set_name(*out, "MPI of gpuarr_mpi.h");
  return GPUARR_OK;
}

#endif
