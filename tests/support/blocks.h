/* Blocked arrays of random shapes, grids, places and halos, beside the undivided array in the
 * host's memory. */
#ifndef GPUARR_TEST_BLOCKS_H
#define GPUARR_TEST_BLOCKS_H

#include "support.h"

enum { most_axes = 4 };

/* The team under test: so many places on the device under test, in this process. Where
 * $GPUARR_TEST_TEAM is "world", as under mpirun and gpuarr run, it is all processes, each with one
 * place, and every process runs the test. */
gpuarr_team* team_of(int32_t places);
int in_world(void);
int on_all_gpus(void); /* $GPUARR_TEST_TEAM is "gpus": places have all GPUs in turn */
/* Run an array of tests on teams; main returns this. */
#define run_team_suite(tests) finish_tests(cmocka_run_group_tests(tests, NULL, end_of_world))
int end_of_world(void** state);
/* Whether this process is given what place 0 gets. */
int has_first(gpuarr_team* team);

struct grid {
  int32_t ndim;
  int64_t shape[most_axes], chunk[most_axes];
  int64_t low[most_axes], high[most_axes];
  int32_t boundary[most_axes];
};

int64_t elements(int32_t ndim, const int64_t* shape);
/* Index in C order. */
int64_t offset_in(int32_t ndim, const int64_t* shape, const int64_t* index);
/* Steps to the next index; 0 behind the last. */
int next_index(int32_t ndim, const int64_t* shape, int64_t* index);

/* Up to three axes of up to 13 elements, ragged chunks. */
struct grid random_grid(void);
/* Ghost cells that its axes have elements for. */
void add_random_halo(struct grid* grid);
/* A random placement, sometimes listed, never replicated unless asked for. */
gpuarr_blocked_options* random_options(const struct grid* grid, int32_t places, int replicated);
gpuarr_blocked* blocked_of(gpuarr_team* team, const struct grid* grid, gpuarr_dtype dtype,
                           int replicated);

/* Numbers without a pattern, as int64, and arrays of them. */
int64_t* random_numbers(int64_t count);
/* Of all elements, to and from place 0 or all places. */
void write_all(gpuarr_blocked* blocked, const int64_t* values);
void assert_all(gpuarr_team* team, gpuarr_blocked* blocked, const int64_t* values);
int64_t* read_local(gpuarr_blocked* blocked, int64_t index, int32_t halo, int64_t* shape);

/* Where a ghost cell's element lies in its axis; -1 for the constant. */
int64_t source_index(int64_t index, int64_t extent, int32_t boundary);

#endif
