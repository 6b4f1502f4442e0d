// Streams and events of a GPU.
#pragma once

#include "cuda/device.hpp"

namespace gpuarr::cuda {

class CudaStream final : public Stream {
 public:
  CudaStream(CudaDevice& device, int priority, unsigned flags);
  ~CudaStream() override;

  void synchronize() override;
  bool query() override;
  void record(Event& event) override;
  void wait(Event& event) override;
  void* native() const override { return stream_; }
  bool is_capturing() override;

 private:
  CudaDevice& device_;
  CUstream stream_ = nullptr;
};

class CudaEvent final : public Event {
 public:
  explicit CudaEvent(CudaDevice& device);
  ~CudaEvent() override;

  void synchronize() override;
  bool query() override;
  double milliseconds_since(Event& start) override;
  CUevent native() const { return event_; }

 private:
  CudaDevice& device_;
  CUevent event_ = nullptr;
};

}  // namespace gpuarr::cuda
