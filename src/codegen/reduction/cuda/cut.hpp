// How reductions are cut into blocks on a GPU.
#pragma once

#include "codegen/reduction/parameters.hpp"

namespace gpuarr {

/// `resident` blocks run on the device side by side. Sets what the blocks need to know.
void cut_for_cuda(const ReductionPlan& plan, int64_t resident, ReductionGeometry& geometry);

}  // namespace gpuarr
