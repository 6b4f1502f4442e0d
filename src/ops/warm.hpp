// Compiling in advance what takes long when it is first called.
#pragma once

#include <functional>
#include <string>

#include "device/device.hpp"

namespace gpuarr {

/// Hears what comes next, and how many of how many are done; false ends it.
using WarmProgress = std::function<bool(const std::string& what, int done, int all)>;

/// Runs the operations whose kernels are large on a few elements, so that the cache has them.
void warm_cache(Device& device, const WarmProgress& progress);

}  // namespace gpuarr
