// Where in the user's own line a message points to: preprocessing moves what stands in a line.
#pragma once

#include <string_view>
#include <vector>

#include "device/compile.hpp"

namespace gpuarr::host {

/// `compiled` is what the compiler saw, `text` what the user wrote, both with line marks. A column
/// is 0 where the lines differ before it, other than in blanks and comments, or are not found.
std::vector<Diagnostic> user_columns(std::vector<Diagnostic> diagnostics, std::string_view text,
                                     std::string_view compiled);

}  // namespace gpuarr::host
