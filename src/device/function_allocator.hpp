// An allocator that is three functions: a user's, the driver's stream-ordered pool, or the device
// itself without a cache. It keeps a list of what is live, so that nothing is freed twice.
#pragma once

#include <functional>
#include <unordered_map>

#include "core/fork.hpp"
#include "device/allocator.hpp"

namespace gpuarr {

struct AllocatorFunctions {
  std::function<void*(int64_t bytes, Stream& stream)> allocate;  // null: no room; may throw
  std::function<void(void* data, int64_t bytes, Stream& stream)> deallocate;
  std::function<void()> trim;  // may be empty
};

class FunctionAllocator final : public Allocator {
 public:
  FunctionAllocator(Device& device, AllocatorFunctions functions)
      : Allocator(device), functions_(std::move(functions)) {}
  ~FunctionAllocator() override;

  void trim() override;
  void reset_peak() noexcept override;
  MemoryStatistics statistics() const override;
  MemoryFound find(const void* address) const override;

 protected:
  void* take(int64_t bytes, Stream& stream) override;
  bool put(void* data, Stream& stream) noexcept override;

 private:
  void* checked(void* data, int64_t bytes, Stream& stream);

  AllocatorFunctions functions_;
  mutable ForkSafeMutex mutex_;
  std::unordered_map<void*, int64_t> live_;  // bytes that were asked for
  MemoryStatistics counts_;
};

/// Every request is one of the device, without a cache: slow, and what tools such as
/// compute-sanitizer can watch array by array.
std::shared_ptr<Allocator> make_direct_allocator(Device& device);

/// The driver's stream-ordered pool; on the CPU as make_direct_allocator().
std::shared_ptr<Allocator> make_driver_allocator(Device& device);

}  // namespace gpuarr
