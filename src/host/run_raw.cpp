#include "host/run_raw.hpp"

#include <cstdint>

#include "host/threads.hpp"

namespace gpuarr::host {

void run_raw(const gpuarr_kernel& kernel, gpuarr_launch launch) {
  const int64_t blocks = int64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  parallel(kernel.blocks, &launch, blocks);
}

}  // namespace gpuarr::host
