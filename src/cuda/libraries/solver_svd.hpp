// Singular values on a GPU.
#pragma once

#include "cuda/device/device.hpp"
#include "device/solver.hpp"

namespace gpuarr::cuda {

/// Solver::svd().
void svd_of(CudaDevice& device, const Matrices& a, void* values, const Matrices* u,
            const Matrices* vh, int32_t* info, Stream& stream);

}  // namespace gpuarr::cuda
