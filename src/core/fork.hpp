// Surviving fork(): a child that goes on without exec must find no lock held by a thread that it
// does not have.
#pragma once

#include <cstdint>
#include <mutex>

namespace gpuarr {

/// How many times this process, or an ancestor since the library was loaded, was made by fork().
/// State that does not survive a fork remembers the number that it was made under.
uint32_t fork_generation() noexcept;

/// A mutex that is free in the child of a fork. Take no other one while holding one: fork() takes
/// them all, in no order that a caller could know.
class ForkSafeMutex {
 public:
  ForkSafeMutex();
  ~ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  void lock() { mutex_.lock(); }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

}  // namespace gpuarr
