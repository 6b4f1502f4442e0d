#include "device/function_allocator.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "device/device.hpp"
#include "device/parcels.hpp"

namespace gpuarr {
namespace {

constexpr uintptr_t alignment = 16;  // of what kernels may assume

int64_t rounded(int64_t bytes) { return round_up(bytes, pool_granularity); }

}  // namespace

// Nobody has memory of it any more, but for whoever asked for it by hand and did not free it.
FunctionAllocator::~FunctionAllocator() {
  for (const auto& [data, bytes] : live_) device().budget().refund(rounded(bytes));
}

void* FunctionAllocator::take(int64_t bytes, Stream& stream) {
  if (bytes > INT64_MAX - pool_granularity) return nullptr;
  if (!device().budget().charge(rounded(bytes))) return nullptr;
  try {
    void* data = functions_.allocate(bytes, stream);
    if (data != nullptr) return checked(data, bytes, stream);
  } catch (...) {
    device().budget().refund(rounded(bytes));
    throw;
  }
  device().budget().refund(rounded(bytes));
  return nullptr;
}

void* FunctionAllocator::checked(void* data, int64_t bytes, Stream& stream) {
  if (reinterpret_cast<uintptr_t>(data) % alignment != 0) {
    functions_.deallocate(data, bytes, stream);
    fail(GPUARR_ERR_ARGUMENT,
         "the allocator of {} gave {} for {} bytes; give an address that is a multiple of {}",
         device().facts().name, data, bytes, alignment);
  }
  bool is_new = false;
  try {
    std::lock_guard lock(mutex_);
    is_new = live_.emplace(data, bytes).second;
  } catch (...) {
    functions_.deallocate(data, bytes, stream);
    throw;
  }
  if (!is_new)
    fail(GPUARR_ERR_ARGUMENT,
         "the allocator of {} gave {} for {} bytes, which is memory in use; give each address once",
         device().facts().name, data, bytes);
  std::lock_guard lock(mutex_);
  ++counts_.allocations;
  ++counts_.device_calls;
  counts_.used += rounded(bytes);
  counts_.peak = std::max(counts_.peak, counts_.used);
  return data;
}

bool FunctionAllocator::put(void* data, Stream& stream) noexcept {
  int64_t bytes = 0;
  {
    std::lock_guard lock(mutex_);
    auto found = live_.find(data);
    if (found == live_.end()) return false;
    bytes = found->second;
    live_.erase(found);
    counts_.used -= rounded(bytes);
    ++counts_.device_calls;
  }
  functions_.deallocate(data, bytes, stream);
  device().budget().refund(rounded(bytes));
  return true;
}

void FunctionAllocator::trim() {
  if (functions_.trim) functions_.trim();
}

void FunctionAllocator::reset_peak() noexcept {
  std::lock_guard lock(mutex_);
  counts_.peak = counts_.used;
}

MemoryStatistics FunctionAllocator::statistics() const {
  std::lock_guard lock(mutex_);
  MemoryStatistics out = counts_;
  out.blocks = static_cast<int64_t>(live_.size());
  return out;
}

MemoryFound FunctionAllocator::find(const void* address) const {
  const auto* at = static_cast<const char*>(address);
  std::lock_guard lock(mutex_);
  for (const auto& [data, bytes] : live_)
    if (at >= static_cast<const char*>(data) && at < static_cast<const char*>(data) + bytes)
      return {MemoryFound::State::live, data, bytes};
  return {};
}

std::shared_ptr<Allocator> make_direct_allocator(Device& device) {
  AllocatorFunctions functions;
  functions.allocate = [&device](int64_t bytes, Stream&) {
    return device.allocate(rounded(bytes), MemoryKind::device);
  };
  functions.deallocate = [&device](void* data, int64_t, Stream& stream) {
    settle(stream);
    device.deallocate(data, MemoryKind::device);
  };
  return make_allocator<FunctionAllocator>(device, std::move(functions));
}

std::shared_ptr<Allocator> make_driver_allocator(Device& device) {
  AllocatorFunctions functions;
  functions.allocate = [&device](int64_t bytes, Stream& stream) {
    return device.allocate_ordered(rounded(bytes), stream);
  };
  functions.deallocate = [&device](void* data, int64_t, Stream& stream) {
    device.deallocate_ordered(data, stream);
  };
  functions.trim = [&device] { device.trim_ordered(); };
  return make_allocator<FunctionAllocator>(device, std::move(functions));
}

}  // namespace gpuarr
