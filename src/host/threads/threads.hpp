// The pool of threads that large launches are spread over.
#pragma once

#include <cstdint>

namespace gpuarr::host {

/// Does blocks first ... last-1 of some work. The signature of compiled kernels.
using Body = void (*)(const void* context, long long first, long long last);

/// Threads that a launch may use, the caller's included: $GPUARR_NUM_THREADS, or as many CPUs as
/// the process may run on.
int thread_count();

/// So many processes, this one among them, run on the same CPUs: each uses its part of them, unless
/// $GPUARR_NUM_THREADS says how many.
void share_cpus(int processes);

/// CPUs that the process may run on.
int cpu_count();

/// How many of so many threads can be started now, at one time. They are gone again.
int startable_threads(int wanted);

/// Calls `body` for parts of 0 ... blocks-1, taken in increasing order, on the caller and the pool,
/// and returns when all is done. While one caller has the pool, others do their work alone.
void parallel(Body body, const void* context, int64_t blocks);

/// The same, but nothing is done on the caller, which waits: for work that leaves the stack of its
/// thread. While one caller has the pool, others start a thread for theirs.
void parallel_apart(Body body, const void* context, int64_t blocks);

}  // namespace gpuarr::host
