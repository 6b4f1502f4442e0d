// Products of matrices on the CPU.
#pragma once

#include "device/blas.hpp"

namespace gpuarr::host {

Blas& host_blas();  // opens the library when first called

}  // namespace gpuarr::host
