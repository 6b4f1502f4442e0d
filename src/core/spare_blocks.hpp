// Memory of small objects that come and go by the dozen, for which malloc takes too long.
#pragma once

#include <array>
#include <cstddef>
#include <new>

#include "core/per_thread.hpp"

namespace gpuarr {

/// Blocks of one size that are free, of the calling thread. A sanitizer could not tell one that is
/// used too late: for it there are none.
template <class T>
class SpareBlocks {
 public:
  SpareBlocks() = default;
  SpareBlocks(const SpareBlocks&) = delete;
  SpareBlocks& operator=(const SpareBlocks&) = delete;
  ~SpareBlocks() {
    while (count_ > 0) ::operator delete(blocks_[--count_]);
  }

  /// For an object of T and `more` bytes, always as many.
  static void* take(size_t more = 0) {
    SpareBlocks& own = PerThread<SpareBlocks>::get();
    return own.count_ > 0 ? own.blocks_[--own.count_] : ::operator new(sizeof(T) + more);
  }

  static void give_back(void* block) noexcept {
    SpareBlocks& own = PerThread<SpareBlocks>::get();
    if (own.count_ < most)
      own.blocks_[own.count_++] = block;
    else
      ::operator delete(block);
  }

 private:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr size_t most = 0;
#else
  static constexpr size_t most = 64;
#endif
  size_t count_ = 0;
  std::array<void*, most> blocks_;
};

}  // namespace gpuarr
