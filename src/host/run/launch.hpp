// Runs the kernels of raw modules.
#pragma once

#include <cstdint>

#include "host/glue/abi.cuh"

namespace gpuarr::host {

class Watcher;

/// Does all blocks of a launch and returns when they are done. It fills in what is the library's
/// own of the launch (services, state, stop); the arguments may lie at any address. Fails with
/// GPUARR_ERR_ASSERT, GPUARR_ERR_SYNC, GPUARR_ERR_FAULT, GPUARR_ERR_OUT_OF_MEMORY, and for blocks
/// of more than 1024 threads or cooperative grids that are too large with GPUARR_ERR_ARGUMENT.
void run_raw(const gpuarr_kernel& kernel, const gpuarr_launch& launch, Watcher* watcher = nullptr);

/// How many blocks of so many threads a cooperative launch may have.
int64_t most_blocks_together(int64_t threads);

}  // namespace gpuarr::host
