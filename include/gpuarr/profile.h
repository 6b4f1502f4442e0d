/** @file gpuarr/profile.h  Where the time goes: benchmarks, a report of all kernels, named
 *  ranges. */
#ifndef GPUARR_PROFILE_H
#define GPUARR_PROFILE_H

#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The times of a function's repeated calls. Reference-counted. */
typedef struct gpuarr_benchmark gpuarr_benchmark;

/** The work that a benchmark times, on the thread that runs the benchmark. It must not throw.
 *  @param  user  what gpuarr_benchmark_run was given
 *  @return GPUARR_OK; anything else ends the benchmark */
typedef gpuarr_status (*gpuarr_benchmark_function)(void* user);

/** Call a function again and again, and time each call twice: by the CPU's clock until it returns,
 *  and by events in the stream until its work is done, which is waited for.
 *  @param[out] out       the times, owned by the caller; NULL on failure
 *  @param      name      of what is timed, copied
 *  @param      function  does the work once, in @p stream
 *  @param      user      handed to it
 *  @param      warmups   calls beforehand that are not timed, 0 or more
 *  @param      repeats   calls that are timed, 1 or more
 *  @param      seconds   no call begins this long after the first; INFINITY for no such limit
 *  @param      device    the device
 *  @param      stream    stream of the device; NULL for the current one
 *  @return GPUARR_OK; GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE; what @p function returned, with its
 *          message and the number of the call; what gpuarr_event_synchronize returns
 *  @threadsafe as far as the function is */
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

/** Whose time. */
enum {
  GPUARR_CLOCK_CPU = 1,   /**< until the function had returned */
  GPUARR_CLOCK_DEVICE = 2 /**< from the work before it in the stream until its own was done */
};

/** A number of the samples. */
enum {
  GPUARR_SAMPLES_MEAN = 1,      /**< their mean */
  GPUARR_SAMPLES_DEVIATION = 2, /**< their standard deviation, with N in the denominator */
  GPUARR_SAMPLES_MIN = 3,       /**< the least of them */
  GPUARR_SAMPLES_MEDIAN = 4,    /**< their median */
  GPUARR_SAMPLES_MAX = 5        /**< the greatest of them */
};

/** Read one of a benchmark's numbers.
 *  @param[out] out        microseconds; 0 on failure
 *  @param      benchmark  the benchmark
 *  @param      clock      a GPUARR_CLOCK_... number
 *  @param      statistic  a GPUARR_SAMPLES_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_benchmark_statistic(double* out, const gpuarr_benchmark* benchmark,
                                                    int32_t clock, int32_t statistic);

/** Copy a benchmark's samples, in the order of the calls.
 *  @param[out] out_count  how many there are, whatever was copied; 0 on failure
 *  @param[out] samples    receives at most @p capacity of them, in microseconds; NULL to ask how
 *                         many there are
 *  @param      capacity   samples that there is room for
 *  @param      benchmark  the benchmark
 *  @param      clock      a GPUARR_CLOCK_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_benchmark_samples(int64_t* out_count,
                                                  double* GPUARR_NULLABLE samples, int64_t capacity,
                                                  const gpuarr_benchmark* benchmark, int32_t clock);

/** How a report is written. */
enum {
  GPUARR_REPORT_TEXT = 1, /**< for people */
  GPUARR_REPORT_JSON = 2  /**< for programs, with all samples of a benchmark */
};

/** Write a benchmark down. As text it is the one line that CuPy's profiler prints.
 *  @param[out] out        the text, NUL-terminated, valid until this thread's next call of this
 *                         function; NULL on failure
 *  @param      benchmark  the benchmark
 *  @param      format     a GPUARR_REPORT_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_benchmark_report(const char** out,
                                                 const gpuarr_benchmark* benchmark, int32_t format);

/* The profile: what each kernel costs, by its name and its arguments' types. $GPUARR_PROFILE=1
 * makes one of the whole process and writes it to standard error at the end, =FILE to a file, as
 * JSON if its name ends with .json. */

/** Begin to count compilations and launches of kernels, and to time the launches. What was counted
 *  before stays.
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_start(void);

/** Count no more.
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_stop(void);

/** Forget what was counted.
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_reset(void);

/** Write down what was counted: for each kernel its compilations, its hits in the cache, its
 *  launches, their time on the device, and where that is known the bytes that they had to read and
 *  write. Waits for the launches that are not done. Copies and fills that need no kernel are not in
 *  it, nor is the time of launches into a graph.
 *  @param[out] out     the text, NUL-terminated, valid until this thread's next call of this
 *                      function; NULL on failure
 *  @param      format  a GPUARR_REPORT_... number
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_report(const char** out, int32_t format);

/** Begin a named range of this thread's time, which profilers such as Nsight Systems show. Kernels'
 *  launches and compilations make ranges of their own. Without a profiler nothing happens.
 *  @param  name  shown for the range, copied
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_push(const char* name);

/** End this thread's range that was begun last.
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_profile_pop(void);

#ifdef __cplusplus
}
#endif
#endif
