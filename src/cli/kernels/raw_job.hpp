// What "gpuarr raw" is asked to do.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/kernels/raw_arguments.hpp"

namespace cli {

using Dims = std::array<int64_t, 3>;

enum class Show { nothing, kernels, signature, ptx, assembly };

struct RawJob {
  std::string file;
  std::string kernel;  // "" if none is needed
  std::vector<RawArgument> arguments;
  std::optional<int64_t> elements;  // else grid and block
  Dims grid = {1, 1, 1};
  Dims block = {1, 1, 1};
  int64_t shared = 0;
  int32_t checks = 0;
  std::vector<std::string> options;
  std::optional<std::string> device;
  bool time = false;
  Show show = Show::nothing;
};

/// Takes the words after the command's name.
RawJob parse_raw(std::span<const std::string> words);

}  // namespace cli
