// The CPU device's door for backends.cpp.
#pragma once

#include <string>

#include "device/compile.hpp"
#include "device/device.hpp"

namespace gpuarr::host {

Device& open_device(int ordinal);
/// For this machine's processor: "host".
std::string compile_raw(const std::string& architecture, const RawSource& source);

}  // namespace gpuarr::host
