// Cuts those kernels of a module that can be cut.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace gpuarr::host {

struct SplitModule {
  std::string text;                         // with a function behind each kernel that could be cut
  std::unordered_set<std::string> kernels;  // "ns::sum"
};

/// `translated` is complete but for the table.
SplitModule split_module(const std::string& translated);

/// "::ns::sum<float>" to the function that does a whole block of it.
std::string split_expression(std::string_view instance);

}  // namespace gpuarr::host
