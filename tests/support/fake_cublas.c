/* A stand-in for libcublas: it multiplies nothing and writes down what it was asked for. The
 * environment steers it, read at each call:
 *
 *   FAKE_CUBLAS_FAIL=cublasName:status   what a function returns
 */
#include "fake_cublas.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

struct handle {
  void* stream;
  void* workspace; /* NULL: a default of its own */
  size_t workspace_bytes;
  int math_mode;
};

static struct fake_gemm last;
static int64_t handles, streams_set;

static int answer(const char* name) {
  const char* wanted = getenv("FAKE_CUBLAS_FAIL");
  size_t length = strlen(name);
  if (wanted == NULL || strncmp(wanted, name, length) != 0 || wanted[length] != ':') return 0;
  return atoi(wanted + length + 1);
}

SHOWN struct fake_gemm fake_cublas_last(void);
struct fake_gemm fake_cublas_last(void) {
  return last;
}
SHOWN int64_t fake_cublas_handles(void);
int64_t fake_cublas_handles(void) { return handles; }
SHOWN int64_t fake_cublas_streams_set(void);
int64_t fake_cublas_streams_set(void) { return streams_set; }

SHOWN int cublasGetProperty(int which, int* value);
int cublasGetProperty(int which, int* value) {
  *value = which == 0 ? 13 : which;
  return 0;
}

SHOWN int cublasCreate_v2(void** out);
int cublasCreate_v2(void** out) {
  int status = answer("cublasCreate_v2");
  if (status != 0) return status;
  *out = calloc(1, sizeof(struct handle));
  ++handles;
  return 0;
}

SHOWN int cublasDestroy_v2(void* handle);
int cublasDestroy_v2(void* handle) {
  free(handle);
  --handles;
  return 0;
}

SHOWN int cublasSetStream_v2(struct handle* handle, void* stream);
int cublasSetStream_v2(struct handle* handle, void* stream) {
  handle->stream = stream;
  handle->workspace = NULL;
  ++streams_set;
  return answer("cublasSetStream_v2");
}

SHOWN int cublasSetWorkspace_v2(struct handle* handle, void* workspace, size_t bytes);
int cublasSetWorkspace_v2(struct handle* handle, void* workspace, size_t bytes) {
  handle->workspace = workspace;
  handle->workspace_bytes = bytes;
  return answer("cublasSetWorkspace_v2");
}

SHOWN int cublasSetMathMode(struct handle* handle, int mode);
int cublasSetMathMode(struct handle* handle, int mode) {
  handle->math_mode = mode;
  return answer("cublasSetMathMode");
}

/* Real numbers are what a factor begins with, in either precision. */
static double factor(const void* value, int compute) {
  return compute == 70 ? *(const double*)value : (double)*(const float*)value;
}

SHOWN int cublasGemmStridedBatchedEx_64(struct handle* handle, int op_a, int op_b, int64_t m,
                                        int64_t n, int64_t k, const void* alpha, const void* a,
                                        int a_type, int64_t lda, long long a_step, const void* b,
                                        int b_type, int64_t ldb, long long b_step, const void* beta,
                                        void* c, int c_type, int64_t ldc, long long c_step,
                                        int64_t batch, int compute, int algorithm);
int cublasGemmStridedBatchedEx_64(struct handle* handle, int op_a, int op_b, int64_t m, int64_t n,
                                  int64_t k, const void* alpha, const void* a, int a_type,
                                  int64_t lda, long long a_step, const void* b, int b_type,
                                  int64_t ldb, long long b_step, const void* beta, void* c,
                                  int c_type, int64_t ldc, long long c_step, int64_t batch,
                                  int compute, int algorithm) {
  int64_t calls = last.calls + 1;
  last = (struct fake_gemm){
      .calls = calls,
      .handle = handle,
      .stream = handle->stream,
      .workspace = handle->workspace,
      .workspace_bytes = handle->workspace_bytes,
      .math_mode = handle->math_mode,
      .op_a = op_a,
      .op_b = op_b,
      .m = m,
      .n = n,
      .k = k,
      .alpha = factor(alpha, compute),
      .beta = factor(beta, compute),
      .a = a,
      .b = b,
      .c = c,
      .lda = lda,
      .ldb = ldb,
      .ldc = ldc,
      .a_step = a_step,
      .b_step = b_step,
      .c_step = c_step,
      .batch = batch,
      .type = a_type == b_type && b_type == c_type ? a_type : -1,
      .compute = compute,
      .algorithm = algorithm,
  };
  return answer("cublasGemmStridedBatchedEx_64");
}

SHOWN int cublasGemmEx_64(struct handle* handle, int op_a, int op_b, int64_t m, int64_t n,
                          int64_t k, const void* alpha, const void* a, int a_type, int64_t lda,
                          const void* b, int b_type, int64_t ldb, const void* beta, void* c,
                          int c_type, int64_t ldc, int compute, int algorithm);
int cublasGemmEx_64(struct handle* handle, int op_a, int op_b, int64_t m, int64_t n, int64_t k,
                    const void* alpha, const void* a, int a_type, int64_t lda, const void* b,
                    int b_type, int64_t ldb, const void* beta, void* c, int c_type, int64_t ldc,
                    int compute, int algorithm) {
  cublasGemmStridedBatchedEx_64(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, 0, b, b_type,
                                ldb, 0, beta, c, c_type, ldc, 0, 1, compute, algorithm);
  return answer("cublasGemmEx_64");
}
