// A value that is made by whoever asks for it first, without a lock.
#pragma once

#include <atomic>
#include <memory>

namespace gpuarr {

/// Threads that ask at the same time may each make one; the first to finish is kept. Making it may
/// therefore fork (the driver starts nvidia-modprobe), which would deadlock under a ForkSafeMutex.
template <class T>
class Once {
 public:
  Once() = default;
  ~Once() { delete value_.load(); }
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;

  /// `make` returns a std::unique_ptr<T>; when it throws, the next caller tries again.
  template <class Make>
  T& get(Make&& make) {
    if (T* value = value_.load(std::memory_order_acquire)) return *value;
    std::unique_ptr<T> made = make();
    T* expected = nullptr;
    if (!value_.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel))
      return *expected;
    return *made.release();
  }

  /// Null if nobody has made it yet.
  const T* peek() const { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<T*> value_{nullptr};
};

}  // namespace gpuarr
