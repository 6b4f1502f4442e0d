// The axes of a reduction on the command line.
#include "axes.hpp"

#include <charconv>

#include "error.hpp"
#include "text.hpp"

namespace cli {

Axes parse_axes(const std::string& text) {
  if (text == "all") return {};
  Axes axes = {false, {}};
  if (text.empty() || text == "none") return axes;
  const char* end = text.data() + text.size();
  for (const char* at = text.data();; ++at) {
    int32_t axis = 0;
    auto [rest, error] = std::from_chars(at, end, axis);
    if (error != std::errc() || (rest != end && *rest != ','))
      throw UsageError("--axis is " + quoted(text) +
                       "; it is \"all\", \"none\", or axes with commas in between, such as 0,-1");
    axes.list.push_back(axis);
    if (rest == end) return axes;
    at = rest;
  }
}

}  // namespace cli
