// Text as JSON has it.
#pragma once

#include <string>
#include <string_view>

namespace gpuarr {

/// In quotes, with what may not stand in them written otherwise.
std::string json_quoted(std::string_view text);

}  // namespace gpuarr
