/** @file gpuarr/profile.h  Profiling: benchmarks, a report of all kernels' costs, named ranges. */
#ifndef GPUARR_PROFILE_H
#define GPUARR_PROFILE_H

#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Times of a function's repeated calls, reference-counted. */
typedef struct gpuarr_benchmark gpuarr_benchmark;

/** A function to benchmark, called on the thread that runs the benchmark. It must not throw.
 *  @param  user  as given to gpuarr_benchmark_run
 *  @return GPUARR_OK; anything else ends the benchmark */
typedef gpuarr_status (*gpuarr_benchmark_function)(void* user);

/** Benchmark a function: call it repeatedly, and time each call twice, by the CPU's clock until it
 *  returns, and by events in the stream until its work is done. Waits for each call's work.
 *  @param[out] out       the times, owned by the caller; NULL on failure
 *  @param      name      name of the benchmark in its report, copied
 *  @param      function  does the work once, in @p stream
 *  @param      user      passed to @p function
 *  @param      warmups   untimed calls beforehand, 0 or more
 *  @param      repeats   timed calls, 1 or more
 *  @param      seconds   time limit: no call begins later than this after the first one; INFINITY
 *                        for none
 *  @param      device    the device
 *  @param      stream    stream of the device; NULL for the current one
 *  @return GPUARR_OK; GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE; what @p function returned, with its
 *          message and the number of the call; what gpuarr_event_synchronize returns
 *  @threadsafe if @p function is */
GPUARR_API gpuarr_status gpuarr_benchmark_run(gpuarr_benchmark** out, const char* name,
                                              gpuarr_benchmark_function function,
                                              void* GPUARR_NULLABLE user, int64_t warmups,
                                              int64_t repeats, double seconds,
                                              gpuarr_device* device,
                                              gpuarr_stream* GPUARR_NULLABLE stream);

/** Take another reference.
 *  @return @p benchmark
 *  @threadsafe */
GPUARR_API gpuarr_benchmark* gpuarr_benchmark_retain(gpuarr_benchmark* GPUARR_NULLABLE benchmark);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_benchmark_release(gpuarr_benchmark* GPUARR_NULLABLE benchmark);

/** Clocks of a benchmark. */
enum {
  GPUARR_CLOCK_CPU = 1,   /**< until the function returned */
  GPUARR_CLOCK_DEVICE = 2 /**< from the end of the stream's earlier work until the end of its own */
};

/** Statistics of the samples. */
enum {
  GPUARR_SAMPLES_MEAN = 1,      /**< mean */
  GPUARR_SAMPLES_DEVIATION = 2, /**< standard deviation, with N in the denominator */
  GPUARR_SAMPLES_MIN = 3,       /**< the smallest */
  GPUARR_SAMPLES_MEDIAN = 4,    /**< median */
  GPUARR_SAMPLES_MAX = 5        /**< the largest */
};

/** Read a statistic of a benchmark.
 *  @param[out] out        microseconds; 0 on failure
 *  @param      benchmark  the benchmark
 *  @param      clock      a GPUARR_CLOCK_... number
 *  @param      statistic  a GPUARR_SAMPLES_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_benchmark_statistic(double* out, const gpuarr_benchmark* benchmark,
                                                    int32_t clock, int32_t statistic);

/** Copy a benchmark's samples, in the order of the calls.
 *  @param[out] out_count  how many samples there are, even if fewer were copied; 0 on failure
 *  @param[out] samples    receives at most @p capacity samples, in microseconds; NULL to only get
 *                         their number
 *  @param      capacity   size of @p samples
 *  @param      benchmark  the benchmark
 *  @param      clock      a GPUARR_CLOCK_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_benchmark_samples(int64_t* out_count,
                                                  double* GPUARR_NULLABLE samples, int64_t capacity,
                                                  const gpuarr_benchmark* benchmark, int32_t clock);

/** Formats of a report. */
enum {
  GPUARR_REPORT_TEXT = 1, /**< for people */
  GPUARR_REPORT_JSON = 2  /**< for programs, with all samples of a benchmark */
};

/** Get a benchmark's report. As text it is a line like that of CuPy's profiler.
 *  @param[out] out        the text, NUL-terminated, valid until this thread's next call of this
 *                         function; NULL on failure
 *  @param      benchmark  the benchmark
 *  @param      format     a GPUARR_REPORT_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_benchmark_report(const char** out,
                                                 const gpuarr_benchmark* benchmark, int32_t format);

/* The profile: what each kernel costs, by its name and its arguments' types. $GPUARR_PROFILE=1
 * profiles the whole process and writes a report to standard error at its end; $GPUARR_PROFILE=FILE
 * writes to a file, as JSON if its name ends with .json. */

/** Start the profile: count compilations and launches of kernels, and time the launches. Earlier
 *  counts stay.
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_start(void);

/** Stop the profile.
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_stop(void);

/** Reset the profile's counts and times.
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_reset(void);

/** Get the profile's report: for each kernel its compilations, cache hits, launches, their time on
 *  the device, and if known the bytes that they must read and write. Waits for unfinished launches.
 *  Not included are copies and fills without a kernel, and the time of launches that were captured
 *  into a graph.
 *  @param[out] out     the text, NUL-terminated, valid until this thread's next call of this
 *                      function; NULL on failure
 *  @param      format  a GPUARR_REPORT_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_report(const char** out, int32_t format);

/** Begin a named range (NVTX) on this thread, which profilers such as Nsight Systems show. Launches
 *  and compilations of kernels are ranges too. No effect without a profiler.
 *  @param  name  name of the range, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_push(const char* name);

/** End the range that this thread began last.
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_pop(void);

#ifdef __cplusplus
}
#endif
#endif
