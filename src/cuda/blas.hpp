// Products of matrices on a GPU.
#pragma once

#include <memory>

#include "device/blas.hpp"

namespace gpuarr::cuda {

class CudaDevice;

std::unique_ptr<Blas> make_blas(CudaDevice& device);  // opens cuBLAS

}  // namespace gpuarr::cuda
