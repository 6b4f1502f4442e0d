// gpuarr/pinned.h: check, convert, call.
#include "gpuarr/pinned.h"

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "c/memory_statistic.hpp"
#include "device/pinned_pool.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_pinned_allocate(void** out, gpuarr_device* device, int64_t bytes) {
  return guard_output(__func__, out, [&] {
    PinnedPool& pool = deref(device, "device").pinned();
    if (bytes < 0) fail(GPUARR_ERR_ARGUMENT, "bytes is {}; give a size, 0 or more", bytes);
    return pool.allocate(bytes);
  });
}

gpuarr_status gpuarr_pinned_free(gpuarr_device* device, void* data) {
  return guard(__func__, [&] {
    Device& whose = deref(device, "device");
    if (!whose.pinned().deallocate(data))
      fail(GPUARR_ERR_ARGUMENT,
           "data is {}, which is not pinned memory in use of {}; free each address once, with the "
           "device that it came from",
           data, whose.facts().name);
  });
}

gpuarr_status gpuarr_pinned_statistic(int64_t* out, gpuarr_device* device, int32_t statistic) {
  return guard_output(__func__, out, [&] {
    const MemoryStatistics now = deref(device, "device").pinned().statistics();
    return memory_statistic(now, statistic, GPUARR_MEMORY_DEVICE_CALLS);
  });
}

gpuarr_status gpuarr_pinned_trim(gpuarr_device* device) {
  return guard(__func__, [&] { deref(device, "device").pinned().trim(); });
}
