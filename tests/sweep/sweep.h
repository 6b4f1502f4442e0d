/* A program that calls every function of the public headers once on the stand-in for a GPU, while
 * one call of the driver fails, or all from one on: nothing may crash, hang, leak, or fail without
 * saying why. sweep.c says how; the functions stand in exercise_*.c, by noun.
 *
 * A new function of the API belongs into one of them: tests/sweep/symbols.py fails as long as it is
 * in none. Give it poisoned outputs, hand its status to ok(), made() or got(), go on whatever that
 * says, and release what it made. */
#ifndef GPUARR_TEST_SWEEP_H
#define GPUARR_TEST_SWEEP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gpuarr.h"

/* What the parts work with; NULL where it could not be made. */
struct stage {
  gpuarr_device *device, *second;
  gpuarr_stream* stream;
  gpuarr_array *x, *y; /* float32, (4, 6) */
  const char* folder;  /* for files */
  int all_is_well;     /* nothing will fail in this process */
};

/* Outputs before a call: a failure must make them NULL. */
extern char poison_[];
#define POISON ((void*)poison_)

int ok(gpuarr_status status);                                 /* a failure has a message */
int made(gpuarr_status status, const void* out);              /* and leaves NULL in a pointer */
int got(gpuarr_status status, const void* out, size_t bytes); /* or 0 in a number */
void check(int condition, const char* what);                  /* that must hold whatever failed */

void exercise_base(const struct stage* s);
void exercise_devices(const struct stage* s);
void exercise_streams(const struct stage* s);
void exercise_arrays(const struct stage* s);
void exercise_transfers(const struct stage* s);
void exercise_elementwise(const struct stage* s);
void exercise_gufuncs(const struct stage* s);
void exercise_reductions(const struct stage* s);
void exercise_ready_made(const struct stage* s);
void exercise_sort(const struct stage* s);
void exercise_order(const struct stage* s);
void exercise_indices(const struct stage* s);
void exercise_functions(const struct stage* s);
void exercise_exprs(const struct stage* s);
void exercise_scans(const struct stage* s);
void exercise_moving(const struct stage* s);
void exercise_raw(const struct stage* s);
void exercise_modules(const struct stage* s);
void exercise_interop(const struct stage* s);
void exercise_profile(const struct stage* s);
void exercise_random(const struct stage* s);
void exercise_memory(const struct stage* s);
void exercise_solvers(const struct stage* s);
void exercise_graphs(const struct stage* s);
void exercise_linalg(const struct stage* s);
void exercise_team(const struct stage* s);
void exercise_compute(const struct stage* s);

#endif
