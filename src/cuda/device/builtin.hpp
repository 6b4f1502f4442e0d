// Copies and fills that the driver does by itself, so that they need no compiler.
#pragma once

#include "cuda/device/device.hpp"

namespace gpuarr::cuda {

bool run_builtin(CudaDevice& device, const Builtin& builtin, Stream& stream);

}  // namespace gpuarr::cuda
