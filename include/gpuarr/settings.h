/** @file gpuarr/settings.h  What the environment sets. */
#ifndef GPUARR_SETTINGS_H
#define GPUARR_SETTINGS_H

#include "gpuarr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The library reads variables of the environment that begin with GPUARR_, each when it first needs
 * it. A value that cannot be understood is GPUARR_ERR_ARGUMENT of gpuarr_device_open, which looks
 * at all of them, and of any other call that needs it; once the variable is mended, calls succeed.
 * What is understood and cannot be had, such as a directory that cannot be written, is a warning:
 * see log.h. A program with raised rights (set-user-ID, set-group-ID, capabilities of its file)
 * heeds none of them but GPUARR_TEXT=closed, nor PATH, HOME and TMPDIR, and has no kernel cache on
 * disk. */

/** Gets a setting. It must not throw.
 *  @param  user     what gpuarr_settings_list was given
 *  @param  name     "GPUARR_NUM_THREADS"
 *  @param  value    the variable's value; what holds without it, in words, if it is not set
 *  @param  is_set   1 if it is set, else 0
 *  @param  meaning  what it is about, in words
 *  @param  problem  why the value is refused; "" if it is not
 *  @return 0 to go on, anything else to stop */
typedef int32_t (*gpuarr_setting_visitor)(void* user, const char* name, const char* value,
                                          int32_t is_set, const char* meaning, const char* problem);

/** Go through all settings. Those that are set are as the environment has them now, which may have
 *  changed since the library read them.
 *  @param  visitor  called for each setting, on this thread
 *  @param  user     handed to it
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_settings_list(gpuarr_setting_visitor visitor,
                                              void* GPUARR_NULLABLE user);

#ifdef __cplusplus
}
#endif
#endif
