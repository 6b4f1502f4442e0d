// Kernels cut at their barriers, so that what is between two of them is a loop over threads (see
// README.md).
#pragma once

#include <string>
#include <string_view>

#include "host/split/names.hpp"

namespace gpuarr::host {

/// A function that does a whole block, with the template header and the parameters of `kernel`, a
/// definition in `parsed`, and the name split_name() of its name. Empty if the kernel cannot be
/// cut.
std::string split_kernel(const Parsed& parsed, const Declaration& kernel, const SplitNames& names);

std::string split_name(std::string_view kernel);

}  // namespace gpuarr::host
