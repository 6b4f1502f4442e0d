// Counts of references to objects that threads share.
#pragma once

#include <atomic>

namespace gpuarr {

/// Takes a reference away; whether it was the last. Nobody else can count what has one only, so
/// that needs no atomic change.
template <class T>
bool drop_reference(std::atomic<T>& references) noexcept {
  return references.load(std::memory_order_acquire) == 1 ||
         references.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

}  // namespace gpuarr
