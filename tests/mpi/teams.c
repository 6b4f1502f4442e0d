/* Several teams in a program of MPI's, compiled with the mpi.h of each MPI there is: on one
 * communicator and on parts of it, on threads of their own, after MPI's end.
 * usage: teams LEVEL, of threads */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuarr.h"

static int rank, size;

#define REQUIRE(condition) require((condition) != 0, #condition, __LINE__)
#define OK(call) require((call) == GPUARR_OK, #call, __LINE__)

static void require(int is_so, const char* what, int line) {
  if (is_so) return;
  fprintf(stderr, "%s:%d: rank %d of %d: not so: %s\nlast error: %s\n", __FILE__, line, rank, size,
          what, gpuarr_last_error());
  exit(1);
}

static gpuarr_team* team_of(MPI_Comm comm) {
  gpuarr_team* team = NULL;
  OK(gpuarr_team_from_mpi(&team, &comm, sizeof comm, NULL));
  OK(gpuarr_team_set_timeout(team, 60, GPUARR_TIMEOUT_RETURN));
  return team;
}

static gpuarr_blocked* count_up(gpuarr_team* team) {
  gpuarr_blocked* x = NULL;
  const int64_t shape[] = {100}, chunk[] = {7};
  OK(gpuarr_blocked_empty(&x, team, GPUARR_I64, 1, shape, chunk, NULL));
  OK(gpuarr_blocked_arange(x, gpuarr_arg_i64(0), gpuarr_arg_i64(1)));
  return x;
}

static void sum_up(gpuarr_blocked* x) {
  gpuarr_blocked* sum = NULL;
  int64_t found = 0;
  OK(gpuarr_blocked_reduce(&sum, "sum", x, NULL, GPUARR_ALL_AXES, 0, 0, 0));
  OK(gpuarr_blocked_read(&found, 8, NULL, sum, NULL, NULL, -1));
  REQUIRE(found == 4950);
  gpuarr_blocked_release(sum);
}

/* Their calls take turns, in another order on each of two processes. */
static void on_one_and_on_parts(void) {
  MPI_Comm half, turned;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  gpuarr_team* teams[] = {team_of(MPI_COMM_WORLD), team_of(MPI_COMM_WORLD), team_of(half),
                          team_of(turned), team_of(MPI_COMM_SELF)};
  gpuarr_blocked* arrays[5];
  REQUIRE(gpuarr_team_size(teams[2]) == (size + 1 - rank % 2) / 2);
  REQUIRE(gpuarr_team_first(teams[3]) == size - 1 - rank);
  REQUIRE(gpuarr_team_size(teams[4]) == 1);
  REQUIRE(gpuarr_team_mpi_f(teams[0]) == MPI_Comm_c2f(MPI_COMM_WORLD));
  REQUIRE(gpuarr_team_mpi_f(teams[3]) == MPI_Comm_c2f(turned));
  for (int k = 0; k < 5; ++k) arrays[k] = count_up(teams[k]);
  for (int k = 0; k < 20; ++k) sum_up(arrays[k % 5]);
  REQUIRE(gpuarr_redistribute(arrays[0], arrays[1]) == GPUARR_ERR_ARGUMENT);
  for (int k = 0; k < 5; ++k) { /* each process in another order */
    gpuarr_team_release(teams[(k + rank) % 5]);
    gpuarr_blocked_release(arrays[(k + 2 * rank) % 5]);
  }
  MPI_Comm_free(&turned);
  MPI_Comm_free(&half);
}

/* It goes on, but has no communicator to give any more. */
static void after_its_communicator(void) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
  gpuarr_team* team = team_of(comm);
  gpuarr_blocked* x = count_up(team);
  REQUIRE(gpuarr_team_mpi_f(team) == MPI_Comm_c2f(comm));
  MPI_Comm_free(&comm);
  REQUIRE(gpuarr_team_mpi_f(team) == -1);
  sum_up(x);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

/* A team goes on when another one of the same communicator has failed. */
static void beside_one_that_failed(void) {
  gpuarr_team *good = team_of(MPI_COMM_WORLD), *bad = team_of(MPI_COMM_WORLD);
  gpuarr_blocked *x = count_up(good), *y = count_up(bad);
  int64_t memory = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const gpuarr_status status = gpuarr_blocked_read(&memory, 8, NULL, y, NULL, NULL, 0);
  REQUIRE(status == (rank == 0 ? GPUARR_ERR_SHAPE : GPUARR_ERR_PEER));
  REQUIRE(gpuarr_team_synchronize(bad) == GPUARR_ERR_PEER);
  sum_up(x);
  gpuarr_blocked_release(y);
  gpuarr_team_release(bad);
  sum_up(x);
  gpuarr_team_release(good);
  gpuarr_blocked_release(x);
}

static void* work(void* array) {
  for (int k = 0; k < 30; ++k) sum_up(array);
  return NULL;
}

static void* try_to_work(void* team) {
  REQUIRE(gpuarr_team_synchronize(team) == GPUARR_ERR_UNSUPPORTED);
  REQUIRE(strstr(gpuarr_last_error(), "was initialised for calls from one thread") != NULL);
  return NULL;
}

/* Where MPI allows it, each has a thread; where it does not, that is said, and the team goes on. */
static void on_threads(int allowed) {
  pthread_t threads[2];
  gpuarr_team* teams[] = {team_of(MPI_COMM_WORLD), team_of(MPI_COMM_WORLD)};
  gpuarr_blocked* arrays[] = {count_up(teams[0]), count_up(teams[1])};
  sum_up(arrays[0]); /* compiles */
  for (int k = 0; k < (allowed ? 2 : 1); ++k)
    REQUIRE(pthread_create(&threads[k], NULL, allowed ? work : try_to_work,
                           allowed ? (void*)arrays[k] : (void*)teams[k]) == 0);
  for (int k = 0; k < (allowed ? 2 : 1); ++k) pthread_join(threads[k], NULL);
  for (int k = 0; k < 2; ++k) {
    sum_up(arrays[k]);
    gpuarr_blocked_release(arrays[k]);
    gpuarr_team_release(teams[k]);
  }
}

int main(int argc, char** argv) {
  const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                        MPI_THREAD_MULTIPLE};
  int level = 0;
  MPI_Init_thread(&argc, &argv, levels[argc > 1 ? atoi(argv[1]) : 3], &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  on_one_and_on_parts();
  after_its_communicator();
  beside_one_that_failed();
  on_threads(level >= MPI_THREAD_SERIALIZED);
  gpuarr_team *team = team_of(MPI_COMM_WORLD), *other = team_of(MPI_COMM_SELF), *none = NULL;
  gpuarr_blocked *x = count_up(team), *y = count_up(other);
  const MPI_Comm world = MPI_COMM_WORLD;
  REQUIRE(gpuarr_team_from_mpi(&none, &world, 12 - sizeof world, NULL) == GPUARR_ERR_ARGUMENT);
  REQUIRE(none == NULL && strstr(gpuarr_last_error(), "whose handles have") != NULL);
  sum_up(x);
  sum_up(y);
  MPI_Finalize();
  REQUIRE(gpuarr_team_synchronize(team) == GPUARR_ERR_PEER);
  REQUIRE(strstr(gpuarr_last_error(), "was finalised") != NULL);
  REQUIRE(gpuarr_blocked_fill(x, gpuarr_arg_i64(1)) == GPUARR_ERR_PEER);
  REQUIRE(gpuarr_team_size(team) == size && gpuarr_blocked_extent(x, 0) == 100);
  if (rank % 2) gpuarr_team_release(team);
  gpuarr_blocked_release(x);
  gpuarr_team_release(other);
  if (rank % 2 == 0) gpuarr_team_release(team);
  gpuarr_blocked_release(y);
  REQUIRE(gpuarr_live_objects() == 0);
  return 0;
}
