// What memory comes from: the caching pool, the driver's own, a user's functions. One interface,
// and around it what holds for all of them: hooks, and what is tried before memory is out.
#pragma once

#include <cstdint>
#include <memory>

#include "device/stream.hpp"

namespace gpuarr {

enum class MemoryKind { device, managed, pinned };

struct MemoryStatistics {
  int64_t used = 0;    // bytes in live arrays, rounded up to 512 each
  int64_t cached = 0;  // bytes held and not used
  int64_t peak = 0;
  int64_t blocks = 0;  // in use
  int64_t allocations = 0;
  int64_t hits = 0;
  int64_t device_calls = 0;
  int64_t transfers = 0;  // blocks that another stream took over after an event
  int64_t waits = 0;      // times that the whole device was waited for
};

/// What an address lies in.
struct MemoryFound {
  enum class State { unknown, live, released };
  State state = State::unknown;
  const void* begin = nullptr;
  int64_t bytes = 0;  // that were asked for; 0 if that is not known any more
};

class Allocator : public std::enable_shared_from_this<Allocator> {
 public:
  explicit Allocator(Device& device) : device_(device) {}
  virtual ~Allocator() = default;
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  /// Memory that work in `stream` may use at once, at least 16-aligned; null for no bytes. Where
  /// there is no room it goes down the ladder: every cache of the device is given back, the
  /// callbacks for that are called, and then it fails with GPUARR_ERR_OUT_OF_MEMORY.
  void* allocate(int64_t bytes, Stream& stream);

  /// Work that was given to `stream` before may still use the memory. False, and nothing is done,
  /// if it is no live memory of this allocator.
  bool deallocate(void* data, Stream& stream) noexcept;

  virtual void trim() = 0;  // gives back what is cached; waits for the device
  virtual void reset_peak() noexcept = 0;
  virtual MemoryStatistics statistics() const = 0;
  virtual MemoryFound find(const void* address) const = 0;  // takes as long as there are arrays

  Device& device() const { return device_; }

 protected:
  virtual void* take(int64_t bytes, Stream& stream) = 0;  // null: no room
  virtual bool put(void* data, Stream& stream) noexcept = 0;

 private:
  void* climb(int64_t bytes, Stream& stream);
  void* allocate_observed(int64_t bytes, Stream& stream);
  bool deallocate_observed(void* data, Stream& stream) noexcept;
  [[noreturn]] void out_of_memory(int64_t bytes);

  Device& device_;
};

/// An allocator as somebody uses it who keeps it alive; the device's own pool needs no keeper.
struct AllocatorUse {
  Allocator* allocator;
  std::shared_ptr<Allocator> keeper;
};

/// The allocator of a stream: its own, else the device's, else the device's pool.
AllocatorUse current_allocator(Stream& stream);

/// Null: the device's pool, or for a stream, the device's.
void set_current_allocator(Device& device, std::shared_ptr<Allocator> allocator);
/// The stream's before.
std::shared_ptr<Allocator> set_current_allocator(Stream& stream,
                                                 std::shared_ptr<Allocator> allocator);

/// Remembers an allocator for as long as it lives, so that the ladder and checks find it.
template <class A, class... Args>
std::shared_ptr<A> make_allocator(Device& device, Args&&... args);
void enlist(const std::shared_ptr<Allocator>& allocator);

void trim_all(Device& device);  // all allocators of the device

/// Of any allocator of the device.
MemoryFound find_memory(Device& device, const void* address);

template <class A, class... Args>
std::shared_ptr<A> make_allocator(Device& device, Args&&... args) {
  auto allocator = std::make_shared<A>(device, std::forward<Args>(args)...);
  enlist(allocator);
  return allocator;
}

}  // namespace gpuarr
