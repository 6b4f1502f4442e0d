/* Calls of the system that fail when they are told to: malloc and its kin, files, memory,
 * processes, threads and libraries. fail.c stands in for the C library's functions of these names
 * in the program that it is linked into, the library that is tested and the C++ library. */
#ifndef GPUARR_TEST_FAIL_H
#define GPUARR_TEST_FAIL_H

#include <stdint.h>

enum fault {
  FAULT_MALLOC,
  FAULT_OPEN,
  FAULT_READ,
  FAULT_WRITE,
  FAULT_STAT,
  FAULT_NAME,  /* rename, unlink, mkdir, flock, fsync, fcntl, lseek */
  FAULT_SPACE, /* mmap, memfd_create */
  FAULT_CHILD, /* posix_spawn, waitpid */
  FAULT_THREAD,
  FAULT_LOAD, /* dlopen */
  FAULT_KINDS
};

extern const char* const fault_names[FAULT_KINDS];

/* Counting begins anew; the call of that number fails, and all later ones if `on`. 0: none. */
void fail_at(enum fault kind, int64_t number, int on);
int64_t calls_since(enum fault kind);
int64_t blocks_live(void);   /* of malloc */
void trace_blocks(void);     /* from now on, for */
void print_new_blocks(void); /* where those were allocated that live, since the last such call */

#endif
