// Handles of cuBLAS: one for each thread and device.
#pragma once

#include "cuda/device/device.hpp"
#include "cuda/libraries/cublas.hpp"
#include "device/allocator.hpp"

namespace gpuarr::cuda {

/// The calling thread's handle on a stream's device, with workspace for one call, out of the
/// stream's memory and given back in its order; while the stream is captured, it is the graph's.
/// Threads that end leave their handles to others: to destroy one waits for the device.
class CublasLease {
 public:
  CublasLease(CudaDevice& device, Stream& stream);
  ~CublasLease();
  CublasLease(const CublasLease&) = delete;
  CublasLease& operator=(const CublasLease&) = delete;

  Cublas::Handle handle() const { return handle_; }

 private:
  Stream& stream_;
  AllocatorUse source_;
  Cublas::Handle handle_;
  void* workspace_;
};

}  // namespace gpuarr::cuda
