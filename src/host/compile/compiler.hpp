// Source to machine code, by the system's C++ compiler.
#pragma once

#include <string>

#include "device/compile.hpp"

namespace gpuarr::host {

/// The bytes of a shared object. Throws CompileError; fails with GPUARR_ERR_NO_COMPILER, and with
/// GPUARR_ERR_IO where no temporary file can be made.
std::string compile_source(const Source& source);

}  // namespace gpuarr::host
