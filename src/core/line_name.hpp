// Files' names in directives.
#pragma once

#include <string>
#include <string_view>

namespace gpuarr {

/// A file's name as a #line directive has it, in quotes; a line's end in it becomes a blank.
std::string line_name(std::string_view file);

}  // namespace gpuarr
