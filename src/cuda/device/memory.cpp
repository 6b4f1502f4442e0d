// A GPU's memory: plain blocks, managed ones, the host's page-locked ones, and the driver's pool.
#include <climits>

#include "core/error.hpp"
#include "cuda/device/device.hpp"

namespace gpuarr::cuda {
namespace {

// Null where there is no room.
template <class Pointer>
void* checked(const Driver& api, const char* function, CUresult result, Pointer block) {
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
  if (result != CUDA_SUCCESS) api.fail(function, result);
  return reinterpret_cast<void*>(block);
}

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
  if (kind == MemoryKind::device) {
    CUresult result = api_.memory_allocate.unchecked(&block, size);
    return checked(api_, "cuMemAlloc", result, block);
  }
  if (kind == MemoryKind::managed) {
    CUresult result = api_.memory_allocate_managed.unchecked(&block, size, CU_MEM_ATTACH_GLOBAL);
    return checked(api_, "cuMemAllocManaged", result, block);
  }
  void* host = nullptr;
  CUresult result = api_.memory_allocate_host.unchecked(&host, size, CU_MEMHOSTALLOC_PORTABLE);
  return checked(api_, "cuMemHostAlloc", result, host);
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
  CUresult result = api_.pool_allocate.unchecked(&data, static_cast<size_t>(bytes), ordered_pool(),
                                                 native(stream));
  return checked(api_, "cuMemAllocFromPoolAsync", result, data);
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
