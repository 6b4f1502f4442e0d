// The device that a command works on.
#include "cli/base/device.hpp"

#include <cstdlib>

#include "cli/base/error.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

// Why the wanted device cannot be had, and who wanted it.
std::string device_problem(const std::optional<std::string>& option) {
  const char* setting = std::getenv("GPUARR_DEVICE");
  std::string wanted = option ? *option : setting != nullptr ? setting : "";
  std::string message = last_message();
  if (wanted.empty() || message.find(wanted) != std::string::npos) return message;
  return (option ? "--device is " : "$GPUARR_DEVICE is ") + in_quotes(wanted) + ", but " + message;
}

}  // namespace

gpuarr_device* open_device(const std::optional<std::string>& wanted) {
  gpuarr_device* device = nullptr;
  gpuarr_status status = gpuarr_device_open(&device, wanted ? wanted->c_str() : nullptr);
  if (status != GPUARR_OK) throw Failure(device_problem(wanted));
  // A kernel without any array runs on the default device.
  if (wanted) setenv("GPUARR_DEVICE", gpuarr_device_name(device), 1);
  return device;
}

}  // namespace cli
