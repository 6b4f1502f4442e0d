#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

gpuarr_team* team;
int rank, size, bad;

void require(int is_so, const char* what, const char* file, int line) {
  if (is_so) return;
  fprintf(stderr, "%s:%d: place %d of %d: not so: %s\nlast error: %s\n", file, line, rank, size,
          what, gpuarr_last_error());
  exit(1); /* whoever started the processes ends the others */
}

void is_ok(gpuarr_status status, const char* what, const char* file, int line) {
  require(status == GPUARR_OK, what, file, line);
}

void require_text(const char* part) {
  if (strstr(gpuarr_last_error(), part) != NULL) return;
  fprintf(stderr, "place %d: expected a message with\n  %s\nbut got\n  %s\n", rank, part,
          gpuarr_last_error());
  exit(1);
}

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t random_state;

int64_t random_below(int64_t end) {
  random_state += 0x9e3779b97f4a7c15U;
  uint64_t z = random_state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  return (int64_t)((z ^ (z >> 31)) % (uint64_t)end);
}

void take_seed(void) {
  const char* seed = getenv("GPUARR_TEST_SEED");
  random_state = seed == NULL                 ? 1
                 : strcmp(seed, "clock") == 0 ? (uint64_t)time(NULL) /* alike on all places */
                                              : strtoull(seed, NULL, 10);
  if (rank == 0) printf("GPUARR_TEST_SEED=%llu\n", (unsigned long long)random_state);
}

void make_team(void) {
  OK(gpuarr_team_world(&team, NULL));
  OK(gpuarr_team_set_timeout(team, 60, GPUARR_TIMEOUT_RETURN));
  rank = gpuarr_team_first(team);
  size = gpuarr_team_size(team);
  bad = size - 1;
  REQUIRE(size > 1);
}

void end_team(void) {
  gpuarr_team_release(team);
  team = NULL;
  REQUIRE(gpuarr_live_objects() == 0);
}

gpuarr_blocked* numbers(int64_t each) {
  gpuarr_blocked* out = NULL;
  const int64_t shape[] = {2 * size, each}, chunk[] = {1, each};
  OK(gpuarr_blocked_empty(&out, team, GPUARR_I64, 2, shape, chunk, NULL));
  return out;
}
