/* One place of a team whose calls may fail: the team, who this is, and what must be so. */
#ifndef PLACE_H
#define PLACE_H

#include "gpuarr.h"

extern gpuarr_team* team;
extern int rank, size, bad; /* bad: the place where it goes wrong, the last one */

#define REQUIRE(condition) require((condition) != 0, #condition, __FILE__, __LINE__)
#define OK(call) is_ok((call), #call, __FILE__, __LINE__)

void require(int is_so, const char* what, const char* file, int line);
void is_ok(gpuarr_status status, const char* what, const char* file, int line);
void require_text(const char* part);

/* Seconds of a steady clock. */
double now(void);

/* From $GPUARR_TEST_SEED, which take_seed prints. */
int64_t random_below(int64_t end);
void take_seed(void);

/* The team of all processes, and its end, after which nothing may live. */
void make_team(void);
void end_team(void);

/* Two blocks for each place. */
gpuarr_blocked* numbers(int64_t each);

#endif
