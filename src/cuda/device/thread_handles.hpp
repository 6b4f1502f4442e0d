// Handles of a library: one for each thread and device.
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/fork.hpp"
#include "core/per_thread.hpp"
#include "cuda/device/device.hpp"

namespace gpuarr::cuda {

/// A thread's, for all devices. Threads that end leave their handles to others: to destroy one
/// waits for the device.
template <class Handle>
class ThreadHandles {
 public:
  ThreadHandles() = default;
  ThreadHandles(const ThreadHandles&) = delete;
  ThreadHandles& operator=(const ThreadHandles&) = delete;
  ~ThreadHandles() {
    try {
      std::lock_guard lock(idle().mutex);
      for (const auto& [device, handle] : handles_) idle().handles[device].push_back(handle);
    } catch (...) {
      // No memory to note them: they are never used again.
    }
  }

  /// The calling thread's, from `create(device)` where no other thread has left one.
  template <class Create>
  static Handle& of(CudaDevice& device, Create&& create) {
    auto& handles = PerThread<ThreadHandles>::get().handles_;
    for (auto& [owner, handle] : handles)
      if (owner == &device) return handle;
    handles.reserve(handles.size() + 1);
    return handles.emplace_back(&device, obtain(device, create)).second;
  }

 private:
  // Handles of threads that have ended.
  struct Idle {
    ForkSafeMutex mutex;
    std::map<const CudaDevice*, std::vector<Handle>> handles;
  };
  static Idle& idle() {
    static auto* instance = new Idle;
    return *instance;
  }

  template <class Create>
  static Handle obtain(CudaDevice& device, Create&& create) {
    {
      std::lock_guard lock(idle().mutex);
      auto& left = idle().handles[&device];
      if (!left.empty()) {
        const Handle handle = left.back();
        left.pop_back();
        return handle;
      }
    }
    return create(device);
  }

  std::vector<std::pair<const CudaDevice*, Handle>> handles_;
};

}  // namespace gpuarr::cuda
