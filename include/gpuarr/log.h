/** @file gpuarr/log.h  What the library does behind the calls, line by line. */
#ifndef GPUARR_LOG_H
#define GPUARR_LOG_H

#include "gpuarr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* $GPUARR_LOG is read at first need: topics, separated by commas, and maybe a file to append to:
 * "compile,cache", "all:gpuarr.log". Lines such as "gpuarr compile: ..." go to standard error
 * otherwise. Whatever the topics, a setting that cannot be honoured, such as a directory that
 * cannot be written, is told there by one line, "gpuarr warning: ...", unless it says "off". */

/** What a line is about. */
enum {
  GPUARR_LOG_LIBRARY = 1, /**< libraries opened at run time, and those that were not found */
  GPUARR_LOG_COMPILE = 2, /**< kernels compiled, and how long it took */
  GPUARR_LOG_CACHE = 4,   /**< compiled kernels found, stored and refused */
  GPUARR_LOG_MEMORY = 8   /**< memory taken from devices and given back */
};

/** Choose what is told, in place of $GPUARR_LOG.
 *  @param  setting  topics and maybe a file: "all", "compile,cache:FILE"; "" for warnings only,
 *                   "off" for nothing
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT for a word that is no topic, GPUARR_ERR_IO for a file
 *          that does not open; what was chosen before then stays
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_log_set(const char* setting);

/** Gets a line. It is called by whatever thread does the work, even while the library holds a lock,
 *  so it must neither throw nor wait, nor call the library.
 *  @param  user   what gpuarr_log_set_receiver was given
 *  @param  topic  a GPUARR_LOG_... number; GPUARR_LOG_LIBRARY of a warning
 *  @param  line   "gpuarr compile: ..." without a line feed, valid during the call */
typedef void (*gpuarr_log_receiver)(void* user, int32_t topic, const char* line);

/** Send lines to a function, and no longer to standard error or a file. What is told is still for
 *  $GPUARR_LOG or gpuarr_log_set to say.
 *  @param  receiver  gets the lines; NULL to send them to standard error or the file again. One
 *                    that is replaced may be called a moment longer, by threads that were about to
 *  @param  user      handed to it
 *  @return GPUARR_OK
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_log_set_receiver(gpuarr_log_receiver GPUARR_NULLABLE receiver,
                                                 void* GPUARR_NULLABLE user);

#ifdef __cplusplus
}
#endif
#endif
