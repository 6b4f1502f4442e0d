// Runs the kernels of raw modules.
#pragma once

#include "host/glue/abi.cuh"

namespace gpuarr::host {

/// Does all blocks of a launch and returns when they are done. It fills in what is the library's
/// own of the launch (services, state). The arguments may lie at any address.
void run_raw(const gpuarr_kernel& kernel, gpuarr_launch launch);

}  // namespace gpuarr::host
