// The pool's bookkeeping: blocks of the device cut into parcels, and the free ones sorted by size.
// It calls no device and takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>
#include <vector>

namespace gpuarr {

constexpr int64_t pool_granularity = 512;         // all sizes are multiples of it
constexpr int64_t pool_block = int64_t{2} << 20;  // the device is asked for multiples of it

constexpr int64_t round_up(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Parcels of different classes never share a block, so that a small array cannot pin a large one.
/// A large block is never cut while there is room for another: pool.md says why.
enum class ParcelClass : uint8_t { small, medium, large };
constexpr int64_t pool_small_limit = int64_t{1} << 20;
constexpr int64_t pool_medium_limit = int64_t{16} << 20;
constexpr int64_t pool_medium_block = int64_t{32} << 20;

constexpr ParcelClass class_of(int64_t size) {
  if (size <= pool_small_limit) return ParcelClass::small;
  return size <= pool_medium_limit ? ParcelClass::medium : ParcelClass::large;
}

class Front;
struct Parcel;

struct BySize {
  using is_transparent = void;
  bool operator()(const Parcel* a, const Parcel* b) const;
  bool operator()(const Parcel* a, int64_t size) const;
};

/// The free parcels that belong together, because work of one stream may still use them.
struct Shelf {
  std::array<std::set<Parcel*, BySize>, 3> sets;

  std::set<Parcel*, BySize>& of(ParcelClass which) { return sets[static_cast<size_t>(which)]; }
  bool empty() const { return sets[0].empty() && sets[1].empty() && sets[2].empty(); }
};

/// A piece of a block. It owns the nodes that put it into a shelf and into the table of those in
/// use, so that freeing needs no memory. Two that are parked may belong to two threads: they share
/// no line of the cache.
struct alignas(64) Parcel {
  char* data = nullptr;
  int64_t size = 0;
  Parcel* before = nullptr;  // neighbours in the block
  Parcel* after = nullptr;   // in a parcel without a block: the next such one
  Shelf* shelf = nullptr;    // that it is in
  Front* front = nullptr;    // of a used parcel: where it may be parked
  ParcelClass kind = ParcelClass::small;
  // Set also by a front, which has another lock than those who look for a parcel by its address.
  std::atomic<int64_t> used{0};    // bytes handed out, rounded up; 0: free, or parked in a front
  std::atomic<int64_t> asked{0};   // bytes that it was asked for, the last time; 0: unknown
  std::atomic<uint64_t> freed{0};  // the pool's epoch at that time; 0: never
  std::set<Parcel*, BySize>::node_type in_shelf;
  std::unordered_map<void*, Parcel*>::node_type in_table;

  void hand_out(int64_t bytes) {
    asked.store(bytes, std::memory_order_relaxed);
    used.store(round_up(bytes, pool_granularity), std::memory_order_relaxed);
  }
  int64_t used_bytes() const { return used.load(std::memory_order_relaxed); }
  uint64_t freed_at() const { return freed.load(std::memory_order_relaxed); }
  void set_free(uint64_t epoch) {
    used.store(0, std::memory_order_relaxed);
    freed.store(epoch, std::memory_order_relaxed);
  }
};

/// What a free parcel is wanted for.
struct ParcelRequest {
  int64_t size;      // a multiple of the granularity
  int64_t asked;     // bytes that the caller asked for
  bool any = false;  // also a large block that is much too large
};

class Parcels {
 public:
  /// A whole block of the device, free.
  void add(void* block, int64_t size, ParcelClass kind, Shelf& shelf);

  /// The free parcel that fits best, cut to size and marked as used; null if none fits.
  Parcel* take(Shelf& shelf, const ParcelRequest& request);

  /// Frees a parcel and joins it with its free neighbours of the same shelf.
  void put(Parcel& parcel, Shelf& shelf) noexcept;

  /// Moves all parcels that were freed until then to another shelf.
  void move(Shelf& from, Shelf& to, uint64_t freed_until) noexcept;

  /// Takes out blocks of the device that are free as a whole, the largest first, until they come to
  /// so many bytes.
  void remove_whole(Shelf& shelf, int64_t bytes, std::vector<void*>& blocks);

  Parcel* find_used(void* data) const noexcept;

  /// The parcel that the address lies in; null for none. Looks at all of them.
  const Parcel* find(const void* address) const noexcept;

  int64_t whole_bytes() const { return whole_bytes_; }  // of blocks that are free as a whole
  int64_t used_parcels() const { return static_cast<int64_t>(used_.size()); }
  int64_t total_bytes() const { return total_bytes_; }

 private:
  Parcel& blank();
  void cut(Parcel& parcel, int64_t size, Shelf& shelf, Parcel& rest) noexcept;
  void forget(Parcel& parcel) noexcept;
  void detach(Parcel& parcel) noexcept;
  void attach(Parcel& parcel, Shelf& shelf) noexcept;
  void settle(Parcel& parcel, Shelf& shelf) noexcept;
  void join(Parcel& first, Parcel& second) noexcept;

  std::deque<Parcel> all_;
  Parcel* blanks_ = nullptr;
  std::unordered_map<void*, Parcel*> used_;
  int64_t total_bytes_ = 0;
  int64_t whole_bytes_ = 0;
};

/// The size of the free parcel that would be taken; -1 if there is none.
int64_t best_fit(Shelf& shelf, const ParcelRequest& request);

}  // namespace gpuarr
