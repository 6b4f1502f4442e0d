// The numbers of an allocator by their names in gpuarr/memory.h.
#pragma once

#include "device/device.hpp"
#include "gpuarr/memory.h"

namespace gpuarr {

/// `last`: the largest number that there is.
inline int64_t memory_statistic(const MemoryStatistics& s, int32_t statistic, int32_t last) {
  switch (statistic <= last ? statistic : 0) {
    case GPUARR_MEMORY_USED:
      return s.used;
    case GPUARR_MEMORY_CACHED:
      return s.cached;
    case GPUARR_MEMORY_TOTAL:
      return s.used + s.cached;
    case GPUARR_MEMORY_PEAK:
      return s.peak;
    case GPUARR_MEMORY_BLOCKS:
      return s.blocks;
    case GPUARR_MEMORY_ALLOCATIONS:
      return s.allocations;
    case GPUARR_MEMORY_HITS:
      return s.hits;
    case GPUARR_MEMORY_DEVICE_CALLS:
      return s.device_calls;
    case GPUARR_MEMORY_TRANSFERS:
      return s.transfers;
    case GPUARR_MEMORY_WAITS:
      return s.waits;
    default:
      fail(GPUARR_ERR_ARGUMENT,
           "statistic is {}; give one of the GPUARR_MEMORY_... numbers, 1 to {}", statistic, last);
  }
}

inline int64_t memory_statistic(Allocator& allocator, int32_t statistic) {
  if (statistic == GPUARR_MEMORY_LIMIT) return allocator.device().budget().limit();
  return memory_statistic(allocator.statistics(), statistic, GPUARR_MEMORY_LIMIT);
}

}  // namespace gpuarr
