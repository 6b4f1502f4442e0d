#include "cuda/libraries/blas_handle.hpp"

#include "core/error.hpp"
#include "cuda/device/thread_handles.hpp"

namespace gpuarr::cuda {
namespace {

// Sums of 16-bit floats stay float32 where several blocks share one.
constexpr int disallow_reduced_precision = 16;

struct Owned {
  Cublas::Handle handle = nullptr;
  uint64_t stream = 0;        // that is set, by its id; 0 for none
  void* workspace = nullptr;  // that is set
};

Owned create_blas(CudaDevice& device) {
  const Cublas& api = cublas();
  Owned made;
  if (api.create.unchecked(&made.handle) != 0) {
    trim_all(device);  // it asks the driver for some memory, which the pools may have
    api.create(&made.handle);
  }
  api.set_math_mode(made.handle, disallow_reduced_precision);
  return made;
}

// What NVIDIA recommends: less makes some products slower.
int64_t workspace_bytes(const CudaDevice& device) {
  return (device.facts().compute_capability >= 90 ? int64_t{32} : int64_t{4}) << 20;
}

void check_capture(Stream& stream) {
  if (!stream.captures() && stream.is_capturing())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured with the driver's own functions, but cuBLAS needs memory that "
         "such a graph cannot keep; capture with gpuarr_stream_begin_capture");
}

}  // namespace

CublasLease::CublasLease(CudaDevice& device, Stream& stream) {
  device.enter();
  check_capture(stream);
  Owned& owned = ThreadHandles<Owned>::of(device, create_blas);
  handle_ = owned.handle;
  const Cublas& api = cublas();
  if (owned.stream != stream.id()) {
    owned.stream = 0;
    owned.workspace = nullptr;  // which setting a stream takes away
    api.set_stream(handle_, stream.native());
    owned.stream = stream.id();
  }
  const int64_t bytes = workspace_bytes(device);
  void* const workspace = workspace_.emplace(bytes, stream).data();
  if (owned.workspace == workspace) return;  // as it was at the last call in the stream
  owned.workspace = nullptr;
  api.set_workspace(handle_, workspace, static_cast<size_t>(bytes));
  owned.workspace = workspace;
}

}  // namespace gpuarr::cuda
