#include "cuda/libraries/blas_handle.hpp"

#include "core/error.hpp"
#include "cuda/device/thread_handles.hpp"
#include "device/allocator.hpp"

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
  constexpr Cublas::Status no_memory = 3;
  if (api.create.unchecked(&made.handle) == no_memory) {
    trim_all(device);  // it asks the driver for some memory, which the pools may have
    api.create(&made.handle);
  }
  if (made.handle == nullptr) api.create(&made.handle);  // it failed otherwise: to say how
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

CublasLease::CublasLease(CudaDevice& device, Stream& stream)
    : stream_(stream), source_(current_allocator(stream)) {
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
  workspace_ = source_.allocator->allocate(bytes, stream);
  if (owned.workspace == workspace_) return;  // as it was at the last call in the stream
  const Cublas::Status status =
      api.set_workspace.unchecked(handle_, workspace_, static_cast<size_t>(bytes));
  owned.workspace = status == 0 ? workspace_ : nullptr;
  if (status == 0) return;
  source_.allocator->deallocate(workspace_, stream);
  api.fail("cublasSetWorkspace_v2", status);
}

CublasLease::~CublasLease() { source_.allocator->deallocate(workspace_, stream_); }

}  // namespace gpuarr::cuda
