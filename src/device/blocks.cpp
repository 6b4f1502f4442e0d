#include "device/blocks.hpp"

#include <mutex>

#include "core/log.hpp"
#include "device/device.hpp"
#include "device/memory_hooks.hpp"

namespace gpuarr {

void* Blocks::ask(int64_t bytes) {
  if (is_counted() && !device_.budget().charge(bytes)) return nullptr;
  void* block = nullptr;
  try {
    block = device_.allocate(bytes, kind_);
    std::lock_guard lock(mutex_);
    ++calls_;
    if (block != nullptr) bytes_.emplace(block, bytes);
  } catch (...) {
    if (block != nullptr) device_.deallocate(block, kind_);
    if (is_counted()) device_.budget().refund(bytes);
    throw;
  }
  if (block == nullptr && is_counted()) device_.budget().refund(bytes);
  log(Topic::memory, "{}: {} bytes of the device at {}", device_.facts().name, bytes, block);
  if (block != nullptr && is_counted() && memory_is_watched())
    tell_memory_hooks({MemoryEvent::device_allocated, block, bytes, device_, nullptr});
  return block;
}

void Blocks::give(void* block) noexcept {
  int64_t bytes = 0;
  {
    std::lock_guard lock(mutex_);
    auto found = bytes_.find(block);
    bytes = found->second;
    bytes_.erase(found);
    ++calls_;
  }
  device_.deallocate(block, kind_);
  if (is_counted()) device_.budget().refund(bytes);
  log(Topic::memory, "{}: {} bytes given back to the device at {}", device_.facts().name, bytes,
      block);
  if (is_counted() && memory_is_watched())
    tell_memory_hooks({MemoryEvent::device_freed, block, bytes, device_, nullptr});
}

void Blocks::give_all() noexcept {
  while (!bytes_.empty()) give(bytes_.begin()->first);
}

int64_t Blocks::calls() const {
  std::lock_guard lock(mutex_);
  return calls_;
}

}  // namespace gpuarr
