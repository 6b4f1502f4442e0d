// What CUDA C++ has and the CPU device has not.
#pragma once

#include <string>
#include <vector>

#include "device/compile.hpp"
#include "host/read/parsed.hpp"

namespace gpuarr::host {

/// Names each construct and its line; empty if there is none.
std::vector<Diagnostic> find_unsupported(const Parsed& parsed);

/// What to say besides about a header that is not there; "" if it is none of CUDA's.
std::string header_hint(std::string_view header);

/// Fails for options that only NVRTC has.
void check_options(const std::vector<std::string>& options, const std::string& compiler);

}  // namespace gpuarr::host
