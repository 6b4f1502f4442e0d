// gpuarr/memory.h: check, convert, call.
#include "gpuarr/memory.h"

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "c/memory_callbacks.hpp"
#include "c/memory_statistic.hpp"
#include "device/pool.hpp"

using namespace gpuarr;

namespace {

AllocatorUse allocator_of(Device& device) { return current_allocator(current_stream(device)); }

}  // namespace

gpuarr_status gpuarr_memory_statistic(int64_t* out, gpuarr_device* device, int32_t statistic) {
  return guard_output(__func__, out, [&] {
    Device& whose = deref(device, "device");
    return memory_statistic(*allocator_of(whose).allocator, statistic);
  });
}

gpuarr_status gpuarr_memory_reset_peak(gpuarr_device* device) {
  return guard(__func__, [&] { allocator_of(deref(device, "device")).allocator->reset_peak(); });
}

gpuarr_status gpuarr_memory_trim(gpuarr_device* device) {
  return guard(__func__, [&] {
    free_leftovers();
    trim_all(deref(device, "device"));
  });
}

gpuarr_status gpuarr_memory_set_limit(gpuarr_device* device, int64_t bytes) {
  return guard(__func__, [&] { deref(device, "device").budget().set_limit(bytes); });
}

gpuarr_status gpuarr_memory_set_limit_fraction(gpuarr_device* device, double fraction) {
  return guard(__func__, [&] { deref(device, "device").budget().set_limit_fraction(fraction); });
}

gpuarr_status gpuarr_memory_add_reclaim(int64_t* out, gpuarr_reclaim_fn fn, void* user) {
  return guard_output(__func__, out, [&] {
    if (fn == nullptr) fail(GPUARR_ERR_ARGUMENT, "fn is NULL; give a function");
    return add_reclaim(reclaim_of(fn, user));
  });
}

gpuarr_status gpuarr_memory_remove_reclaim(int64_t number) {
  return guard(__func__, [&] {
    if (!remove_reclaim(number))
      fail(GPUARR_ERR_ARGUMENT, "number is {}, but no reclaim function has that number", number);
  });
}

gpuarr_status gpuarr_memory_add_hook(int64_t* out, gpuarr_memory_hook_fn fn, void* user) {
  return guard_output(__func__, out, [&] {
    if (fn == nullptr) fail(GPUARR_ERR_ARGUMENT, "fn is NULL; give a function");
    return add_memory_hook(memory_hook_of(fn, user));
  });
}

gpuarr_status gpuarr_memory_remove_hook(int64_t number) {
  return guard(__func__, [&] {
    if (!remove_memory_hook(number))
      fail(GPUARR_ERR_ARGUMENT, "number is {}, but no hook has that number", number);
  });
}
