// The GPUs of this process, each opened once.
#include "cuda/backend.hpp"

#include <charconv>
#include <cstring>
#include <map>
#include <mutex>

#include "core/error.hpp"
#include "cuda/compile/compiler.hpp"
#include "cuda/device/device.hpp"

namespace gpuarr::cuda {
namespace {

struct Devices {
  ForkSafeMutex mutex;
  std::map<int, std::unique_ptr<CudaDevice>> opened;
};

// Never destroyed: handles stay valid until the process is gone.
Devices& devices() {
  static auto* instance = new Devices;
  return *instance;
}

[[noreturn]] void fail_no_device(const Driver& api, int ordinal) {
  if (api.device_count == 0)
    fail(GPUARR_ERR_NO_DEVICE,
         "there is no cuda:{}: the driver {} shows no GPU; check $CUDA_VISIBLE_DEVICES", ordinal,
         api.library.path);
  fail(GPUARR_ERR_NO_DEVICE, "there is no cuda:{}; this process sees {} GPU{}, cuda:0{}", ordinal,
       api.device_count, api.device_count > 1 ? "s" : "",
       api.device_count > 1 ? formatted(" to cuda:{}", api.device_count - 1) : "");
}

}  // namespace

std::string compile_raw(const std::string& architecture, const RawSource& source) {
  const std::string_view number = std::string_view(architecture).substr(strlen("sm_"));
  int capability = 0;
  const auto [rest, error] = std::from_chars(number.begin(), number.end(), capability);
  if (error != std::errc() || rest != number.end())
    fail(GPUARR_ERR_UNSUPPORTED,
         "target is \"{}\", which is no GPU's architecture; give one such as \"sm_90\"",
         architecture);
  constexpr int newest_nvrtc = 99;  // no driver has to load what it makes
  return Compiler(capability, newest_nvrtc).compile_raw_exactly(source);
}

int device_count() { return count_devices(); }

Device& open_device(int ordinal) {
  const Driver& api = driver();
  if (ordinal >= api.device_count) fail_no_device(api, ordinal);
  {
    std::lock_guard lock(devices().mutex);
    if (auto found = devices().opened.find(ordinal); found != devices().opened.end())
      return *found->second;
  }
  // Outside the lock: the driver may fork, and a device makes locks of its own. Of two threads that
  // come here at once, the second to finish throws its device away.
  auto device = CudaDevice::open(api, ordinal);
  std::unique_lock lock(devices().mutex);
  auto& kept = devices().opened[ordinal];
  if (!kept) kept = std::move(device);
  CudaDevice& result = *kept;
  lock.unlock();
  return result;
}

}  // namespace gpuarr::cuda
