// The numbers of an allocator by their names in gpuarr/memory.h.
#pragma once

#include "c/guard.hpp"
#include "device/device.hpp"
#include "gpuarr/memory.h"

namespace gpuarr {

/// `last`: the largest number that there is.
inline int64_t memory_statistic(const MemoryStatistics& s, int32_t statistic, int32_t last) {
  const int64_t numbers[] = {
      s.used, s.cached,       s.used + s.cached, s.peak,  s.blocks, s.allocations,
      s.hits, s.device_calls, s.transfers,       s.waits, 0 /* the limit is the device's */};
  const std::span<const int64_t> all = numbers;
  return statistic_of(all.first(static_cast<size_t>(last)), statistic, "GPUARR_MEMORY_");
}

inline int64_t memory_statistic(Allocator& allocator, int32_t statistic) {
  if (statistic == GPUARR_MEMORY_LIMIT) return allocator.device().budget().limit();
  return memory_statistic(allocator.statistics(), statistic, GPUARR_MEMORY_LIMIT);
}

}  // namespace gpuarr
