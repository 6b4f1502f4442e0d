// Where CUDA C++ asks for a thread's place in the launch, and not for that in its block.
#pragma once

#include <vector>

#include "host/read/parsed.hpp"

namespace gpuarr::host {

/// Marks each `threadIdx` and `blockIdx` that stands in a sum such as
/// `(size_t)blockIdx.x * blockDim.x + threadIdx.x`, in any order, whose value as an integer is all
/// that is used of them.
std::vector<bool> mark_global_indices(const Parsed& parsed);

}  // namespace gpuarr::host
