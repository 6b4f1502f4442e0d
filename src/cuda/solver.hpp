// Factorisations on a GPU.
#pragma once

#include <memory>

#include "cuda/device.hpp"
#include "device/solver.hpp"

namespace gpuarr::cuda {

std::unique_ptr<Solver> make_solver(CudaDevice& device);  // opens the libraries

}  // namespace gpuarr::cuda
