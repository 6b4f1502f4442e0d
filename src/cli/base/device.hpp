// The device that a command works on.
#pragma once

#include <optional>
#include <string>

#include "gpuarr.h"

namespace cli {

/// Opens what --device names, or the default device. From then on it is the default one.
gpuarr_device* open_device(const std::optional<std::string>& wanted);

}  // namespace cli
