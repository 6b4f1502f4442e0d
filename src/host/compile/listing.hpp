// Compiled code for people to read.
#pragma once

#include <string>

#include "device/compile.hpp"

namespace gpuarr::host {

/// Fails with GPUARR_ERR_UNSUPPORTED for PTX, and with GPUARR_ERR_NO_LIBRARY if there is no
/// objdump.
std::string list_image(Listing listing, const std::string& image);

}  // namespace gpuarr::host
