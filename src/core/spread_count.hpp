// A count that all threads change all the time.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/per_thread.hpp"

namespace gpuarr {

/// Threads add in places of their own, since one that all write to goes from core to core, and
/// a place with one owner needs no atomic addition. It is exact where what others added happened
/// before.
class SpreadCount {
 public:
  void add(int64_t n) noexcept {
    const size_t own = place();
    std::atomic<int64_t>& value = places_[own].value;
    if (own != shared) [[likely]]
      value.store(value.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    else
      value.fetch_add(n, std::memory_order_relaxed);
  }
  int64_t load() const noexcept {
    int64_t sum = 0;
    for (const Place& p : places_) sum += p.value.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  struct alignas(64) Place {
    std::atomic<int64_t> value{0};
  };
  static constexpr size_t shared = 64;  // of threads that find no other
  static constexpr size_t unknown = shared + 1;

  // A place that is the thread's until it ends.
  struct Claim {
    size_t place = shared;
    Claim() {
      uint64_t taken = claimed.load(std::memory_order_relaxed);
      while (~taken != 0) {
        const auto free = static_cast<size_t>(std::countr_one(taken));
        if (!claimed.compare_exchange_weak(taken, taken | uint64_t{1} << free,
                                           std::memory_order_acquire, std::memory_order_relaxed))
          continue;
        place = free;
        return;
      }
    }
    ~Claim() {
      mine = unknown;
      if (place != shared) claimed.fetch_and(~(uint64_t{1} << place), std::memory_order_release);
    }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
  };

  static size_t place() noexcept {
    if (mine == unknown) [[unlikely]]
      find_place();
    return mine;
  }
  [[gnu::noinline, gnu::cold]] static void find_place() noexcept {
    try {
      mine = PerThread<Claim>::get().place;
    } catch (...) {  // there is no memory for it
      mine = shared;
    }
  }

  static inline constinit std::atomic<uint64_t> claimed{0};
  static inline constinit thread_local size_t mine = unknown;

  std::array<Place, shared + 1> places_;
};

}  // namespace gpuarr
