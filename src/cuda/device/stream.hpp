// Streams and events of a GPU.
#pragma once

#include <atomic>

#include "cuda/device/device.hpp"

namespace gpuarr::cuda {

class CudaEvent final : public Event {
 public:
  CudaEvent(CudaDevice& device, bool timed);
  ~CudaEvent() override;

  void synchronize() override;
  bool query() override;
  double microseconds_since(Event& start) override;
  void* native() const override { return event_; }

 private:
  CudaDevice& device_;
  CUevent event_ = nullptr;
};

class CudaStream : public Stream {
 public:
  static std::shared_ptr<Stream> create(CudaDevice& device, int priority, unsigned flags);
  ~CudaStream() override;

  void synchronize() override;
  bool query() override;
  void record(Event& event) override;
  void wait(Event& event) override;
  void let_wait(Stream& other) override;
  void call(HostFunction function, void* user) override;
  void* native() const final { return stream_; }
  bool is_capturing() override;

 protected:
  std::shared_ptr<Capture> start_capture() override;
  std::shared_ptr<Graph> finish_capture(Capture& capture) override;  // of graph.cpp

  CudaStream(CudaDevice& device, int priority, CUstream stream, bool owned);

  /// An event of the stream's own, recorded again and again: who waits for it waits for the record
  /// that is there at that time, and any later one is as good.
  CudaEvent& mark();
  CudaDevice& cuda_device() const { return device_; }

 private:
  CudaDevice& device_;
  CUstream stream_;
  bool owned_;
  std::atomic<CudaEvent*> mark_{nullptr};
};

}  // namespace gpuarr::cuda
