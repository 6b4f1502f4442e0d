// A third backend's door for backends.cpp; README.md says what it is for.
#pragma once

#include "device/device.hpp"

namespace gpuarr::serial {

constexpr int32_t kind = 12;  // DLPack's number for a device of somebody else's

Device& open_device(int ordinal);

}  // namespace gpuarr::serial
