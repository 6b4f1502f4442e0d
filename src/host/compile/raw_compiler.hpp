// CUDA C++ to machine code, by the system's C++ compiler (see translate/README.md).
#pragma once

#include <string>

#include "device/compile.hpp"

namespace gpuarr::host {

/// The bytes of a shared object with a gpuarr_table. Throws CompileError; fails as
/// compile_source().
std::string compile_raw_source(const RawSource& source);

}  // namespace gpuarr::host
