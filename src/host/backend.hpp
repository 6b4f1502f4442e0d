// The CPU device's door for backends.cpp.
#pragma once

#include "device/device.hpp"

namespace gpuarr::host {

Device& open_device(int ordinal);

}  // namespace gpuarr::host
