// How much memory of a device the library may hold, over all allocators.
#pragma once

#include <atomic>
#include <cstdint>

namespace gpuarr {

class Device;

class Budget {
 public:
  explicit Budget(Device& device) : device_(device) {}

  /// False if that were more than the limit. Fails if $GPUARR_MEMORY_LIMIT cannot be understood.
  bool charge(int64_t bytes);
  void refund(int64_t bytes) noexcept { held_.fetch_sub(bytes, std::memory_order_relaxed); }

  int64_t held() const { return held_.load(std::memory_order_relaxed); }
  int64_t limit();  // 0: none
  void set_limit(int64_t bytes);
  void set_limit_fraction(double fraction);  // of the device's memory

 private:
  int64_t from_environment();

  Device& device_;
  std::atomic<int64_t> held_{0};
  std::atomic<int64_t> limit_{-1};  // -1: not known yet
};

}  // namespace gpuarr
