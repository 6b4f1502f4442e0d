// A GPU's memory: plain blocks, managed ones, the host's page-locked ones, and the driver's pool.
#include <climits>

#include "core/error.hpp"
#include "cuda/device/device.hpp"

namespace gpuarr::cuda {
namespace {

constexpr CUresult no_room = CUDA_ERROR_OUT_OF_MEMORY;

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace

DeviceMemory CudaDevice::memory() {
  enter();
  size_t free = 0;
  size_t total = 0;
  api_.memory_get_info(&free, &total);
  return {static_cast<int64_t>(free), static_cast<int64_t>(total)};
}

void* CudaDevice::allocate(int64_t bytes, MemoryKind kind) {
  enter();
  const auto size = static_cast<size_t>(bytes);
  CUdeviceptr block = 0;  // a multiple of 512 on every device so far; 256 is what is documented
  void* host = nullptr;
  bool found = false;
  if (kind == MemoryKind::device)
    found = api_.memory_allocate.succeeds_unless(no_room, &block, size);
  else if (kind == MemoryKind::managed)
    found =
        api_.memory_allocate_managed.succeeds_unless(no_room, &block, size, CU_MEM_ATTACH_GLOBAL);
  else
    found =
        api_.memory_allocate_host.succeeds_unless(no_room, &host, size, CU_MEMHOSTALLOC_PORTABLE);
  if (!found) return nullptr;
  return kind == MemoryKind::pinned ? host : pointer(block);
}

void CudaDevice::deallocate(void* block, MemoryKind kind) noexcept {
  if (!enter_quietly()) return;
  if (kind == MemoryKind::pinned)
    api_.memory_free_host.unchecked(block);
  else
    api_.memory_free.unchecked(address(block));
}

// One of our own, so that nobody else's settings hold for it. It keeps what is freed until it is
// trimmed: giving it back at every synchronisation is what makes the driver's default slow.
CUmemoryPool CudaDevice::ordered_pool() {
  return ordered_pool_.get([this] {
    CUmemPoolProps properties = {};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, facts().ordinal};
    auto pool = std::make_unique<CUmemoryPool>();
    api_.pool_create(pool.get(), &properties);
    cuuint64_t most = ULLONG_MAX;
    api_.pool_set(*pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most);
    return pool;
  });
}

void* CudaDevice::allocate_ordered(int64_t bytes, Stream& stream) {
  enter();
  CUdeviceptr data = 0;
  const bool found = api_.pool_allocate.succeeds_unless(no_room, &data, static_cast<size_t>(bytes),
                                                        ordered_pool(), native(stream));
  return found ? pointer(data) : nullptr;
}

void CudaDevice::deallocate_ordered(void* data, Stream& stream) noexcept {
  if (enter_quietly()) api_.pool_free.unchecked(address(data), native(stream));
}

void CudaDevice::trim_ordered() {
  enter();
  if (ordered_pool_.peek() == nullptr) return;
  api_.context_synchronize();
  api_.pool_trim(ordered_pool(), 0);
}

}  // namespace gpuarr::cuda
