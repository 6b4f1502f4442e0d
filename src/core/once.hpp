// Values that are made by whoever asks for them first, without a lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

namespace gpuarr {

/// Threads that ask at the same time may each make one; the first to finish is kept. Making it may
/// therefore fork (the driver starts nvidia-modprobe), which would deadlock under a ForkSafeMutex.
/// `make` returns a std::unique_ptr<T>; when it throws, the next caller tries again. What is in a
/// slot of static storage is never destroyed: it may be asked for while the process ends.
template <class T, class Make>
T& made_once(std::atomic<T*>& slot, Make&& make) {
  T* value = slot.load(std::memory_order_acquire);
  if (value != nullptr) [[likely]]
    return *value;
  std::unique_ptr<T> made = make();
  if (slot.compare_exchange_strong(value, made.get(), std::memory_order_acq_rel))
    value = made.release();
  return *value;
}

/// An object of static storage that is never destroyed: it may be asked for while the process ends.
/// There is room for it already, so that asking first cannot fail where memory is out.
template <class T>
class Undying {
 public:
  Undying() : object_(new (place_) T) {}
  T& operator*() { return *object_; }

 private:
  alignas(T) std::byte place_[sizeof(T)];
  T* object_;
};

/// Owns what is made_once.
template <class T>
class Once {
 public:
  Once() = default;
  ~Once() { delete value_.load(); }
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;

  template <class Make>
  T& get(Make&& make) {
    return made_once(value_, make);
  }

  /// Null if it was not made yet.
  const T* peek() const { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<T*> value_{nullptr};
};

}  // namespace gpuarr
