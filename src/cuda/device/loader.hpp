// Giving compiled code to the driver.
#pragma once

#include <memory>
#include <string>

#include "cuda/device/device.hpp"

namespace gpuarr::cuda {

/// Loads a cubin, PTX or a fatbin; fails with GPUARR_ERR_LOAD if it is damaged or for another GPU,
/// with what the driver's own compiler says of PTX.
std::shared_ptr<CUmod_st> load_code(CudaDevice& device, const std::string& code);

/// Null if there is none.
CUfunction find_function(const Driver& api, CUmodule module, const std::string& symbol);

}  // namespace gpuarr::cuda
