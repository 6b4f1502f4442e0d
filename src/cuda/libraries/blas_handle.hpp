// Handles of cuBLAS: one for each thread and device.
#pragma once

#include <complex>
#include <optional>

#include "cuda/device/device.hpp"
#include "cuda/libraries/cublas.hpp"
#include "device/stream_memory.hpp"

namespace gpuarr::cuda {

/// The calling thread's handle on a stream's device, with workspace for one call, out of the
/// stream's memory and given back in its order; while the stream is captured, it is the graph's.
/// Threads that end leave their handles to others: to destroy one waits for the device.
class CublasLease {
 public:
  CublasLease(CudaDevice& device, Stream& stream);

  Cublas::Handle handle() const { return handle_; }

 private:
  Cublas::Handle handle_;
  std::optional<StreamMemory> workspace_;
};

/// A number that a function reads on the host, in the form that goes with a type of elements.
class Factor {
 public:
  Factor(std::complex<double> value, bool is_double)
      : double_(value), single_(value), is_double_(is_double) {}
  const void* address() const { return is_double_ ? static_cast<const void*>(&double_) : &single_; }

 private:
  std::complex<double> double_;  // a real number is its first half
  std::complex<float> single_;
  bool is_double_;
};

}  // namespace gpuarr::cuda
