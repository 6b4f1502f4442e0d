// The messages of g++ and clang++, read.
#pragma once

#include <string_view>
#include <vector>

#include "device/compile.hpp"

namespace gpuarr::host {

/// The errors and warnings of a log, without the notes that belong to them.
std::vector<Diagnostic> parse_diagnostics(std::string_view log);

}  // namespace gpuarr::host
