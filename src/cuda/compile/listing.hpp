// Compiled modules for people to read.
#pragma once

#include <string>

#include "cuda/compile/compiler.hpp"
#include "device/compile.hpp"

namespace gpuarr::cuda {

/// PTX or SASS of what Compiler::compile_raw() made of `source`, or, if that is null, of what the
/// user gave.
std::string list_code(Compiler& compiler, Listing listing, const RawSource* source,
                      const std::string& image);

}  // namespace gpuarr::cuda
