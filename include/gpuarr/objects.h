/** @file gpuarr/objects.h  Debugging: find objects that were not released, or released twice. */
#ifndef GPUARR_OBJECTS_H
#define GPUARR_OBJECTS_H

#include "gpuarr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Start or stop to record where each object is created and released. `GPUARR_OBJECTS=track` in the
 *  environment starts it with the first object.
 *
 *  While it is on, a second release, a use after the last release, an object of another type and an
 *  address that is not an object are detected and have no effect: a call with a status returns
 *  GPUARR_ERR_ARGUMENT, others return NULL or 0 and write a line to stderr too. The message says
 *  what the object is, where it was created and where it was released. Objects that are left when
 *  the process ends are listed on stderr; `GPUARR_OBJECTS=track:FILE` appends them to a file.
 *
 *  It costs some microseconds for each creation and release, and keeps the memory of each released
 *  object, about 1 KiB without the elements of an array; stopping frees that. Objects that were
 *  created while it was off are unknown: as long as one of them lives, any unknown address is
 *  accepted as an object.
 *  @param  on  1 to start, 0 to stop
 *  @return GPUARR_ERR_ARGUMENT for another @p on
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_objects_track(int32_t on);

/** List the live objects, a line for each: what it is, the function that created it and its
 *  callers, and how often it must be released. gpuarr_live_objects() is their number.
 *
 *      #12 array (float32, (1000, 20), 80000 bytes, cuda:0) made by gpuarr_array_zeros at
 *      fill+0x1f (prog) < main+0x51 (prog), refs 2
 *
 *  in one line. A function that the program does not export (link it with -rdynamic) has no name
 *  there: "prog+0x1234" is an address for `addr2line -e prog 0x1234`. Lines of objects created on
 *  another thread than the first one end with ", thread 4711"; objects created while tracking was
 *  off are counted in the last line.
 *  @param[out] buffer    receives at most @p capacity bytes, NUL-terminated; NULL to only get the
 *                        length
 *  @param      capacity  bytes of @p buffer, the NUL included
 *  @return length of the whole list in bytes without the NUL, even if less was copied; 0 if there
 *          is none
 *  @threadsafe */
GPUARR_API int64_t gpuarr_objects_report(char* GPUARR_NULLABLE buffer, int64_t capacity);

#ifdef __cplusplus
}
#endif
#endif
