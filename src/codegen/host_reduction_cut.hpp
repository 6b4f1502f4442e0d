// How the CPU cuts a reduction: by its shape and layout alone, so that any number of threads
// computes the same bits.
#pragma once

#include "codegen/reduction_parameters.hpp"

namespace gpuarr {

/// Most results of a tile.
int host_tile(const ReductionPlan& plan);

/// Of a reduction of inputs.
void cut_for_host(const ReductionPlan& plan, ReductionGeometry& geometry);

}  // namespace gpuarr
