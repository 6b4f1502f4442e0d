// A count that all threads change all the time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpuarr {

/// Threads add in places of their own, since one that all write to goes from core to core. It is
/// exact where what others added happened before.
class SpreadCount {
 public:
  void add(int64_t n) noexcept { places_[place()].value.fetch_add(n, std::memory_order_relaxed); }
  int64_t load() const noexcept {
    int64_t sum = 0;
    for (const Place& p : places_) sum += p.value.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  struct alignas(64) Place {
    std::atomic<int64_t> value{0};
  };
  static constexpr size_t count = 64;

  static size_t place() noexcept {
    static std::atomic<size_t> next{0};
    static constinit thread_local size_t mine = count;
    if (mine == count) [[unlikely]]
      mine = next.fetch_add(1, std::memory_order_relaxed) % count;
    return mine;
  }

  std::array<Place, count> places_;
};

}  // namespace gpuarr
