/** @file gpuarr/settings.h  Settings: environment variables and their values. */
#ifndef GPUARR_SETTINGS_H
#define GPUARR_SETTINGS_H

#include "gpuarr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The library reads environment variables that begin with GPUARR_, each when it is first needed.
 * With an invalid value gpuarr_device_open, which checks all of them, returns GPUARR_ERR_ARGUMENT,
 * and so does any other call that needs it; once the variable is corrected, calls succeed. A valid
 * value that cannot take effect, such as a directory that is not writable, is a warning: see log.h.
 * A privileged program (set-user-ID, set-group-ID, file capabilities) ignores all of them except
 * GPUARR_TEXT=closed, also PATH, HOME and TMPDIR, and has no kernel cache on disk. */

/** A function that receives a setting. It must not throw.
 *  @param  user     as given to gpuarr_settings_list
 *  @param  name     "GPUARR_NUM_THREADS"
 *  @param  value    the variable's value; if it is not set, the default in words
 *  @param  is_set   1 if it is set, else 0
 *  @param  meaning  what it sets, in words
 *  @param  problem  why the value is invalid; "" if it is valid
 *  @return 0 to continue, any other value to stop */
typedef int32_t (*gpuarr_setting_visitor)(void* user, const char* name, const char* value,
                                          int32_t is_set, const char* meaning, const char* problem);

/** List all settings, with the environment's current values, which may have changed since the
 *  library read them.
 *  @param  visitor  called for each setting, on this thread
 *  @param  user     passed to @p visitor
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_settings_list(gpuarr_setting_visitor visitor,
                                              void* GPUARR_NULLABLE user);

#ifdef __cplusplus
}
#endif
#endif
