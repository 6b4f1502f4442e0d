// gpuarr/device.h: check, convert, call.
#include "gpuarr/device.h"

#include "backends.hpp"
#include "c/guard.hpp"
#include "c/handles.hpp"
#include "core/settings.hpp"
#include "device/blas.hpp"
#include "device/reports.hpp"
#include "device/solver.hpp"

using namespace gpuarr;

namespace {

int64_t attribute_of(const DeviceFacts& facts, int32_t attribute) {
  const int64_t all[] = {facts.processors, facts.compute_capability, facts.l2_bytes,
                         facts.lowest_priority, facts.highest_priority};
  if (attribute < GPUARR_DEVICE_PROCESSORS || attribute > GPUARR_DEVICE_HIGHEST_PRIORITY)
    fail(GPUARR_ERR_ARGUMENT, "attribute is {}; give a GPUARR_DEVICE_... number from {} to {}",
         attribute, int{GPUARR_DEVICE_PROCESSORS}, int{GPUARR_DEVICE_HIGHEST_PRIORITY});
  return all[attribute - GPUARR_DEVICE_PROCESSORS];
}

}  // namespace

gpuarr_status gpuarr_device_count(int32_t* out, int32_t kind) {
  return guard_output(__func__, out, [&] { return device_count(kind); });
}

gpuarr_status gpuarr_device_open(gpuarr_device** out, const char* name) {
  return guard_output(__func__, out, [&] {
    check_settings();
    return handle_of(open_device(name));
  });
}

const char* gpuarr_device_name(const gpuarr_device* device) {
  return is_live(device) ? device->impl.facts().name.c_str() : "";
}

const char* gpuarr_device_description(const gpuarr_device* device) {
  return is_live(device) ? device->impl.facts().description.c_str() : "";
}

int32_t gpuarr_device_kind(const gpuarr_device* device) {
  return is_live(device) ? device->impl.facts().kind : 0;
}

gpuarr_status gpuarr_device_attribute(int64_t* out, const gpuarr_device* device,
                                      int32_t attribute) {
  return guard_output(__func__, out,
                      [&] { return attribute_of(deref(device, "device").facts(), attribute); });
}

gpuarr_status gpuarr_device_memory(int64_t* out_free, int64_t* out_total, gpuarr_device* device) {
  return guard(__func__, [&] {
    int64_t& free = output(out_free, "out_free");
    int64_t& total = output(out_total, "out_total");
    DeviceMemory memory = deref(device, "device").memory();
    free = memory.free;
    total = memory.total;
  });
}

gpuarr_status gpuarr_device_compiler(const char** out, gpuarr_device* device) {
  return guard_output(__func__, out,
                      [&] { return lasting_text(deref(device, "device").compiler()); });
}

gpuarr_status gpuarr_device_driver(const char** out, gpuarr_device* device) {
  return guard_output(__func__, out,
                      [&] { return lasting_text(deref(device, "device").driver()); });
}

gpuarr_status gpuarr_device_blas(const char** out, gpuarr_device* device) {
  return guard_output(__func__, out,
                      [&] { return lasting_text(deref(device, "device").blas().description()); });
}

gpuarr_status gpuarr_device_solver(const char** out, gpuarr_device* device) {
  return guard_output(__func__, out,
                      [&] { return lasting_text(deref(device, "device").solver().description()); });
}

gpuarr_status gpuarr_device_can_access_peer(int32_t* out, gpuarr_device* device,
                                            gpuarr_device* peer) {
  return guard_output(__func__, out, [&] {
    return deref(device, "device").can_access(deref(peer, "peer")) ? 1 : 0;
  });
}

gpuarr_status gpuarr_device_enable_peer(gpuarr_device* device, gpuarr_device* peer) {
  return guard(__func__, [&] { deref(device, "device").enable_access(deref(peer, "peer")); });
}

gpuarr_status gpuarr_device_synchronize(gpuarr_device* device) {
  return guard(__func__, [&] { wait_for(deref(device, "device")); });
}
