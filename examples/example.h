/* What the examples share: stop at the first call that fails, and compare with a plain C loop. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuarr.h"

/* Every call that can fail returns a status; the message says what was wrong. */
static inline void check(gpuarr_status status) {
  if (status == GPUARR_OK) return;
  fprintf(stderr, "%s\n", gpuarr_last_error());
  exit(1);
}

/* The answer of the kernel against that of the loop. */
static inline void expect(double got, double wanted, double tolerance, const char* what, int at) {
  if (fabs(got - wanted) <= tolerance) return;
  fprintf(stderr, "%s: element %d is %.9g; a plain loop gives %.9g\n", what, at, got, wanted);
  exit(1);
}

#endif
