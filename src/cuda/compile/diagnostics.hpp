// Reading NVRTC's log.
#pragma once

#include <string_view>
#include <vector>

#include "device/compile.hpp"

namespace gpuarr::cuda {

/// The messages of a log, in its order, each on one line; what is neither located nor from NVRTC's
/// own parts, such as the count of errors at the end, is left out.
std::vector<Diagnostic> parse_log(std::string_view log);

}  // namespace gpuarr::cuda
