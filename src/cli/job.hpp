// What `gpuarr elementwise` is asked to do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpuarr.h"

namespace cli {

struct Job {
  std::string in_params;
  std::string out_params;
  std::string body;
  std::vector<std::string> arguments;
  std::vector<std::optional<gpuarr_arg>> scalars;  // of the arguments; nothing for a file
  std::vector<std::string> outputs;                // files
  std::optional<std::string> preamble;
  std::optional<std::string> device;
  int64_t size = GPUARR_NO_SIZE;
  bool time = false;
  bool show_source = false;
};

/// Reads the words after "elementwise".
Job parse_job(std::span<const std::string> words);

struct Parameter {
  std::string name;
  bool raw = false;
};

/// The parameters of a list that the library has taken.
std::vector<Parameter> parameters(const std::string& list);

/// Checks that there is an argument and a file for each parameter, and a size where it is needed,
/// before any work is done.
void check_counts(const Job& job);

}  // namespace cli
