/* What the stand-in for libcusolver and for the solvers of libcublas saw. */
#ifndef GPUARR_FAKE_CUSOLVER_H
#define GPUARR_FAKE_CUSOLVER_H

#include <stddef.h>
#include <stdint.h>

/* The last call that was to do some work. */
struct fake_solve {
  char name[40];
  int64_t calls; /* of all that work */
  void *handle, *stream;
  int64_t m, n, leading, batch;
  int flag; /* the triangle, the op, or the job */
  int type, second_type;
  const void *a, *second; /* the matrix, and what comes after it */
  void *device_work, *host_work;
  size_t device_bytes, host_bytes;
  int* info;
};

#ifdef __cplusplus
extern "C" {
#endif
typedef struct fake_solve fake_solve_last_fn(void);
typedef int64_t fake_solve_handles_fn(void);
#ifdef __cplusplus
}
#endif

#endif
