#include "device/allocator.hpp"

#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "core/once.hpp"
#include "device/device.hpp"
#include "device/graph.hpp"
#include "device/memory_hooks.hpp"
#include "device/pool.hpp"

namespace gpuarr {
namespace {

struct Enlisted {
  ForkSafeMutex mutex;
  std::vector<std::weak_ptr<Allocator>> allocators;
};

Enlisted& enlisted() {
  static Undying<Enlisted> instance;
  return *instance;
}

// All allocators of a device, its own pool first.
std::vector<std::shared_ptr<Allocator>> allocators_of(Device& device) {
  std::vector<std::shared_ptr<Allocator>> out{device.pool().shared_from_this()};
  std::lock_guard lock(enlisted().mutex);
  for (const auto& weak : enlisted().allocators)
    if (auto allocator = weak.lock(); allocator && &allocator->device() == &device)
      out.push_back(std::move(allocator));
  return out;
}

int64_t used_bytes(Device& device) {
  int64_t used = 0;
  for (const auto& allocator : allocators_of(device)) used += allocator->statistics().used;
  return used;
}

// Which allocators were made current. One lock: they are set rarely and read only where one is set.
ForkSafeMutex& current_mutex() {
  static Undying<ForkSafeMutex> mutex;
  return *mutex;
}

}  // namespace

void enlist(const std::shared_ptr<Allocator>& allocator) {
  std::lock_guard lock(enlisted().mutex);
  std::erase_if(enlisted().allocators, [](const auto& weak) { return weak.expired(); });
  enlisted().allocators.push_back(allocator);
}

void trim_all(Device& device) {
  for (const auto& allocator : allocators_of(device)) allocator->trim();
}

MemoryFound find_memory(Device& device, const void* address) {
  for (const auto& allocator : allocators_of(device)) {
    MemoryFound found = allocator->find(address);
    if (found.state != MemoryFound::State::unknown) return found;
  }
  return {};
}

void* Allocator::allocate(int64_t bytes, Stream& stream) {
  if (bytes <= 0) return nullptr;
  if (memory_is_watched()) [[unlikely]]
    return allocate_observed(bytes, stream);
  void* data = take(bytes, stream);
  return data != nullptr ? data : climb(bytes, stream);
}

bool Allocator::deallocate(void* data, Stream& stream) noexcept {
  if (data == nullptr) return true;
  return memory_is_watched() ? deallocate_observed(data, stream) : put(data, stream);
}

void* Allocator::allocate_observed(int64_t bytes, Stream& stream) {
  call_memory_hooks({MemoryEvent::allocating, nullptr, bytes, device_, &stream});
  void* data = take(bytes, stream);
  if (data == nullptr) data = climb(bytes, stream);
  tell_memory_hooks({MemoryEvent::allocated, data, bytes, device_, &stream});
  return data;
}

bool Allocator::deallocate_observed(void* data, Stream& stream) noexcept {
  int64_t bytes = 0;
  try {
    bytes = find(data).bytes;
  } catch (...) {
    // Hooks see 0 bytes then.
  }
  tell_memory_hooks({MemoryEvent::freeing, data, bytes, device_, &stream});
  if (!put(data, stream)) return false;
  tell_memory_hooks({MemoryEvent::freed, data, bytes, device_, &stream});
  return true;
}

// Rungs: what other allocators cache, then what users can spare. One who says that something was
// released is asked again as long as that is so.
void* Allocator::climb(int64_t bytes, Stream& stream) {
  clear_finished_graphs();
  const auto all = allocators_of(device_);
  if (all.size() > 1) {
    for (const auto& allocator : all) allocator->trim();
    if (void* data = take(bytes, stream)) return data;
  }
  int64_t used = used_bytes(device_);
  while (reclaim_memory(device_, bytes)) {
    if (void* data = take(bytes, stream)) return data;
    const int64_t left = used_bytes(device_);
    if (left >= used) break;
    used = left;
  }
  out_of_memory(bytes);
}

void Allocator::out_of_memory(int64_t bytes) {
  const MemoryStatistics now = statistics();
  const DeviceMemory memory = device_.memory();
  const int64_t limit = device_.budget().limit();
  const std::string bound = limit == 0 ? ""
                                       : formatted(", the limit is {} bytes, of which {} are held",
                                                   limit, device_.budget().held());
  fail(GPUARR_ERR_OUT_OF_MEMORY,
       "not enough memory for {} bytes on {}: arrays use {} bytes, the allocator has {} cached, "
       "and {} of the device's {} bytes are free{}; release arrays or ask for less",
       bytes, device_.facts().name, now.used, now.cached, memory.free, memory.total, bound);
}

AllocatorUse current_allocator(Stream& stream) {
  Device& device = stream.device();
  if (!stream.has_allocator.load(std::memory_order_acquire) &&
      !device.has_allocator.load(std::memory_order_acquire)) [[likely]]
    return {&device.pool(), nullptr};
  std::lock_guard lock(current_mutex());
  std::shared_ptr<Allocator> keeper = stream.allocator ? stream.allocator : device.allocator;
  if (!keeper) return {&device.pool(), nullptr};
  return {keeper.get(), std::move(keeper)};
}

void set_current_allocator(Device& device, std::shared_ptr<Allocator> allocator) {
  std::lock_guard lock(current_mutex());
  device.allocator.swap(allocator);  // the old one goes after the lock
  device.has_allocator.store(device.allocator != nullptr, std::memory_order_release);
}

std::shared_ptr<Allocator> set_current_allocator(Stream& stream,
                                                 std::shared_ptr<Allocator> allocator) {
  std::lock_guard lock(current_mutex());
  stream.allocator.swap(allocator);
  stream.has_allocator.store(stream.allocator != nullptr, std::memory_order_release);
  return allocator;
}

}  // namespace gpuarr
