/* The library in a program of MPI's, which is compiled with the mpi.h of each MPI there is.
 * usage: program LEVEL, of threads; program bench */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

static const MPI_Comm none = MPI_COMM_NULL;
static MPI_Comm world;
static int rank, size;
static char name[100]; /* of the MPI */

static void find_name(void) {
#if defined(OPEN_MPI)
  snprintf(name, sizeof name, "Open MPI %d.%d.%d", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION,
           OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
  snprintf(name, sizeof name, "MPICH %s", MPICH_VERSION);
#else
  snprintf(name, sizeof name, "MPICH behind the standard interface 1.0");
#endif
}

static int level_named(const char* word) {
  if (strcmp(word, "single") == 0) return MPI_THREAD_SINGLE;
  if (strcmp(word, "funneled") == 0) return MPI_THREAD_FUNNELED;
  if (strcmp(word, "serialized") == 0) return MPI_THREAD_SERIALIZED;
  return MPI_THREAD_MULTIPLE;
}

static void refused(void) {
  char message[200];
  const size_t bytes = sizeof(MPI_Comm);
  check_refused(NULL, bytes, GPUARR_ERR_ARGUMENT, "comm is NULL; give the address of an MPI_Comm");
  check_refused(&none, bytes, GPUARR_ERR_ARGUMENT,
                "comm is MPI_COMM_NULL; give a communicator of this process");
  snprintf(message, sizeof message,
           "comm is an MPI_Comm of %d bytes, but the loaded MPI is %s, whose handles have %d",
           (int)(12 - bytes), name, (int)bytes);
  check_refused(&world, 12 - bytes, GPUARR_ERR_ARGUMENT, message);
  check_fortran_refused(MPI_Comm_c2f(none), "comm is MPI_COMM_NULL");
  const uint64_t zero = 0;
  check_refused(&zero, bytes, GPUARR_ERR_ARGUMENT, "which is no communicator of");
  check_bad_rank(&world, bytes, "rank");
  check_sizes_differ(&world, bytes);
}

/* Two halves, which know each other by an intercommunicator. */
static void intercommunicator(void) {
  if (size < 2) return;
  MPI_Comm half, between;
  MPI_Comm_split(world, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, world, 1 - rank % 2, 5, &between);
  check_refused(&between, sizeof between, GPUARR_ERR_ARGUMENT, "comm is an intercommunicator");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

/* Ranks in another order, by Fortran's handle; freed while a transport is on it. */
static void part_of_the_world(void) {
  MPI_Comm other;
  MPI_Comm_split(world, 0, -rank, &other);
  check_fortran(MPI_Comm_c2f(other));
  keep_fortran(2, MPI_Comm_c2f(other));
  check_kept(2, size - 1 - rank, size, MPI_Comm_c2f(other));
  MPI_Comm_free(&other);
  check_kept(2, size - 1 - rank, size, -1);
  exchange_on_kept(2);
  release_kept(2);
  for (int k = 0; k < 20; ++k) { /* more than one, each with a duplicate that goes with it */
    MPI_Comm_split(world, 0, rank, &other);
    keep_transport(2, &other, sizeof other);
    release_kept(2);
    MPI_Comm_free(&other);
  }
}

/* The program's own messages are not taken, whatever their tags, nor do they take others. */
static void messages_of_the_program(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  int out = rank, in = -1;
  MPI_Request receiving;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &receiving);
  check_comm(&world, sizeof world, 0);
  MPI_Send(&out, 1, MPI_INT, next, 3, world);
  MPI_Wait(&receiving, MPI_STATUS_IGNORE);
  if (in != before) exit(1);
}

static void bench(void) {
  enum { COUNT = 20000, TIMES = 5 };
  for (int k = 0; k < TIMES && size > 1; ++k) {
    double raw = 0, out = 1, in = 0;
    if (rank < 2) {
      const double start = MPI_Wtime();
      for (int n = 0; n < COUNT; ++n) {
        if (rank == 0) MPI_Send(&out, 8, MPI_BYTE, 1, 0, world);
        MPI_Recv(&in, 8, MPI_BYTE, 1 - rank, 0, world, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(&out, 8, MPI_BYTE, 0, 0, world);
      }
      raw = (MPI_Wtime() - start) / COUNT * 1e6;
    }
    const double ours = ping_pong(&world, sizeof world, COUNT);
    if (rank == 0) printf("8 bytes there and back: %.2f us by MPI_Send, %.2f us here\n", raw, ours);
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "multiple";
  find_name();
  world = MPI_COMM_WORLD;
  int level = 0;
  check_refused(&world, sizeof world, GPUARR_ERR_PEER, "is not initialised; call MPI_Init_thread");
  MPI_Init_thread(&argc, &argv, level_named(mode), &level);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  if (strcmp(mode, "bench") == 0) {
    bench();
    MPI_Finalize();
    return 0;
  }
  messages_of_the_program();
  check_comm(&world, sizeof world, 100000); /* what is large goes in parts */
  refused();
  intercommunicator();
  part_of_the_world();
  check_threads(&world, sizeof world, level >= MPI_THREAD_SERIALIZED);
  keep_transport(0, &world, sizeof world);
  keep_fortran(1, MPI_Comm_c2f(MPI_COMM_SELF));
  check_kept(0, rank, size, MPI_Comm_c2f(world));
  check_kept(1, 0, 1, MPI_Comm_c2f(MPI_COMM_SELF));
  exchange_on_kept(0);
  drop_on_kept(0);
  drop_on_kept(1);
  MPI_Finalize();
  kept_is_over(0, name);
  kept_is_over(1, name);
  check_refused(&world, sizeof world, GPUARR_ERR_PEER, "was finalised; nothing can be sent");
  release_kept(rank % 2); /* each in another order */
  release_kept(1 - rank % 2);
  return checks_result();
}
