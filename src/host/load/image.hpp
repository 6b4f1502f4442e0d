// Shared objects in memory, made part of this process.
#pragma once

#include <atomic>
#include <string>

namespace gpuarr::host {

class Image {
 public:
  /// Loads the bytes of a shared object: each time a copy of its own, with variables of its own.
  /// Fails with GPUARR_ERR_LOAD, or GPUARR_ERR_IO where it can be written nowhere.
  explicit Image(const std::string& bytes);
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  /// Unloads it, unless it was kept.
  ~Image();

  /// To be called before its code runs, or somebody knows where its variables lie: from then on
  /// they may be in use on any thread, and the image is never unloaded.
  void keep() const { kept_.store(true, std::memory_order_relaxed); }

  /// Null if it has none of that name.
  void* symbol(const char* name) const;

  /// What dlopen() gave.
  void* handle() const { return handle_; }

 private:
  void* handle_;
  mutable std::atomic<bool> kept_ = false;
};

}  // namespace gpuarr::host
