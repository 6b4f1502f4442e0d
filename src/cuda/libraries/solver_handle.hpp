// Handles of cuSOLVER, one for each thread and device, and the workspaces of a call.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cuda/device/device.hpp"
#include "cuda/libraries/cusolver.hpp"
#include "device/stream_memory.hpp"

namespace gpuarr::cuda {

struct SolverHandle {
  Cusolver::Handle handle = nullptr;
  Cusolver::Params params = nullptr;
  void* jacobi = nullptr;  // parameters of the method for singular values
  uint64_t stream = 0;     // that is set, by its id; 0 for none
};

/// The calling thread's handle on a stream's device, set to work in the stream. Threads that end
/// leave their handles to others: to destroy one waits for the device.
SolverHandle solver_handle(CudaDevice& device, Stream& stream);

/// Fails in a stream that is being captured: the function reads on its way what its own kernels
/// made, and to call it all the same would end the capture.
void refuse_capture(const char* function, const Stream& stream);

/// What a function of cuSOLVER asked for: memory of the stream, and of the host, which stays until
/// the stream is past the call, or as long as the graph that the call went into.
class SolverWorkspace {
 public:
  /// `ask` is called with the arguments, and with where it puts the bytes of the two.
  template <class Ask, class... Arguments>
  SolverWorkspace(Stream& stream, const Ask& ask, Arguments... arguments) : stream_(stream) {
    ask(arguments..., &device_bytes_, &host_bytes_);
    allocate();
  }
  ~SolverWorkspace();
  SolverWorkspace(const SolverWorkspace&) = delete;
  SolverWorkspace& operator=(const SolverWorkspace&) = delete;

  void* device() const { return device_->data(); }
  size_t device_bytes() const { return device_bytes_; }
  void* host() const { return host_ ? host_->data() : nullptr; }
  size_t host_bytes() const { return host_bytes_; }

 private:
  void allocate();

  Stream& stream_;
  size_t device_bytes_ = 0, host_bytes_ = 0;
  std::optional<StreamMemory> device_;
  std::shared_ptr<std::vector<std::byte>> host_;
};

/// A few bytes of the host's on the device.
class Uploaded {
 public:
  Uploaded(std::vector<std::byte> bytes, Stream& stream);

  void* data() const { return memory_.data(); }

 private:
  StreamMemory memory_;
};

/// The addresses of matrices, on the device.
class Addresses {
 public:
  Addresses(const Matrices& matrices, Stream& stream);

  void* const* get() const { return static_cast<void* const*>(uploaded_.data()); }
  const void* const* get_const() const { return static_cast<const void* const*>(uploaded_.data()); }

 private:
  Uploaded uploaded_;
};

}  // namespace gpuarr::cuda
