/* A stand-in for libcusolver, and for what libcublas has of solvers: it solves nothing and writes
 * down what it was asked for. Workspaces are of 1000 bytes on the device and 300 on the host.
 *
 *   FAKE_CUSOLVER_FAIL=cusolverDnName:status   what a function returns
 */
#include "fake_cusolver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

struct handle {
  void* stream;
};

static struct fake_solve last;
static int64_t handles;

static int answer(const char* name) {
  const char* wanted = getenv("FAKE_CUSOLVER_FAIL");
  size_t length = strlen(name);
  if (wanted == NULL || strncmp(wanted, name, length) != 0 || wanted[length] != ':') return 0;
  return atoi(wanted + length + 1);
}

SHOWN struct fake_solve fake_solve_last(void);
struct fake_solve fake_solve_last(void) {
  return last;
}
SHOWN int64_t fake_solve_handles(void);
int64_t fake_solve_handles(void) { return handles; }

/* What is in the struct `seen`, and the call it is of. */
static int note(const char* name, struct handle* handle, struct fake_solve seen) {
  seen.calls = last.calls + 1;
  seen.handle = handle;
  seen.stream = handle->stream;
  if (seen.host_work != NULL) memset(seen.host_work, 1, seen.host_bytes);
  snprintf(seen.name, sizeof seen.name, "%s", name);
  last = seen;
  return answer(name);
}

static int ask(size_t* on_device, size_t* on_host) {
  *on_device = 1000;
  *on_host = 300;
  return 0;
}

SHOWN int cusolverGetProperty(int which, int* value);
int cusolverGetProperty(int which, int* value) {
  *value = which == 0 ? 12 : which;
  return 0;
}

SHOWN int cusolverDnCreate(void** out);
int cusolverDnCreate(void** out) {
  int status = answer("cusolverDnCreate");
  if (status != 0) return status;
  *out = calloc(1, sizeof(struct handle));
  ++handles;
  return 0;
}

SHOWN int cusolverDnSetStream(struct handle* handle, void* stream);
int cusolverDnSetStream(struct handle* handle, void* stream) {
  handle->stream = stream;
  return answer("cusolverDnSetStream");
}

static char parameters[2];
SHOWN int cusolverDnCreateParams(void** out);
int cusolverDnCreateParams(void** out) {
  *out = &parameters[0];
  return 0;
}
SHOWN int cusolverDnCreateGesvdjInfo(void** out);
int cusolverDnCreateGesvdjInfo(void** out) {
  *out = &parameters[1];
  return 0;
}

#define SIZE(name, ...)                                                   \
  SHOWN int name##_bufferSize(__VA_ARGS__, size_t* device, size_t* host); \
  int name##_bufferSize(__VA_ARGS__, size_t* device, size_t* host)

typedef struct handle H;
typedef const void* In;

/* clang-format off */
SIZE(cusolverDnXgetrf, H* h, In p, int64_t m, int64_t n, int t, In a, int64_t lda, int c) {
  (void)h, (void)p, (void)m, (void)n, (void)t, (void)a, (void)lda, (void)c;
  return ask(device, host);
}
SIZE(cusolverDnXpotrf, H* h, In p, int f, int64_t n, int t, In a, int64_t lda, int c) {
  (void)h, (void)p, (void)f, (void)n, (void)t, (void)a, (void)lda, (void)c;
  return ask(device, host);
}
SIZE(cusolverDnXgeqrf, H* h, In p, int64_t m, int64_t n, int t, In a, int64_t lda, int tt, In tau,
     int c) {
  (void)h, (void)p, (void)m, (void)n, (void)t, (void)a, (void)lda, (void)tt, (void)tau, (void)c;
  return ask(device, host);
}
SIZE(cusolverDnXgesvd, H* h, In p, signed char ju, signed char jv, int64_t m, int64_t n, int t,
     In a, int64_t lda, int st, In s, int ut, In u, int64_t ldu, int vt, In v, int64_t ldv, int c) {
  (void)h, (void)p, (void)ju, (void)jv, (void)m, (void)n, (void)t, (void)a, (void)lda, (void)st;
  (void)s, (void)ut, (void)u, (void)ldu, (void)vt, (void)v, (void)ldv, (void)c;
  return ask(device, host);
}
SIZE(cusolverDnXsyevd, H* h, In p, int j, int f, int64_t n, int t, In a, int64_t lda, int wt, In w,
     int c) {
  (void)h, (void)p, (void)j, (void)f, (void)n, (void)t, (void)a, (void)lda, (void)wt, (void)w;
  (void)c;
  return ask(device, host);
}
SIZE(cusolverDnXgeev, H* h, In p, int jl, int jr, int64_t n, int t, In a, int64_t lda, int wt, In w,
     int lt, In l, int64_t ldl, int rt, In r, int64_t ldr, int c) {
  (void)h, (void)p, (void)jl, (void)jr, (void)n, (void)t, (void)a, (void)lda, (void)wt, (void)w;
  (void)lt, (void)l, (void)ldl, (void)rt, (void)r, (void)ldr, (void)c;
  return ask(device, host);
}

#define WORK void *dw, size_t ds, void *hw, size_t hs, int* info
#define DID .device_work = dw, .device_bytes = ds, .host_work = hw, .host_bytes = hs, .info = info
#define FUNCTION(name, ...)    \
  SHOWN int name(__VA_ARGS__); \
  int name(__VA_ARGS__)

FUNCTION(cusolverDnXgetrf, H* h, In p, int64_t m, int64_t n, int t, void* a, int64_t lda,
         int64_t* pivots, int c, WORK) {
  (void)p, (void)c;
  return note("cusolverDnXgetrf", h, (struct fake_solve){.m = m, .n = n, .type = t, .a = a,
              .leading = lda, .second = pivots, DID});
}
FUNCTION(cusolverDnXgetrs, H* h, In p, int op, int64_t n, int64_t k, int t, In a, int64_t lda,
         const int64_t* pivots, int bt, void* b, int64_t ldb, int* info) {
  (void)p, (void)pivots, (void)ldb;
  return note("cusolverDnXgetrs", h, (struct fake_solve){.flag = op, .m = n, .n = k, .type = t,
              .second_type = bt, .a = a, .leading = lda, .second = b, .info = info});
}
FUNCTION(cusolverDnXpotrf, H* h, In p, int f, int64_t n, int t, void* a, int64_t lda, int c, WORK) {
  (void)p, (void)c;
  return note("cusolverDnXpotrf", h, (struct fake_solve){.flag = f, .m = n, .n = n, .type = t,
              .a = a, .leading = lda, DID});
}
FUNCTION(cusolverDnXpotrs, H* h, In p, int f, int64_t n, int64_t k, int t, In a, int64_t lda,
         int bt, void* b, int64_t ldb, int* info) {
  (void)p, (void)ldb;
  return note("cusolverDnXpotrs", h, (struct fake_solve){.flag = f, .m = n, .n = k, .type = t,
              .second_type = bt, .a = a, .leading = lda, .second = b, .info = info});
}
FUNCTION(cusolverDnXgeqrf, H* h, In p, int64_t m, int64_t n, int t, void* a, int64_t lda, int tt,
         void* tau, int c, WORK) {
  (void)p, (void)c;
  return note("cusolverDnXgeqrf", h, (struct fake_solve){.m = m, .n = n, .type = t,
              .second_type = tt, .a = a, .leading = lda, .second = tau, DID});
}
FUNCTION(cusolverDnXgesvd, H* h, In p, signed char ju, signed char jv, int64_t m, int64_t n, int t,
         void* a, int64_t lda, int st, void* s, int ut, void* u, int64_t ldu, int vt, void* v,
         int64_t ldv, int c, WORK) {
  (void)p, (void)s, (void)ut, (void)ldu, (void)vt, (void)v, (void)ldv, (void)c;
  return note("cusolverDnXgesvd", h, (struct fake_solve){.flag = ju == jv ? ju : 0, .m = m, .n = n,
              .type = t, .second_type = st, .a = a, .leading = lda, .second = u, DID});
}
FUNCTION(cusolverDnXsyevd, H* h, In p, int j, int f, int64_t n, int t, void* a, int64_t lda, int wt,
         void* w, int c, WORK) {
  (void)p, (void)c;
  return note("cusolverDnXsyevd", h, (struct fake_solve){.flag = 10 * j + f, .m = n, .n = n,
              .type = t, .second_type = wt, .a = a, .leading = lda, .second = w, DID});
}
FUNCTION(cusolverDnXgeev, H* h, In p, int jl, int jr, int64_t n, int t, void* a, int64_t lda,
         int wt, void* w, int lt, void* l, int64_t ldl, int rt, void* r, int64_t ldr, int c, WORK) {
  (void)p, (void)w, (void)lt, (void)l, (void)ldl, (void)rt, (void)ldr, (void)c;
  return note("cusolverDnXgeev", h, (struct fake_solve){.flag = 10 * jl + jr, .m = n, .n = n,
              .type = t, .second_type = wt, .a = a, .leading = lda, .second = r, DID});
}

#define FOUR(define) define(S) define(D) define(C) define(Z)
#define POTRF_BATCH(T)                                                                            \
  FUNCTION(cusolverDn##T##potrfBatched, H* h, int f, int n, void* const* a, int lda, int* info,   \
           int batch) {                                                                           \
    return note("cusolverDn" #T "potrfBatched", h, (struct fake_solve){.flag = f, .m = n,         \
                .n = n, .a = a, .leading = lda, .info = info, .batch = batch});                   \
  }
#define GETRF_BATCH(T)                                                                            \
  FUNCTION(cublas##T##getrfBatched, H* h, int n, void* const* a, int lda, int* pivots, int* info, \
           int batch) {                                                                           \
    return note("cublas" #T "getrfBatched", h, (struct fake_solve){.m = n, .n = n, .a = a,        \
                .leading = lda, .second = pivots, .info = info, .batch = batch});                 \
  }
#define GETRS_BATCH(T)                                                                            \
  FUNCTION(cublas##T##getrsBatched, H* h, int op, int n, int k, const void* const* a, int lda,    \
           const int* pivots, void* const* b, int ldb, int* info, int batch) {                    \
    (void)pivots, (void)ldb;                                                                      \
    *info = 0;                                                                                    \
    return note("cublas" #T "getrsBatched", h, (struct fake_solve){.flag = op, .m = n, .n = k,    \
                .a = a, .leading = lda, .second = b, .batch = batch});                            \
  }
#define TRSM(T)                                                                                   \
  FUNCTION(cublas##T##trsm_v2_64, H* h, int side, int f, int op, int d, int64_t m, int64_t n,     \
           In alpha, In a, int64_t lda, void* b, int64_t ldb) {                                   \
    (void)side, (void)alpha, (void)ldb;                                                           \
    return note("cublas" #T "trsm_v2_64", h, (struct fake_solve){.flag = 100 * f + 10 * op + d,   \
                .m = m, .n = n, .a = a, .leading = lda, .second = b});                            \
  }                                                                                               \
  FUNCTION(cublas##T##trsmBatched_64, H* h, int side, int f, int op, int d, int64_t m, int64_t n, \
           In alpha, const void* const* a, int64_t lda, void* const* b, int64_t ldb,              \
           int64_t batch) {                                                                       \
    (void)side, (void)alpha, (void)ldb;                                                           \
    return note("cublas" #T "trsmBatched_64", h, (struct fake_solve){.m = m, .n = n, .a = a,      \
                .flag = 100 * f + 10 * op + d, .leading = lda, .second = b, .batch = batch});     \
  }
#define JACOBI(T)                                                                                 \
  FUNCTION(cusolverDn##T##gesvdjBatched_bufferSize, H* h, int j, int m, int n, In a, int lda,     \
           In s, In u, int ldu, In v, int ldv, int* length, void* p, int batch) {                 \
    (void)h, (void)j, (void)m, (void)n, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v; \
    (void)ldv, (void)p, (void)batch;                                                              \
    *length = 10;                                                                                 \
    return 0;                                                                                     \
  }                                                                                               \
  FUNCTION(cusolverDn##T##gesvdjBatched, H* h, int j, int m, int n, void* a, int lda, void* s,    \
           void* u, int ldu, void* v, int ldv, void* w, int length, int* info, void* p,           \
           int batch) {                                                                           \
    (void)s, (void)ldu, (void)v, (void)ldv, (void)length, (void)p;                                \
    return note("cusolverDn" #T "gesvdjBatched", h, (struct fake_solve){.flag = j, .m = m,        \
                .n = n, .a = a, .leading = lda, .second = u, .device_work = w, .info = info,      \
                .batch = batch});                                                                 \
  }
#define ORGQR(name)                                                                               \
  FUNCTION(name##_bufferSize, H* h, int m, int n, int k, In a, int lda, In tau, int* length) {    \
    (void)h, (void)m, (void)n, (void)k, (void)a, (void)lda, (void)tau;                            \
    *length = 10;                                                                                 \
    return 0;                                                                                     \
  }                                                                                               \
  FUNCTION(name, H* h, int m, int n, int k, void* a, int lda, In tau, void* w, int length,        \
           int* info) {                                                                           \
    (void)length;                                                                                 \
    return note(#name, h, (struct fake_solve){.flag = k, .m = m, .n = n, .a = a, .leading = lda,  \
                .second = tau, .device_work = w, .info = info});                                  \
  }
FOUR(POTRF_BATCH)
FOUR(GETRF_BATCH)
FOUR(GETRS_BATCH)
FOUR(TRSM)
FOUR(JACOBI)
ORGQR(cusolverDnSorgqr)
ORGQR(cusolverDnDorgqr)
ORGQR(cusolverDnCungqr)
ORGQR(cusolverDnZungqr)
/* clang-format on */
