#include "cuda/libraries/solver_handle.hpp"

#include <cstring>

#include "core/error.hpp"
#include "cuda/device/thread_handles.hpp"
#include "device/solver.hpp"

namespace gpuarr::cuda {
namespace {

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

SolverHandle solver_handle(CudaDevice& device, Stream& stream) {
  device.enter();
  SolverHandle& owned = ThreadHandles<SolverHandle>::of(device, create_solver);
  if (owned.stream != stream.id()) {
    owned.stream = 0;
    cusolver().set_stream(owned.handle, stream.native());
    owned.stream = stream.id();
  }
  return owned;
}

void refuse_capture(const char* function, const Stream& stream) {
  if (stream.captures())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured into a graph, where {} cannot work, because it reads "
         "intermediate results on the host; call it outside of the capture",
         function);
}

void SolverWorkspace::allocate() {
  device_.emplace(static_cast<int64_t>(device_bytes_), stream_);
  if (host_bytes_ == 0) return;
  host_ = std::make_shared<std::vector<std::byte>>(host_bytes_);
  if (stream_.captures()) stream_.keep(host_);
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
