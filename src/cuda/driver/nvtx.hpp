// NVTX: how ranges reach NVIDIA's profilers.
#pragma once

#include "core/range.hpp"

namespace gpuarr::cuda {

/// The tool that $NVTX_INJECTION64_PATH names, which profilers set; null if there is none.
const RangeTool* nvtx();

}  // namespace gpuarr::cuda
