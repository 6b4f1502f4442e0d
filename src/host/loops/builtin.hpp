// Precompiled loops: strided copies and casts between all dtypes, and ranges of numbers.
#pragma once

#include "device/builtin.hpp"

namespace gpuarr::host {

void run_builtin(const Builtin& builtin);

}  // namespace gpuarr::host
