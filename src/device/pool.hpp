// The caching allocator that arrays come from: stream-ordered, over plain blocks of the device.
#pragma once

#include <cstdint>
#include <memory>

#include "device/stream.hpp"

namespace gpuarr {

struct PoolStatistics {
  int64_t used = 0;    // bytes, rounded up to 512 each
  int64_t cached = 0;  // bytes held and not used
  int64_t peak = 0;
  int64_t blocks = 0;  // in use
  int64_t allocations = 0;
  int64_t hits = 0;
  int64_t device_calls = 0;
};

/// What an address lies in.
struct PoolMemory {
  enum class State { unknown, live, released };
  State state = State::unknown;
  const void* begin = nullptr;
  int64_t bytes = 0;  // that were asked for; 0 if that is not known any more
};

class Pool {
 public:
  explicit Pool(Device& device);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Memory that work in `stream` may use at once. Never null for bytes > 0; fails with
  /// GPUARR_ERR_OUT_OF_MEMORY after giving back what is cached and asking again.
  void* allocate(int64_t bytes, Stream& stream);

  /// Work that was given to `stream` before may still use the memory; it is handed out again in
  /// that stream at once, in another one after waiting for it.
  void deallocate(void* data, Stream& stream) noexcept;

  /// For messages and checks; takes as long as there are arrays.
  PoolMemory find(const void* address) const;

  void trim();  // waits for the device
  PoolStatistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpuarr
