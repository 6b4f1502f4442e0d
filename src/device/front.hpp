// What a stream frees and asks for again at once: its small parcels, parked by size under a lock of
// its own, so that threads with a stream each do not meet in the pool. pool.md has the rules.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <unordered_map>

#include "core/fork.hpp"
#include "device/parcels.hpp"

namespace gpuarr {

/// Live bytes of a pool and the most that there were. Fronts add what has come together with them,
/// not each call, so that the count is no place where threads meet.
struct LiveBytes {
  std::atomic<int64_t> now{0};
  std::atomic<int64_t> peak{0};

  void raise_peak(int64_t bytes) {
    int64_t seen = peak.load(std::memory_order_relaxed);
    while (bytes > seen && !peak.compare_exchange_weak(seen, bytes, std::memory_order_relaxed)) {
    }
  }
  void add(int64_t bytes) { raise_peak(now.fetch_add(bytes, std::memory_order_relaxed) + bytes); }
};

class alignas(64) Front {  // of the cache's lines, so that no neighbour slows it down
 public:
  explicit Front(LiveBytes& live) : live_(live) {}

  /// A parked parcel of just this size, for a request of so many bytes; null if there is none.
  void* take(const ParcelRequest& request);

  /// From now on a parcel that was handed out comes back here. False if there is no memory for
  /// that.
  bool adopt(Parcel& parcel) noexcept;

  struct Put {
    enum class Result { parked, evicted, unknown, twice };
    Result result;
    Parcel* evicted[2] = {nullptr, nullptr};  // to be freed in the pool: they left this front
  };
  /// Parks a parcel that is freed.
  Put put(void* data, uint64_t now) noexcept;

  /// Another stream frees a parcel that was adopted here. False if it is parked, so freed already.
  bool give_up(void* data) noexcept;

  /// Takes parked parcels out; how many they are, 0 when none is left.
  size_t drain(std::array<Parcel*, 64>& out) noexcept;

  struct Counts {
    int64_t live = 0;    // bytes that LiveBytes does not know yet
    int64_t parked = 0;  // parcels
    int64_t hits = 0;
  };
  Counts counts() const;
  bool empty() const;  // neither a parked parcel nor one to come back

 private:
  static constexpr size_t slot_count = 64;
  static constexpr size_t slot_room = 8;
  static constexpr int64_t most_parked_bytes = int64_t{4} << 20;
  static constexpr int64_t most_unknown_bytes = int64_t{1} << 20;

  struct Slot {
    int64_t size = 0;  // of its parcels
    size_t count = 0;
    std::array<Parcel*, slot_room> parcels;
  };

  Slot& slot_of(int64_t size) {
    return slots_[static_cast<size_t>(size / pool_granularity) % slot_count];
  }
  Parcel* pop(Slot& slot) noexcept;
  void leave(Parcel* parcel) noexcept;
  void count_live(int64_t bytes) noexcept;

  LiveBytes& live_;
  mutable ForkSafeMutex mutex_;
  std::unordered_map<void*, Parcel*> parcels_;  // live and parked
  std::array<Slot, slot_count> slots_;
  int64_t parked_bytes_ = 0;
  int64_t parked_ = 0;
  int64_t unknown_ = 0;  // live bytes that live_ does not know yet
  int64_t hits_ = 0;
};

}  // namespace gpuarr
