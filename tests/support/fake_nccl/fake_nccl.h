/* A stand-in for libnccl: members in one process, or in threads of it, over the memory of the
 * stand-in for the driver. As in NCCL, members that meet for the first time wait for each other in
 * the call; later work that lacks its counterpart waits in its stream. The environment steers it,
 * read at each call:
 *
 *   FAKE_NCCL_VERSION=n               22809 unless set
 *   FAKE_NCCL_FAIL=ncclName:result    what a function returns
 *   FAKE_NCCL_ASYNC=result            what communicators say of themselves
 *   FAKE_NCCL_PROGRESS=n              how often one that does not block says that it is not done
 */
#ifndef FAKE_NCCL_H
#define FAKE_NCCL_H

#include <stdint.h>

/* To be found with dlsym in the opened stand-in. */
typedef int64_t fake_nccl_live_fn(void);      /* communicators that are there */
typedef int64_t fake_nccl_aborted_fn(void);   /* calls of ncclCommAbort so far */
typedef int64_t fake_nccl_finalized_fn(void); /* and of ncclCommFinalize */
typedef int64_t fake_nccl_waits_fn(void);     /* calls that waited for other members */
typedef int64_t fake_nccl_blocking_fn(void);  /* what the last communicator was told to be */

#endif
