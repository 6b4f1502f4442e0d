// Streams and events of a GPU.
#include "cuda/stream.hpp"

#include <algorithm>

#include "gpuarr/device.h"

namespace gpuarr::cuda {
namespace {

int clamped(const DeviceFacts& facts, int priority) {
  return std::clamp(priority, facts.highest_priority, facts.lowest_priority);
}

bool is_done(const Driver& api, const char* function, CUresult result) {
  if (result == CUDA_ERROR_NOT_READY) return false;
  if (result != CUDA_SUCCESS) api.fail(function, result);
  return true;
}

}  // namespace

CudaStream::CudaStream(CudaDevice& device, int priority, unsigned flags)
    : Stream(device, clamped(device.facts(), priority)), device_(device) {
  device_.enter();
  device_.api().stream_create(&stream_, flags, this->priority());
}

// Work that the stream was given is still done.
CudaStream::~CudaStream() {
  if (device_.enter_quietly()) device_.api().stream_destroy.unchecked(stream_);
}

void CudaStream::synchronize() {
  device_.enter();
  device_.api().stream_synchronize(stream_);
}

bool CudaStream::query() {
  device_.enter();
  return is_done(device_.api(), "cuStreamQuery", device_.api().stream_query.unchecked(stream_));
}

void CudaStream::record(Event& event) {
  device_.enter();
  device_.api().event_record(static_cast<CudaEvent&>(event).native(), stream_);
}

void CudaStream::wait(Event& event) {
  if (event.device().facts().kind != GPUARR_DEVICE_CUDA) return event.synchronize();
  device_.enter();
  device_.api().stream_wait_event(stream_, static_cast<CudaEvent&>(event).native(), 0);
}

bool CudaStream::is_capturing() {
  device_.enter();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  device_.api().stream_is_capturing(stream_, &status);
  return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

CudaEvent::CudaEvent(CudaDevice& device) : Event(device), device_(device) {
  device_.enter();
  device_.api().event_create(&event_, CU_EVENT_DEFAULT);
}

CudaEvent::~CudaEvent() {
  if (device_.enter_quietly()) device_.api().event_destroy.unchecked(event_);
}

void CudaEvent::synchronize() {
  device_.enter();
  device_.api().event_synchronize(event_);
}

bool CudaEvent::query() {
  device_.enter();
  return is_done(device_.api(), "cuEventQuery", device_.api().event_query.unchecked(event_));
}

double CudaEvent::milliseconds_since(Event& start) {
  device_.enter();
  float milliseconds = 0;
  CUresult result = device_.api().event_elapsed_time.unchecked(
      &milliseconds, static_cast<CudaEvent&>(start).native(), event_);
  if (result == CUDA_ERROR_INVALID_HANDLE)
    fail(GPUARR_ERR_ARGUMENT, "start or end was never recorded; record both events first");
  if (result == CUDA_ERROR_NOT_READY)
    fail(GPUARR_ERR_ARGUMENT, "start or end is not reached yet; synchronize with the end first");
  if (result != CUDA_SUCCESS) device_.api().fail("cuEventElapsedTime", result);
  return static_cast<double>(milliseconds);
}

}  // namespace gpuarr::cuda
