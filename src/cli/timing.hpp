// Times a kernel by running it many times.
#pragma once

#include <vector>

#include "operands.hpp"

namespace cli {

struct Timing {
  double median = 0;  // milliseconds
  double best = 0;
  size_t runs = 0;
};

/// Needs operands that were called once: it compiled the kernel and made the outputs. Arrays that
/// are worked on in place are set back to `originals`, in the order of in_place(), before each run.
Timing time_kernel(const Kernel& kernel, const Operands& operands,
                   const std::vector<Array>& originals, gpuarr_stream* stream);

}  // namespace cli
