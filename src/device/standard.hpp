// The version of C++ that kernels are compiled as.
#pragma once

#include <string>
#include <vector>

namespace gpuarr {

/// An option that asks for an older C++ than 17 as one that asks for 17: what stands before kernels
/// is written in that, and what is between the two changed nothing that kernels notice.
std::string at_least_17(const std::string& option);
std::vector<std::string> at_least_17(std::vector<std::string> options);

}  // namespace gpuarr
