// What a pool is made of, for pool.cpp and pool_state.cpp alone.
#pragma once

#include <unordered_map>

#include "core/fork.hpp"
#include "device/blocks.hpp"
#include "device/device.hpp"
#include "device/front.hpp"
#include "device/parcels.hpp"
#include "device/pool.hpp"

namespace gpuarr {

// A parcel, and the stream that has to be waited for before it is used; null for none.
struct Taken {
  Parcel* parcel = nullptr;
  void* data = nullptr;
  std::shared_ptr<Stream> after;
};

// No device is called and no stream dropped while the mutex is held: either may lock.
struct Pool::State {
  // The free parcels of one stream. It keeps the stream, because a parcel that goes to another
  // stream needs an event in this one, and the work of a stream outlives the user's last reference
  // to it.
  struct StreamShelf {
    std::shared_ptr<Stream> stream;
    Shelf parcels;
    std::unique_ptr<Front> front;
  };

  State(Device& its_device, MemoryKind kind, bool its_fronts)
      : device(its_device), fronts(its_fronts), blocks(its_device, kind) {}

  Device& device;
  const bool fronts;
  std::atomic<bool> held{false};  // nothing goes back to the device
  Blocks blocks;
  LiveBytes live;
  std::atomic<uint64_t> epoch{1};  // how often somebody began to wait for the device, and one
  mutable ForkSafeMutex mutex;
  Parcels parcels;
  std::unordered_map<uint64_t, StreamShelf> shelves;  // by Stream::id()
  Shelf quiet;                                        // no work uses these
  int64_t most_held_for = 0;                          // the most bytes that were ever in use
  MemoryStatistics counts;                            // those that nobody else knows

  StreamShelf& shelf_of(Stream& stream);
  Taken take(const ParcelRequest& request, Stream& stream, bool again);
  Parcel* take_foreign(const ParcelRequest& request, std::shared_ptr<Stream>& owner);
  bool hand_over(const Taken& taken, Stream& stream);
  void* serve(Taken taken, const ParcelRequest& request, Stream& stream);
  void adopt(Parcel& parcel, Stream& stream) noexcept;
  std::shared_ptr<Stream> next_stream(uint64_t last, bool idle);
  bool release_parked(Stream& stream) noexcept;
  bool release_all_parked() noexcept;
  void drop_idle_streams() noexcept;
  void put_used(Parcel& parcel, Shelf& shelf) noexcept;
  bool put(void* data, Stream& stream, bool quietly);
  bool detach(void* data) noexcept;
  void put_evicted(const Front::Put& put, Stream& stream) noexcept;
  void* grow(const ParcelRequest& request, Stream& stream);
  int64_t over_bound(int64_t block, const ParcelRequest& request) const;
  void* take_new(void* block, int64_t size, const ParcelRequest& request, Stream& stream);
  bool has_whole_blocks() const;
  bool give_back(int64_t bytes);
};

}  // namespace gpuarr
