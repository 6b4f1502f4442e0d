/* Raw kernels with checks, of the kind that the CPU device has. */
#ifndef GPUARR_TEST_CHECKS_H
#define GPUARR_TEST_CHECKS_H

#include "support.h"

/* Ends the program as skipped unless the device is the CPU with g++. */
void skip_unless_the_cpu_checks(void);

gpuarr_module* checked_module(const char* source, int32_t checks);
gpuarr_raw* checked_raw(const char* source, const char* name, int32_t checks);

/* One for all tests of the program, and the teardown of their group that releases it. */
gpuarr_module* checked_module_of_all(const char* source, int32_t checks);
int release_module_of_all(void** state);

/* Launches a module's kernel, blocks and threads along x, and waits for it. */
gpuarr_status run_and_wait(gpuarr_module* module, const char* name, int64_t blocks, int64_t threads,
                           int64_t shared, const gpuarr_arg* args, int32_t count);

/* With the arguments one by one. */
#define RUN(module, name, blocks, threads, shared, ...)                            \
  run_and_wait(module, name, blocks, threads, shared, (gpuarr_arg[]){__VA_ARGS__}, \
               (int32_t)(sizeof((gpuarr_arg[]){__VA_ARGS__}) / sizeof(gpuarr_arg)))

#endif
