// Giving compiled code to the driver.
#pragma once

#include <string>

#include "cuda/device/device.hpp"

namespace gpuarr::cuda {

/// Loads a cubin, PTX or a fatbin; fails with GPUARR_ERR_LOAD if it is damaged or for another GPU,
/// with what the driver's own compiler says of PTX.
CUmodule load_code(CudaDevice& device, const std::string& code);

}  // namespace gpuarr::cuda
