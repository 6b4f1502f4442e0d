// The caching allocator that arrays come from: stream-ordered, over plain blocks of the device.
// pool.md says how.
#pragma once

#include "device/allocator.hpp"

namespace gpuarr {

class Pool final : public Allocator {
 public:
  /// `fronts`: for the device's own pool, which lives as long as the device's streams.
  explicit Pool(Device& device, MemoryKind kind = MemoryKind::device, bool fronts = false);
  ~Pool() override;

  /// From now on nothing goes back to the device: a graph uses what is free, too.
  void hold() noexcept;

  /// For memory that lives longer than the stream it was allocated in: that stream's front forgets
  /// it, since a stream is kept for as long as its front has something.
  void detach(void* data) noexcept;

  void trim() override;
  void reset_peak() noexcept override;
  MemoryStatistics statistics() const override;
  MemoryFound find(const void* address) const override;

 protected:
  void* take(int64_t bytes, Stream& stream) override;
  bool put(void* data, Stream& stream) noexcept override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpuarr
