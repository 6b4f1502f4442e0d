// Kernels cut at their barriers, so that what is between two of them is a loop over threads (see
// split.md).
#pragma once

#include <string>

#include "host/split_plan.hpp"

namespace gpuarr::host {

struct Split {
  std::string text;    // of a function that does a whole block; empty if the kernel cannot be cut
  std::string reason;  // if it cannot
};

/// `kernel` is a definition in `parsed`. The function has the same template header and parameters,
/// and the name split_name() of the kernel's.
Split split_kernel(const Parsed& parsed, const Declaration& kernel, const SplitNames& names);

std::string split_name(std::string_view kernel);

}  // namespace gpuarr::host
