// The blocks that an allocator has from its device: asked for within the budget, told to hooks.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/fork.hpp"
#include "device/allocator.hpp"

namespace gpuarr {

class Blocks {
 public:
  Blocks(Device& device, MemoryKind kind) : device_(device), kind_(kind) {}
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  void* ask(int64_t bytes);  // null where the device or the limit has no room
  void give(void* block) noexcept;
  void give_all() noexcept;
  int64_t calls() const;  // so far, of the device

 private:
  // The host's memory is not the device's: it has no limit, and hooks are told of arrays' memory.
  bool is_counted() const { return kind_ != MemoryKind::pinned; }

  Device& device_;
  MemoryKind kind_;
  mutable ForkSafeMutex mutex_;
  std::unordered_map<void*, int64_t> bytes_;  // by block
  int64_t calls_ = 0;
};

}  // namespace gpuarr
