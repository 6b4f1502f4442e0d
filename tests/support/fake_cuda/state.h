/* What the files of the stand-in share. */
#ifndef FAKE_CUDA_STATE_H
#define FAKE_CUDA_STATE_H

#include <cuda.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_cuda.h"

enum { MOST_DEVICES = 8 };

struct CUctx_st {
  int device;
  size_t used;
};
struct CUstream_st {
  struct CUctx_st* context;
  unsigned flags;
};
struct CUevent_st {
  struct CUctx_st* context;
  double time; /* in milliseconds; 0 before it is recorded */
};
struct CUfunc_st {
  char name[64];
  struct CUmod_st* module;
  int dynamic_allowed; /* bytes of dynamic shared memory */
};
struct CUmod_st {
  struct CUctx_st* context;
  size_t bytes;
  char* image;
  struct CUfunc_st functions[8];
  int count;
};

extern pthread_mutex_t mutex; /* over all that threads share */
extern struct fake_launch last_launch;
extern _Thread_local struct CUctx_st* current;

long long setting(const char* name, long long otherwise);
void keep(void* object); /* remembers an object until it is dropped */
void drop(void* object); /* frees it; one that is not there ends the program */

/* What each function does first: counts itself, fails if it is told to, checks the context. */
CUresult begin(const char* name);
CUresult begin_in(const char* name, const struct CUctx_st* context);

CUresult fake_init(unsigned flags);
CUresult fake_get_error_name(CUresult error, const char** out);
CUresult fake_get_error_string(CUresult error, const char** out);
CUresult fake_device_get_count(int* out);
CUresult fake_device_get(CUdevice* out, int ordinal);
CUresult fake_device_get_name(char* out, int capacity, CUdevice device);
CUresult fake_device_get_attribute(int* out, CUdevice_attribute attribute, CUdevice device);
CUresult fake_primary_context_retain(CUcontext* out, CUdevice device);
CUresult fake_context_get_current(CUcontext* out);
CUresult fake_context_set_current(CUcontext context);
CUresult fake_context_synchronize(void);
CUresult fake_context_get_priorities(int* lowest, int* highest);
CUresult fake_memory_get_info(size_t* free_bytes, size_t* total);
CUresult fake_memory_allocate(CUdeviceptr* out, size_t bytes);
CUresult fake_memory_free(CUdeviceptr address);
CUresult fake_copy(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream);
CUresult fake_copy_from_host(CUdeviceptr target, const void* source, size_t bytes, CUstream stream);
CUresult fake_copy_to_host(void* target, CUdeviceptr source, size_t bytes, CUstream stream);
CUresult fake_set_bytes(CUdeviceptr target, unsigned char unit, size_t count, CUstream stream);
CUresult fake_set_shorts(CUdeviceptr target, unsigned short unit, size_t count, CUstream stream);
CUresult fake_set_words(CUdeviceptr target, unsigned unit, size_t count, CUstream stream);
CUresult fake_stream_create(CUstream* out, unsigned flags, int priority);
CUresult fake_stream_destroy(CUstream stream);
CUresult fake_stream_synchronize(CUstream stream);
CUresult fake_stream_query(CUstream stream);
CUresult fake_stream_is_capturing(CUstream stream, CUstreamCaptureStatus* out);
CUresult fake_stream_wait_event(CUstream stream, CUevent event, unsigned flags);
CUresult fake_event_create(CUevent* out, unsigned flags);
CUresult fake_event_destroy(CUevent event);
CUresult fake_event_record(CUevent event, CUstream stream);
CUresult fake_event_synchronize(CUevent event);
CUresult fake_event_query(CUevent event);
CUresult fake_event_elapsed_time(float* out, CUevent start, CUevent end);
CUresult fake_module_load(CUmodule* out, const void* image);
CUresult fake_module_unload(CUmodule module);
CUresult fake_module_get_function(CUfunction* out, CUmodule module, const char* name);
CUresult fake_occupancy(int* out, CUfunction f, int threads, size_t shared);
CUresult fake_function_get_attribute(int* out, CUfunction_attribute attribute, CUfunction f);
CUresult fake_function_set_attribute(CUfunction f, CUfunction_attribute attribute, int value);
CUresult fake_launch_kernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, CUstream stream,
                            void** parameters, void** extra);

#endif
