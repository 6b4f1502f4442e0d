// Kernel files as a header of C and C++.
#pragma once

#include <span>
#include <string>

#include "cli/source/kernel_file.hpp"

namespace cli {

/// The name that a program has the text by: heat_cu for heat.cu.
std::string variable_name(const std::string& file);

/// A string for each file, by that name. `header` is the name of the header's own file.
std::string header_text(std::span<const KernelFile> files, const std::string& header);

}  // namespace cli
