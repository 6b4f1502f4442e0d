// Where random numbers come from: a place in Philox's sequence, that each draw moves on.
#pragma once

#include <atomic>
#include <cstdint>

#include "device/device.hpp"

namespace gpuarr {

class Generator {
 public:
  /// Fails for a stream of 2^48 or more.
  Generator(Device& device, uint64_t seed, uint64_t stream);

  Device& device() const { return device_; }  // where arrays are made, if nothing says else
  uint64_t seed() const { return seed_; }
  uint64_t stream() const { return stream_; }
  uint64_t position() const { return position_.load(std::memory_order_relaxed); }
  void set_position(uint64_t position) { position_.store(position, std::memory_order_relaxed); }

  /// The position before; no other draw gets these steps. Fails if too few are left.
  uint64_t take(uint64_t steps);

 private:
  Device& device_;
  uint64_t seed_, stream_;
  std::atomic<uint64_t> position_{0};
};

/// 64 bits from the system.
uint64_t system_seed();

}  // namespace gpuarr
