// Compiled kernels, kept in memory and on disk. All kinds of kernels share it.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace gpuarr {

/// The source, compiled for the device and loaded. Ten threads that ask at the same time cause one
/// compilation, and all get what came of it. Throws what Device::compile and Device::load throw.
std::shared_ptr<Module> cached_module(Device& device, const Source& source);

}  // namespace gpuarr
