// Blocks that are not in use, kept for the next launch: their stacks are memory already.
#pragma once

#include <memory>

#include "host/run/fibers.hpp"

namespace gpuarr::host {

/// One that has room for the launch's blocks. Fails with GPUARR_ERR_OUT_OF_MEMORY.
std::unique_ptr<Block> take_block(const gpuarr_launch& launch);
void give_block(std::unique_ptr<Block> block) noexcept;

}  // namespace gpuarr::host
