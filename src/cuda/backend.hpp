// The CUDA devices' door for backends.cpp.
#pragma once

#include "device/device.hpp"

namespace gpuarr::cuda {

int device_count();                // 0 where there is no driver; does not fail
Device& open_device(int ordinal);  // fails with a message that says what is missing

}  // namespace gpuarr::cuda
