// What targets have in common.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "targets.hpp"

namespace fuzz {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "it does not hold that %s\n", what);
  std::abort();
}

std::string_view take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace fuzz
