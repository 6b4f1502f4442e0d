// Factorisations on the CPU.
#pragma once

#include "device/solver.hpp"

namespace gpuarr::host {

Solver& host_solver();  // opens the library when first called

}  // namespace gpuarr::host
