// Streams and events of a GPU.
#include "cuda/device/stream.hpp"

#include <algorithm>
#include <memory>

#include "device/capture.hpp"
#include "gpuarr/device.h"

namespace gpuarr::cuda {
namespace {

struct HostCall {
  HostFunction function;
  void* user;
};

void CUDA_CB run_host_call(void* data) {
  std::unique_ptr<HostCall> call(static_cast<HostCall*>(data));
  run_host_function(call->function, call->user);
}

// Of a graph, which runs it each time.
void CUDA_CB run_kept_call(void* data) {
  const auto* call = static_cast<const HostCall*>(data);
  run_host_function(call->function, call->user);
}

CUevent handle(const Event& event) { return static_cast<CUevent>(event.native()); }

}  // namespace

std::shared_ptr<Stream> CudaStream::create(CudaDevice& device, int priority, unsigned flags) {
  device.enter();
  const DeviceFacts& facts = device.facts();
  priority = std::clamp(priority, facts.highest_priority, facts.lowest_priority);
  std::shared_ptr<CudaStream> stream(new CudaStream(device, priority, nullptr, true));
  device.api().stream_create(&stream->stream_, flags, priority);
  device.streams().add(stream);
  return stream;
}

CudaStream::CudaStream(CudaDevice& device, int priority, CUstream stream, bool owned)
    : Stream(device, priority), device_(device), stream_(stream), owned_(owned) {}

// Work that the stream was given is still done.
CudaStream::~CudaStream() {
  delete mark_.load();
  if (!owned_ || stream_ == nullptr) return;
  device_.streams().remove(stream_);
  device_.dispose<&Driver::stream_destroy>(stream_);
}

void CudaStream::synchronize() {
  check_not_captured(*this);
  device_.lookouts().watch(*this);
  device_.enter();
  device_.api().stream_synchronize(stream_);
}

bool CudaStream::query() {
  check_not_captured(*this);
  device_.enter();
  return device_.api().stream_query.succeeds_unless(CUDA_ERROR_NOT_READY, stream_);
}

void CudaStream::record(Event& event) {
  device_.enter();
  device_.api().event_record(handle(event), stream_);
  note_record(event);
}

void CudaStream::wait(Event& event) {
  const Joining joining = check_wait(event);
  if (event.device().facts().kind != GPUARR_DEVICE_CUDA) return event.synchronize();
  device_.enter();
  device_.api().stream_wait_event(stream_, handle(event), 0);
  take_part(joining);
}

CudaEvent& CudaStream::mark() {
  CudaEvent* mark = mark_.load(std::memory_order_acquire);
  if (mark != nullptr) return *mark;
  auto made = std::make_unique<CudaEvent>(device_, false);
  if (mark_.compare_exchange_strong(mark, made.get())) return *made.release();
  return *mark;  // another thread was first
}

void CudaStream::let_wait(Stream& other) {
  if (&other == this) return;
  const Ordering ordering(*this, other);
  record(mark());
  other.wait(mark());
}

void CudaStream::call(HostFunction function, void* user) {
  device_.enter();
  if (captures()) {
    auto kept = std::make_shared<HostCall>(HostCall{function, user});
    keep(kept);
    return device_.api().launch_host_function(stream_, run_kept_call, kept.get());
  }
  auto call = std::make_unique<HostCall>(HostCall{function, user});
  device_.api().launch_host_function(stream_, run_host_call, call.get());
  static_cast<void>(call.release());  // it deletes itself
}

bool CudaStream::is_capturing() {
  device_.enter();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  device_.api().stream_is_capturing(stream_, &status);
  return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

std::shared_ptr<Capture> CudaStream::start_capture() {
  device_.enter();
  auto capture = std::make_shared<Capture>(*this);
  if (!device_.api().stream_begin_capture.succeeds_unless(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                                                          stream_, CU_STREAM_CAPTURE_MODE_RELAXED))
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is CUDA's legacy default stream, which cannot be captured; make one with "
         "gpuarr_stream_create");
  return capture;
}

CudaEvent::CudaEvent(CudaDevice& device, bool timed) : Event(device, timed), device_(device) {
  device_.enter();
  device_.api().event_create(&event_, timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING);
}

CudaEvent::~CudaEvent() { device_.dispose<&Driver::event_destroy>(event_); }

void CudaEvent::synchronize() {
  check_real();
  device_.lookouts().watch(*this);
  device_.enter();
  device_.api().event_synchronize(event_);
}

bool CudaEvent::query() {
  check_real();
  device_.enter();
  return device_.api().event_query.succeeds_unless(CUDA_ERROR_NOT_READY, event_);
}

double CudaEvent::microseconds_since(Event& start) {
  check_real();
  static_cast<CudaEvent&>(start).check_real();
  device_.enter();
  float milliseconds = 0;
  CUresult result =
      device_.api().event_elapsed_time.unchecked(&milliseconds, handle(start), event_);
  if (result == CUDA_ERROR_INVALID_HANDLE)
    fail(GPUARR_ERR_ARGUMENT, "start or end was never recorded; record both events first");
  if (result == CUDA_ERROR_NOT_READY)
    fail(GPUARR_ERR_ARGUMENT, "start or end is not reached yet; synchronize with the end first");
  if (result != CUDA_SUCCESS) device_.api().fail("cuEventElapsedTime", result);
  return static_cast<double>(milliseconds) * 1000;
}

}  // namespace gpuarr::cuda
