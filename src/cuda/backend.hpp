// The CUDA devices' door for backends.cpp.
#pragma once

#include <string>

#include "device/compile.hpp"
#include "device/device.hpp"

namespace gpuarr::cuda {

int device_count();                // 0 where there is no driver; does not fail
Device& open_device(int ordinal);  // fails with a message that says what is missing
/// "sm_90". Needs NVRTC, but no GPU.
std::string compile_raw(const std::string& architecture, const RawSource& source);

}  // namespace gpuarr::cuda
