#include "gpuarr/memory.h"

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "device/pool.hpp"

using namespace gpuarr;

namespace {

int64_t pool_statistic(const PoolStatistics& s, int32_t statistic) {
  switch (statistic) {
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
    default:
      fail(GPUARR_ERR_ARGUMENT,
           "statistic is {}; it is one of the GPUARR_MEMORY_... numbers, 1 to 8", statistic);
  }
}

}  // namespace

gpuarr_status gpuarr_memory_statistic(int64_t* out, gpuarr_device* device, int32_t statistic) {
  return guard(__func__, [&] {
    int64_t& result = output(out);
    result = pool_statistic(deref(device, "device").pool().statistics(), statistic);
  });
}

gpuarr_status gpuarr_memory_trim(gpuarr_device* device) {
  return guard(__func__, [&] { deref(device, "device").pool().trim(); });
}
