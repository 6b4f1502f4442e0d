// The host's page-locked memory, from which a device copies while the program goes on. What is
// freed is handed out again when the copies that were given to streams before are done: the program
// itself writes to it, in no stream's order, so that waiting in a stream would not do.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/fork.hpp"
#include "device/blocks.hpp"
#include "device/capture.hpp"
#include "device/parcels.hpp"
#include "device/stream_list.hpp"

namespace gpuarr {

class PinnedPool {
 public:
  explicit PinnedPool(Device& device);
  ~PinnedPool();
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  /// Null for no bytes. Fails with GPUARR_ERR_OUT_OF_MEMORY.
  void* allocate(int64_t bytes);
  bool deallocate(void* data) noexcept;  // false: no live memory of this pool

  /// Work in the stream uses the memory that the address lies in; nothing if it is not of this
  /// pool.
  void used_in(const void* address, Stream& stream);

  void trim();  // waits for the copies that hold up what was freed
  MemoryStatistics statistics() const;

 private:
  using Graphs = std::vector<std::weak_ptr<Kept>>;
  struct Use {
    Parcel* parcel;
    LastUses last;  // ends are marked once it is freed
    Graphs graphs;  // that may use it whenever they are launched
  };
  using Uses = std::map<const char*, Use>;  // by where the memory begins

  Use* find(const void* address);  // null: none of this pool
  static bool is_done(Use& pending, bool wait) noexcept;
  void settle(bool wait) noexcept;
  void free(Parcel& parcel) noexcept;
  void* take(const ParcelRequest& request);
  void* grow(const ParcelRequest& request);
  [[noreturn]] void out_of_memory(int64_t bytes);

  Blocks blocks_;
  mutable ForkSafeMutex mutex_;
  Parcels parcels_;
  Shelf free_;
  Uses live_;
  Uses pending_;  // freed while streams used it; they move, so that this needs no memory
  MemoryStatistics counts_;
};

/// Work in a stream uses memory of the host, whichever device's pool it came from, or none.
void note_pinned_use(const void* address, Stream& stream);

}  // namespace gpuarr
