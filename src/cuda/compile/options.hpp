// The options that NVRTC gets.
#pragma once

#include <string>
#include <vector>

#include "cuda/compile/nvrtc.hpp"
#include "device/compile.hpp"

namespace gpuarr::cuda {

bool has_include(const std::string& text);

/// The user's options as they are, and of ours those that the user did not give himself.
/// `directory`: where the text's own files are; "" for none.
std::vector<std::string> options_for(const Nvrtc& nvrtc, const Source& source,
                                     const std::string& architecture, const std::string& directory);

}  // namespace gpuarr::cuda
