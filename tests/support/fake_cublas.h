/* What the stand-in for libcublas tells of the calls; see fake_cublas.c. */
#ifndef FAKE_CUBLAS_H
#define FAKE_CUBLAS_H

#include <stddef.h>
#include <stdint.h>

/* The last product that was asked for. */
struct fake_gemm {
  int64_t calls; /* so far */
  void *handle, *stream, *workspace;
  size_t workspace_bytes;
  int math_mode, op_a, op_b;
  int64_t m, n, k;
  double alpha, beta;
  const void *a, *b;
  void* c;
  int64_t lda, ldb, ldc;
  int64_t a_step, b_step, c_step, batch;
  int type; /* cudaDataType of all three; -1 if they differ */
  int compute, algorithm;
};

typedef struct fake_gemm fake_cublas_last_fn(void);
typedef int64_t fake_cublas_handles_fn(void);     /* that are there */
typedef int64_t fake_cublas_streams_set_fn(void); /* calls of cublasSetStream so far */

#endif
