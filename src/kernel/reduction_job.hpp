// One launch of a reduction that is laid out.
#pragma once

#include "kernel/reduction.hpp"

namespace gpuarr {

constexpr int most_partial_bytes = 64;  // only compilers know the size of a struct

struct Reduction::Job {
  Job(const Reduction& kernel, const Binding& bound, Device& on, Stage stage,
      const Piece& piece = everything());

  ReductionGeometry geometry(Function& function) const;

  const Binding& binding;
  Device& device;
  ReductionPlan plan;
  size_t bytes;  // of the parameters
};

}  // namespace gpuarr
