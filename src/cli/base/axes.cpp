// The axes of a reduction on the command line.
#include "cli/base/axes.hpp"

#include "cli/base/command_line.hpp"
#include "cli/base/error.hpp"
#include "cli/base/numbers.hpp"
#include "cli/base/text.hpp"

namespace cli {

Axes parse_axes(const CommandLine& line) {
  const auto text = line.value("--axis");
  if (!text || *text == "all") return {};
  Axes axes = {false, {}};
  if (*text == "none") return axes;
  auto numbers = parse_numbers(*text);
  bool good = numbers.has_value();
  if (good)
    for (int64_t axis : *numbers) {
      good = good && axis == static_cast<int32_t>(axis);
      axes.list.push_back(static_cast<int32_t>(axis));
    }
  if (good) return axes;
  throw UsageError("--axis is " + in_quotes(*text) +
                   "; it is \"all\", \"none\", or axes with commas in between, such as 0,-1");
}

}  // namespace cli
