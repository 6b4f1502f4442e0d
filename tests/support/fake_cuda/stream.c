/* See fake_cuda.h: streams, whose work is done at once, and events, which hold the time. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "state.h"

static struct CUstream_st legacy[MOST_DEVICES];
static _Thread_local struct CUstream_st per_thread[MOST_DEVICES];

struct CUstream_st* real_stream(CUstream stream) {
  int device = current != NULL ? __atomic_load_n(&current->device, __ATOMIC_RELAXED) : 0;
  struct CUstream_st* special = stream == CU_STREAM_PER_THREAD                 ? &per_thread[device]
                                : stream == NULL || stream == CU_STREAM_LEGACY ? &legacy[device]
                                                                               : NULL;
  if (special == NULL && !is_kept(stream)) abort();
  if (special == NULL) return stream;
  __atomic_store_n(&special->context, current, __ATOMIC_RELAXED);
  return special;
}

CUresult fake_stream_create(CUstream* out, unsigned flags, int priority) {
  CUresult result = begin_in("cuStreamCreateWithPriority", current);
  if (result != CUDA_SUCCESS) return result;
  if (priority < -5 || priority > 0) return CUDA_ERROR_INVALID_VALUE;
  *out = malloc(sizeof **out);
  **out = (struct CUstream_st){current, flags, priority, NULL};
  keep(*out);
  return CUDA_SUCCESS;
}

CUresult fake_stream_destroy(CUstream stream) {
  CUresult result = begin_in("cuStreamDestroy", real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  drop_capture(stream);
  drop(stream);
  return CUDA_SUCCESS;
}

CUresult fake_stream_synchronize(CUstream stream) {
  CUresult result = begin_in("cuStreamSynchronize", real_stream(stream)->context);
  return result == CUDA_SUCCESS ? check_capture(stream) : result;
}

static CUresult ready(CUresult result) {
  return result == CUDA_SUCCESS && setting("FAKE_CUDA_BUSY", 0) ? CUDA_ERROR_NOT_READY : result;
}

CUresult fake_stream_query(CUstream stream) {
  CUresult result = begin_in("cuStreamQuery", real_stream(stream)->context);
  return ready(result == CUDA_SUCCESS ? check_capture(stream) : result);
}

CUresult fake_stream_get_context(CUstream stream, CUcontext* out) {
  CUresult result = begin("cuStreamGetCtx");
  *out = real_stream(stream)->context;
  return result;
}

CUresult fake_stream_get_priority(CUstream stream, int* out) {
  *out = real_stream(stream)->priority;
  return begin_in("cuStreamGetPriority", real_stream(stream)->context);
}

struct host_call {
  CUhostFn function;
  void* user;
};

static void* run_host_call(void* data) {
  struct host_call* call = data;
  in_host_function = 1;
  call->function(call->user);
  in_host_function = 0;
  return NULL;
}

/* On a thread of the driver's, where one can be made. */
static void run_noted_call(const void* data, size_t bytes) {
  struct host_call call;
  memcpy(&call, data, bytes);
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_host_call, &call) == 0)
    pthread_join(thread, NULL);
  else
    run_host_call(&call);
}

CUresult fake_launch_host_function(CUstream stream, CUhostFn function, void* user) {
  CUresult result = begin_in("cuLaunchHostFunc", real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  struct host_call call = {function, user};
  if (capture_work(stream, "host", run_noted_call, &call, sizeof call)) return CUDA_SUCCESS;
  run_noted_call(&call, sizeof call);
  return CUDA_SUCCESS;
}

CUresult fake_stream_is_capturing(CUstream stream, CUstreamCaptureStatus* out) {
  *out = setting("FAKE_CUDA_CAPTURES", 0) || real_stream(stream)->capture != NULL
             ? CU_STREAM_CAPTURE_STATUS_ACTIVE
             : CU_STREAM_CAPTURE_STATUS_NONE;
  return begin_in("cuStreamIsCapturing", real_stream(stream)->context);
}

/* The event may be of another context. */
CUresult fake_stream_wait_event(CUstream stream, CUevent event, unsigned flags) {
  CUresult result = begin_in("cuStreamWaitEvent", real_stream(stream)->context);
  if (event == NULL || flags != 0) return CUDA_ERROR_INVALID_HANDLE;
  return result == CUDA_SUCCESS ? capture_wait(stream, event) : result;
}

CUresult fake_event_create(CUevent* out, unsigned flags) {
  CUresult result = begin_in("cuEventCreate", current);
  if (result != CUDA_SUCCESS) return result;
  if ((flags & ~(unsigned)CU_EVENT_DISABLE_TIMING) != 0) return CUDA_ERROR_INVALID_VALUE;
  *out = malloc(sizeof **out);
  **out = (struct CUevent_st){.context = current, .untimed = flags != 0};
  keep(*out);
  return CUDA_SUCCESS;
}

CUresult fake_event_destroy(CUevent event) {
  CUresult result = begin_in("cuEventDestroy", event->context);
  if (result != CUDA_SUCCESS) return result;
  drop(event);
  return CUDA_SUCCESS;
}

CUresult fake_event_record(CUevent event, CUstream stream) {
  CUresult result = begin_in("cuEventRecord", real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  if (event->context != real_stream(stream)->context) return CUDA_ERROR_INVALID_HANDLE;
  if (real_stream(stream)->capture != NULL) return capture_record(event, stream);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  pthread_mutex_lock(&mutex); /* several threads may record one event */
  event->captured = 0;
  event->time = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
  pthread_mutex_unlock(&mutex);
  return CUDA_SUCCESS;
}

CUresult fake_event_synchronize(CUevent event) {
  CUresult result = begin_in("cuEventSynchronize", event->context);
  return event->captured ? CUDA_ERROR_CAPTURED_EVENT : result;
}

CUresult fake_event_query(CUevent event) {
  CUresult result = begin_in("cuEventQuery", event->context);
  if (event->captured) return CUDA_ERROR_CAPTURED_EVENT;
  return event->time > 0 ? ready(result) : result;
}

CUresult fake_event_elapsed_time(float* out, CUevent start, CUevent end) {
  CUresult result = begin_in("cuEventElapsedTime", end->context);
  if (result != CUDA_SUCCESS) return result;
  if (start->untimed || end->untimed || !(start->time > 0) || !(end->time > 0))
    return CUDA_ERROR_INVALID_HANDLE;
  *out = (float)(end->time - start->time);
  return ready(CUDA_SUCCESS);
}
