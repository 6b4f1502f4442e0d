// Which devices there are. backends.cpp is the only file that names cuda/ and host/.
#pragma once

#include <cstdint>
#include <string>

#include "device/device.hpp"

namespace gpuarr {

int device_count(int32_t kind);  // GPUARR_DEVICE_...

/// "host", "cuda", "cuda:N"; null for the default device. Devices are never destroyed.
Device& open_device(const char* name);
Device& host_device();

}  // namespace gpuarr
