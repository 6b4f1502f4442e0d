// Compiled code, loaded into this process.
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"

namespace gpuarr::host {

/// Loads the bytes of a shared object. It is never unloaded: its code may be running on any thread.
/// Fails with GPUARR_ERR_LOAD.
std::shared_ptr<Module> load_module(const std::string& image);

}  // namespace gpuarr::host
