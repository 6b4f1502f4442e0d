// CUDA C++ with what it needs on a device, ready for its compiler.
#pragma once

#include <string>
#include <vector>

#include "codegen/layout/target.hpp"
#include "device/compile.hpp"

namespace gpuarr {

/// With the target's prelude and headers; GPUARR_CHECK_MEMORY is defined where `checks` has it.
RawSource raw_source(const Target& target, std::string text, std::vector<std::string> options,
                     int checks);

}  // namespace gpuarr
