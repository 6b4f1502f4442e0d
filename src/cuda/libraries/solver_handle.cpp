#include "cuda/libraries/solver_handle.hpp"

#include <cstring>

#include "core/error.hpp"
#include "cuda/device/thread_handles.hpp"
#include "device/solver.hpp"

namespace gpuarr::cuda {
namespace {

struct SolverHandle {
  Cusolver::Handle handle = nullptr;
  Cusolver::Params params = nullptr;
  void* jacobi = nullptr;
  uint64_t stream = 0;  // that is set, by its id; 0 for none
};

SolverHandle create_solver(CudaDevice& device) {
  const Cusolver& api = cusolver();
  SolverHandle made;
  if (api.create.unchecked(&made.handle) != 0) {
    trim_all(device);  // it asks the driver for some memory, which the pools may have
    api.create(&made.handle);
  }
  api.create_params(&made.params);
  api.create_jacobi(&made.jacobi);
  return made;
}

std::vector<std::byte> addresses_of(const Matrices& m) {
  const auto count = static_cast<size_t>(m.count);
  std::vector<std::byte> bytes(count * sizeof(void*));
  for (size_t k = 0; k < count; ++k) {
    const std::byte* address =
        static_cast<const std::byte*>(m.data) + static_cast<int64_t>(k) * m.step * size_of(m.dtype);
    std::memcpy(bytes.data() + k * sizeof address, &address, sizeof address);
  }
  return bytes;
}

}  // namespace

CusolverLease::CusolverLease(CudaDevice& device, Stream& stream) {
  device.enter();
  SolverHandle& owned = ThreadHandles<SolverHandle>::of(device, create_solver);
  if (owned.stream != stream.id()) {
    owned.stream = 0;
    cusolver().set_stream(owned.handle, stream.native());
    owned.stream = stream.id();
  }
  handle_ = owned.handle;
  params_ = owned.params;
  jacobi_ = owned.jacobi;
}

void refuse_capture(const char* function, const Stream& stream) {
  if (stream.captures())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured into a graph, where {} cannot work, because it reads "
         "intermediate results on the host; call it outside of the capture",
         function);
}

SolverWorkspace::SolverWorkspace(size_t device_bytes, size_t host_bytes, Stream& stream)
    : stream_(stream),
      device_bytes_(device_bytes),
      host_bytes_(host_bytes),
      device_(static_cast<int64_t>(device_bytes), stream) {
  if (host_bytes == 0) return;
  host_ = std::make_shared<std::vector<std::byte>>(host_bytes);
  if (stream.captures()) stream.keep(host_);
}

SolverWorkspace::~SolverWorkspace() {
  if (!host_ || stream_.captures()) return;
  try {
    auto kept = std::make_unique<std::shared_ptr<std::vector<std::byte>>>(host_);
    stream_.call([](void* user) { delete static_cast<decltype(host_)*>(user); }, kept.get());
    static_cast<void>(kept.release());
  } catch (...) {
    // The stream is lost, or there is no memory to note it.
  }
}

// The driver has read the host's memory when the copy returns, unless it only went into a graph.
Uploaded::Uploaded(std::vector<std::byte> bytes, Stream& stream)
    : memory_(static_cast<int64_t>(bytes.size()), stream) {
  const auto kept = std::make_shared<std::vector<std::byte>>(std::move(bytes));
  if (stream.captures()) stream.keep(kept);
  stream.device().copy_from_host(memory_.data(), kept->data(), static_cast<int64_t>(kept->size()),
                                 stream);
}

Addresses::Addresses(const Matrices& matrices, Stream& stream)
    : uploaded_(addresses_of(matrices), stream) {}

}  // namespace gpuarr::cuda
