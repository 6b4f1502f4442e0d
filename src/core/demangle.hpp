// C++'s symbols as people write them.
#pragma once

#include <string>

namespace gpuarr {

/// "scale(float*)" of "_Z5scalePf"; "" if it is no mangled name. Names that are none may look like
/// mangled types to the C++ runtime: "f" is float to it.
std::string demangled(const std::string& symbol);

}  // namespace gpuarr
