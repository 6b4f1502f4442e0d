// What an editor needs to understand kernel files.
#pragma once

#include <string>

namespace cli {

/// Writes FOLDER/.clangd and FOLDER/.gpuarr/, so that clangd reads the .cu files below it without
/// CUDA. Throws a Failure where there is a .clangd that is not this command's.
void write_editor_files(const std::string& folder);

}  // namespace cli
