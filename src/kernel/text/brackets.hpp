// What is not closed, or not opened, in a piece of C++: compilers complain of it in the text
// behind.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuarr {

struct BracketFault {
  size_t at;  // in the text
  std::string message;
};

/// The first bracket or comment that is not balanced. None where #if may leave text out.
std::optional<BracketFault> find_unbalanced(std::string_view text);

}  // namespace gpuarr
