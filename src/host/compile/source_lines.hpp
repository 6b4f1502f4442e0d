// Which line of the source an instruction of a module comes from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuarr::host {

/// "k.cu:9" for each address, which is one behind a call, from the module's base; "an unknown
/// line" where that cannot be told. It is the innermost line of the user's: what is inlined from
/// this library's text is left out. Runs addr2line.
std::vector<std::string> source_lines(const std::string& image,
                                      const std::vector<uintptr_t>& addresses);

/// The line from what `addr2line -i` says of one address: a line for each function, innermost
/// first.
std::string innermost_line(std::string_view chain);

}  // namespace gpuarr::host
