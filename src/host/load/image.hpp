// Shared objects in memory, made part of this process.
#pragma once

#include <string>

namespace gpuarr::host {

/// What dlopen() gives for the bytes of a shared object. Each call loads a copy of its own, with
/// variables of its own. It is never unloaded: its code may be running on any thread. Fails with
/// GPUARR_ERR_LOAD, or GPUARR_ERR_IO where it can be written nowhere.
void* open_image(const std::string& image);

}  // namespace gpuarr::host
