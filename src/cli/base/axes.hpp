// The axes of a reduction on the command line: "all", "none", "0,-1".
#pragma once

#include <cstdint>
#include <vector>

#include "gpuarr.h"

namespace cli {

class CommandLine;

struct Axes {
  bool all = true;
  std::vector<int32_t> list;  // where they are not all

  /// Never NULL for a list without entries, which would stand for all.
  const int32_t* data() const {
    static constexpr int32_t none = 0;
    return list.empty() && !all ? &none : list.data();
  }
  int32_t count() const { return all ? GPUARR_ALL_AXES : static_cast<int32_t>(list.size()); }
};

/// What --axis says, else all of them. Throws a UsageError for what is no list of axes; whether
/// arrays have them the library says.
Axes parse_axes(const CommandLine& line);

}  // namespace cli
