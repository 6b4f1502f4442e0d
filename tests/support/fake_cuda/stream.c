/* See fake_cuda.h: streams, whose work is done at once, and events, which hold the time. */
#include <stdlib.h>
#include <time.h>

#include "state.h"

CUresult fake_stream_create(CUstream* out, unsigned flags, int priority) {
  CUresult result = begin_in("cuStreamCreateWithPriority", current);
  if (result != CUDA_SUCCESS) return result;
  if (priority < -5 || priority > 0) return CUDA_ERROR_INVALID_VALUE;
  *out = malloc(sizeof **out);
  **out = (struct CUstream_st){current, flags};
  keep(*out);
  return CUDA_SUCCESS;
}

CUresult fake_stream_destroy(CUstream stream) {
  CUresult result = begin_in("cuStreamDestroy", stream->context);
  if (result != CUDA_SUCCESS) return result;
  drop(stream);
  return CUDA_SUCCESS;
}

CUresult fake_stream_synchronize(CUstream stream) {
  return begin_in("cuStreamSynchronize", stream->context);
}

static CUresult ready(CUresult result) {
  return result == CUDA_SUCCESS && setting("FAKE_CUDA_BUSY", 0) ? CUDA_ERROR_NOT_READY : result;
}

CUresult fake_stream_query(CUstream stream) {
  return ready(begin_in("cuStreamQuery", stream->context));
}

CUresult fake_stream_is_capturing(CUstream stream, CUstreamCaptureStatus* out) {
  *out = setting("FAKE_CUDA_CAPTURES", 0) ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                          : CU_STREAM_CAPTURE_STATUS_NONE;
  return begin_in("cuStreamIsCapturing", stream->context);
}

/* The event may be of another context. */
CUresult fake_stream_wait_event(CUstream stream, CUevent event, unsigned flags) {
  CUresult result = begin_in("cuStreamWaitEvent", stream->context);
  return event != NULL && flags == 0 ? result : CUDA_ERROR_INVALID_HANDLE;
}

CUresult fake_event_create(CUevent* out, unsigned flags) {
  CUresult result = begin_in("cuEventCreate", current);
  if (result != CUDA_SUCCESS) return result;
  if (flags != CU_EVENT_DEFAULT) return CUDA_ERROR_INVALID_VALUE;
  *out = malloc(sizeof **out);
  **out = (struct CUevent_st){current, 0};
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
  CUresult result = begin_in("cuEventRecord", stream->context);
  if (result != CUDA_SUCCESS) return result;
  if (event->context != stream->context) return CUDA_ERROR_INVALID_HANDLE;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  event->time = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
  return CUDA_SUCCESS;
}

CUresult fake_event_synchronize(CUevent event) {
  return begin_in("cuEventSynchronize", event->context);
}

CUresult fake_event_query(CUevent event) {
  CUresult result = begin_in("cuEventQuery", event->context);
  return event->time > 0 ? ready(result) : result;
}

CUresult fake_event_elapsed_time(float* out, CUevent start, CUevent end) {
  CUresult result = begin_in("cuEventElapsedTime", end->context);
  if (result != CUDA_SUCCESS) return result;
  if (!(start->time > 0) || !(end->time > 0)) return CUDA_ERROR_INVALID_HANDLE;
  *out = (float)(end->time - start->time);
  return ready(CUDA_SUCCESS);
}
