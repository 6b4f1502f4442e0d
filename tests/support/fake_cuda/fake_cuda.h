/* A stand-in for libcuda.so.1 over the host's memory, for machines without a GPU: every path of the
 * CUDA backend but the kernels themselves. The environment steers it, read at each call:
 *
 *   FAKE_CUDA_DEVICES=n            GPUs; 1 unless set
 *   FAKE_CUDA_DRIVER_VERSION=n     13000 unless set
 *   FAKE_CUDA_CC=n                 compute capability; 90 unless set
 *   FAKE_CUDA_OOM_AFTER=bytes      memory of each GPU; 64 MiB unless set
 *   FAKE_CUDA_POINTERS=managed|registered|readable
 *                                  what memory that is not the driver's is; readable: GPUs can
 *                                  read any of the host's
 *   FAKE_CUDA_FAIL=cuName:code     what a function returns
 *   FAKE_CUDA_PEERS=0              GPUs cannot reach each other's memory
 *   FAKE_CUDA_LACKS=cuName         a function that the driver does not have
 *   FAKE_CUDA_FAIL_AT=n[:code]     what the nth call of all returns; code 999 unless it is given
 *   FAKE_CUDA_FAIL_FROM=n[:code]   the same from that call on, as if the device fell off the bus
 *   FAKE_CUDA_FAULT=code           a kernel that is launched now ends like that: every later call
 *                                  in its context returns the code, for ever
 *   FAKE_CUDA_BUSY=1               streams and events are not ready when asked
 *   FAKE_CUDA_CAPTURES=1           streams are being captured
 *   FAKE_CUDA_FORKS=1              cuInit starts a process, as the driver does for its module
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdint.h>

/* The last kernel that was launched. */
struct fake_launch {
  char name[64];
  int32_t device;
  uint32_t blocks, threads, shared_bytes; /* along x */
  uint32_t grid[3], block[3], cluster[3], cooperative;
  void* stream;
  int64_t bytes;                /* of parameters that came in one piece; 0 for others */
  unsigned char parameters[64]; /* the first bytes; 16 of one that came by its address */
};

/* To be found with dlsym in the opened stand-in. */
typedef struct fake_launch fake_cuda_last_launch_fn(void);
typedef int64_t fake_cuda_calls_fn(const char* name); /* calls of a function so far */
typedef int64_t fake_cuda_all_calls_fn(void);
typedef const char* fake_cuda_failed_fn(void); /* the first that failed by its number; "" */
typedef int64_t fake_cuda_live_fn(void); /* streams, events, modules and blocks not yet freed */
typedef uint32_t fake_cuda_stream_flags_fn(void* stream);

#endif
