// Functions that watch memory: hooks around every allocate and free, and those that are asked to
// release something before memory is out.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "device/stream.hpp"

namespace gpuarr {

/// What happens to memory; the numbers are those of gpuarr/memory.h.
enum class MemoryEvent : int32_t {
  allocating = 1,  // a hook that throws refuses it
  allocated = 2,
  freeing = 3,
  freed = 4,
  device_allocated = 5,  // a block of the device, for a cache or one array
  device_freed = 6
};

struct MemoryCall {
  MemoryEvent event;
  void* data;  // null before there is one
  int64_t bytes;
  Device& device;
  Stream* stream;  // null for blocks of the device
};

using MemoryHook = std::function<void(const MemoryCall&)>;

/// Given the device and the bytes that are missing; false if nothing was released.
using Reclaim = std::function<bool(Device&, int64_t)>;

int64_t add_memory_hook(MemoryHook hook);  // a number to take it away again
bool remove_memory_hook(int64_t number);   // false if there is none of that number

int64_t add_reclaim(Reclaim reclaim);
bool remove_reclaim(int64_t number);

extern std::atomic<int> memory_hooks;  // how many there are

inline bool memory_is_watched() { return memory_hooks.load(std::memory_order_relaxed) != 0; }

/// Calls all hooks, outside of any lock; what they throw comes out.
void call_memory_hooks(const MemoryCall& call);
/// The same where nothing may fail.
void tell_memory_hooks(const MemoryCall& call) noexcept;

/// Asks all to release something; false if none did. While one is asked, those that it causes are
/// not asked again on the same thread.
bool reclaim_memory(Device& device, int64_t bytes);

}  // namespace gpuarr
