// Raw modules of the CPU, loaded into this process.
#pragma once

#include <memory>
#include <string>

#include "device/raw.hpp"

namespace gpuarr::host {

/// Loads what compile_raw_source() made, with variables of its own. Fails with GPUARR_ERR_LOAD, and
/// with GPUARR_ERR_UNSUPPORTED for code of GPUs.
std::shared_ptr<RawModule> load_raw_module(const std::string& image);

}  // namespace gpuarr::host
