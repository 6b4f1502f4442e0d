// Compiled code, loaded into this process.
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"

namespace gpuarr::host {

/// Loads the bytes of a shared object; see open_image().
std::shared_ptr<Module> load_module(const std::string& image);

}  // namespace gpuarr::host
