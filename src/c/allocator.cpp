// gpuarr/allocator.h: check, convert, call.
#include "gpuarr/allocator.h"

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "c/memory_callbacks.hpp"
#include "c/memory_statistic.hpp"
#include "device/allocator_kinds.hpp"

using namespace gpuarr;

namespace {

// An allocator that an argument names, of the device; NULL for none.
std::shared_ptr<Allocator> allocator_for(gpuarr_allocator* allocator, const Device& device) {
  auto* given = deref_or_null(allocator, "allocator");
  if (given == nullptr) return nullptr;
  const Device& its = (*given)->device();
  if (&its != &device)
    fail(GPUARR_ERR_DEVICE, "allocator belongs to device {}, but is set for {}; give one of {}",
         its.facts().name, device.facts().name, device.facts().name);
  return *given;
}

}  // namespace

gpuarr_status gpuarr_allocator_create(gpuarr_allocator** out, gpuarr_device* device, int32_t kind) {
  return guard_output(__func__, out, [&] {
    return gpuarr_allocator::make(make_allocator_of_kind(deref(device, "device"), kind));
  });
}

gpuarr_status gpuarr_allocator_create_custom(gpuarr_allocator** out, gpuarr_device* device,
                                             gpuarr_allocate_fn allocate,
                                             gpuarr_deallocate_fn deallocate, void* user) {
  return guard_output(__func__, out, [&] {
    Device& whose = deref(device, "device");
    if (allocate == nullptr || deallocate == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give a function",
           allocate == nullptr ? "allocate" : "deallocate");
    AllocatorFunctions functions = allocator_functions_of(allocate, deallocate, user, whose);
    return gpuarr_allocator::make(make_allocator<FunctionAllocator>(whose, std::move(functions)));
  });
}

gpuarr_allocator* gpuarr_allocator_retain(gpuarr_allocator* allocator) { return retain(allocator); }

void gpuarr_allocator_release(gpuarr_allocator* allocator) { release(allocator); }

gpuarr_status gpuarr_allocator_set_current(gpuarr_device* device, gpuarr_allocator* allocator) {
  return guard(__func__, [&] {
    Device& target = deref(device, "device");
    set_current_allocator(target, allocator_for(allocator, target));
  });
}

gpuarr_status gpuarr_allocator_set_for_stream(gpuarr_stream* stream, gpuarr_allocator* allocator) {
  return guard(__func__, [&] {
    Stream& target = *deref(stream, "stream");
    set_current_allocator(target, allocator_for(allocator, target.device()));
  });
}

gpuarr_status gpuarr_allocator_current(gpuarr_allocator** out, gpuarr_device* device,
                                       gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    AllocatorUse use = current_allocator(stream_of(stream, deref(device, "device")));
    return gpuarr_allocator::make(use.allocator->shared_from_this());
  });
}

gpuarr_device* gpuarr_allocator_device(const gpuarr_allocator* allocator) {
  return is_live(allocator) ? handle_of(allocator->impl->device()) : nullptr;
}

gpuarr_status gpuarr_allocator_statistic(int64_t* out, gpuarr_allocator* allocator,
                                         int32_t statistic) {
  return guard_output(__func__, out,
                      [&] { return memory_statistic(*deref(allocator, "allocator"), statistic); });
}

gpuarr_status gpuarr_allocator_trim(gpuarr_allocator* allocator) {
  return guard(__func__, [&] { deref(allocator, "allocator")->trim(); });
}

gpuarr_status gpuarr_allocator_allocate(void** out, gpuarr_allocator* allocator, int64_t bytes,
                                        gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    Allocator& source = *deref(allocator, "allocator");
    if (bytes < 0) fail(GPUARR_ERR_ARGUMENT, "bytes is {}; give a size, 0 or more", bytes);
    return source.allocate(bytes, stream_of(stream, source.device()));
  });
}

gpuarr_status gpuarr_allocator_free(gpuarr_allocator* allocator, void* data,
                                    gpuarr_stream* stream) {
  return guard(__func__, [&] {
    Allocator& source = *deref(allocator, "allocator");
    if (!source.deallocate(data, stream_of(stream, source.device())))
      fail(GPUARR_ERR_ARGUMENT,
           "data is {}, which is not memory in use of this allocator; free each address once, with "
           "the allocator that gave it",
           data);
  });
}
