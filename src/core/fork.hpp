// Surviving fork(): a child that goes on without exec must find no lock held by a thread that it
// does not have.
#pragma once

#include <atomic>
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
  ForkSafeMutex() noexcept;
  ~ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

  /// All that there are, before a fork and after it.
  static void lock_all();
  static void unlock_all();

 private:
  std::mutex mutex_;
  ForkSafeMutex *before_ = nullptr, *after_ = nullptr;  // in the list of all
};

/// How many threads are at something that others wait for; none of them in the child of a fork.
class ForkSafeCount {
 public:
  void enter() noexcept;
  void leave() noexcept;
  void wait_for_none() noexcept;

 private:
  uint64_t renewed(uint64_t state) const noexcept;
  std::atomic<uint64_t> state_{0};  // the fork generation, and the threads in the low half
};

}  // namespace gpuarr
