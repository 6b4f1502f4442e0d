/** @file gpuarr/log.h  Log of what the library does: libraries, compilation, cache, memory, fusion.
 */
#ifndef GPUARR_LOG_H
#define GPUARR_LOG_H

#include "gpuarr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* $GPUARR_LOG is read when it is first needed: topics, separated by commas, and optionally a file
 * to append to: "compile,cache", "all:gpuarr.log". Without a file, lines such as "gpuarr compile:
 * ..." go to standard error. Unless it is "off", a setting without effect, such as a directory that
 * is not writable, is reported there by a line "gpuarr warning: ...", whatever the topics. */

/** Topics of log lines. */
enum {
  GPUARR_LOG_LIBRARY = 1, /**< libraries loaded at run time, and those that were not found */
  GPUARR_LOG_COMPILE = 2, /**< kernels compiled, and the time it took */
  GPUARR_LOG_CACHE = 4,   /**< compiled kernels found, stored and refused */
  GPUARR_LOG_MEMORY = 8,  /**< memory allocated from devices and freed */
  GPUARR_LOG_FUSE = 16    /**< expressions planned: their kernels, as gpuarr_expr_explain tells */
};

/** Set the topics to log, instead of $GPUARR_LOG.
 *  @param  setting  topics and optionally a file: "all", "compile,cache:FILE"; "" for warnings
 *                   only, "off" for nothing
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (an unknown topic), GPUARR_ERR_IO (the file cannot be
 *          opened); after a failure the previous setting stays
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_log_set(const char* setting);

/** A function that receives a line. It runs on the thread that does the work, possibly while the
 *  library holds a lock, so it must not throw, wait or call the library.
 *  @param  user   as given to gpuarr_log_set_receiver
 *  @param  topic  a GPUARR_LOG_... number; GPUARR_LOG_LIBRARY for a warning
 *  @param  line   "gpuarr compile: ..." without a newline, valid during the call */
typedef void (*gpuarr_log_receiver)(void* user, int32_t topic, const char* line);

/** Send log lines to a function instead of standard error or a file. $GPUARR_LOG or gpuarr_log_set
 *  still choose the topics.
 *  @param  receiver  receives the lines; NULL to send them to standard error or the file again.
 *                    Other threads may still be calling a replaced receiver for a moment
 *  @param  user      passed to @p receiver
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_log_set_receiver(gpuarr_log_receiver GPUARR_NULLABLE receiver,
                                                 void* GPUARR_NULLABLE user);

#ifdef __cplusplus
}
#endif
#endif
