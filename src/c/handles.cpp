// What the handles of the C ABI need besides counting: device handles, lasting strings, checks.
#include "c/handles.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <vector>

#include "c/guard.hpp"
#include "core/fork.hpp"

namespace gpuarr {
namespace {

// Never destroyed: handles and strings are promised for as long as the process lives.
struct Lasting {
  ForkSafeMutex mutex;
  std::vector<std::unique_ptr<gpuarr_device>> devices;  // by Device::index()
  std::set<std::string> strings;
};

Lasting& lasting() {
  static auto* instance = new Lasting;
  return *instance;
}

}  // namespace

gpuarr_device* handle_of(Device& device) {
  std::lock_guard lock(lasting().mutex);
  auto& devices = lasting().devices;
  auto index = static_cast<size_t>(device.index());
  if (devices.size() <= index) devices.resize(index + 1);
  if (!devices[index]) devices[index].reset(new gpuarr_device{device});
  return devices[index].get();
}

bool is_live(const gpuarr_device* device, const char* function) noexcept {
  if (device == nullptr) return false;
  const bool live = guard(function, [&] { check_handle(device, "device"); }) == GPUARR_OK;
  if (!live) say_error();
  return live;
}

void check_handle(const gpuarr_device* device, const char* argument) {
  if (device == nullptr || !tracking()) return;
  std::unique_lock lock(lasting().mutex);
  if (std::ranges::any_of(lasting().devices, [&](const auto& d) { return d.get() == device; }))
    return;
  lock.unlock();
  fail(GPUARR_ERR_ARGUMENT, "{} is {}, which is not a device; give one from gpuarr_device_open",
       argument, static_cast<const void*>(device));
}

std::string details_of(const Array& array) {
  return formatted("{}, {}, {} bytes, {}", name(array.dtype), to_string(array.layout.shape),
                   array.size() * array.itemsize(), array.device().facts().name);
}

const char* lasting_text(const std::string& text) {
  std::lock_guard lock(lasting().mutex);
  return lasting().strings.insert(text).first->c_str();
}

Stream& stream_of(gpuarr_stream* stream, Device& device, const char* argument) {
  if (stream == nullptr) return current_stream(device);
  Stream& given = *deref(stream, argument);
  if (&given.device() != &device)
    fail(GPUARR_ERR_DEVICE,
         "{} belongs to device {}, but the work is for device {}; give a stream of {}, or NULL",
         argument, given.device().facts().name, device.facts().name, device.facts().name);
  return given;
}

Order order_of(int32_t value, bool k_allowed) {
  if (value >= GPUARR_ORDER_C && value <= (k_allowed ? GPUARR_ORDER_K : GPUARR_ORDER_F))
    return static_cast<Order>(value);
  fail(GPUARR_ERR_ARGUMENT, "order is {}; give GPUARR_ORDER_C (0){}", value,
       k_allowed ? ", GPUARR_ORDER_F (1) or GPUARR_ORDER_K (2)" : " or GPUARR_ORDER_F (1)");
}

}  // namespace gpuarr
