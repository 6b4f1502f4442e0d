// Handles of cuSOLVER, one for each thread and device, and the workspaces of a call.
#pragma once

#include <memory>
#include <vector>

#include "cuda/device/device.hpp"
#include "cuda/libraries/cusolver.hpp"
#include "device/stream_memory.hpp"

namespace gpuarr::cuda {

/// The calling thread's handle on a stream's device, set to work in the stream. Threads that end
/// leave their handles to others: to destroy one waits for the device.
class CusolverLease {
 public:
  CusolverLease(CudaDevice& device, Stream& stream);

  Cusolver::Handle handle() const { return handle_; }
  Cusolver::Params params() const { return params_; }
  void* jacobi() const { return jacobi_; }

 private:
  Cusolver::Handle handle_;
  Cusolver::Params params_;
  void* jacobi_;  // parameters of the method for singular values
};

/// Fails in a stream that is being captured: the function reads on its way what its own kernels
/// made, and to call it all the same would end the capture.
void refuse_capture(const char* function, const Stream& stream);

/// What a function of cuSOLVER asked for: memory of the stream, and of the host, which stays until
/// the stream is past the call, or as long as the graph that the call went into.
class SolverWorkspace {
 public:
  SolverWorkspace(size_t device_bytes, size_t host_bytes, Stream& stream);
  ~SolverWorkspace();
  SolverWorkspace(const SolverWorkspace&) = delete;
  SolverWorkspace& operator=(const SolverWorkspace&) = delete;

  void* device() const { return device_.data(); }
  size_t device_bytes() const { return device_bytes_; }
  void* host() const { return host_ ? host_->data() : nullptr; }
  size_t host_bytes() const { return host_bytes_; }

 private:
  Stream& stream_;
  size_t device_bytes_, host_bytes_;
  StreamMemory device_;
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
