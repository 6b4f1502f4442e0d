// The texts of reductions and scans.
#pragma once

#include <optional>
#include <string>

#include "core/error.hpp"
#include "kernel/options.hpp"

namespace gpuarr {

/// The user's texts, as given.
struct MapReduceSpec {
  std::string in_params;
  std::string out_params;
  std::string map;
  std::string reduce;
  std::string post;
  std::optional<std::string> identity;
};

inline void check_expression(const char* argument, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n;") == std::string::npos)
    fail(GPUARR_ERR_ARGUMENT, "{} is \"{}\"; give an expression", argument, text);
}

/// `kind`: "a reduction", say.
inline void check_texts(const MapReduceSpec& spec, const KernelOptions& options, const char* kind) {
  check_expression("map", spec.map);
  check_expression("reduce", spec.reduce);
  check_expression("post", spec.post);
  if (spec.identity) check_expression("identity", *spec.identity);
  if (!options.loop_prep.empty() || !options.after_loop.empty())
    fail(GPUARR_ERR_ARGUMENT, "options has a loop_prep or an after_loop; {} has no place for them",
         kind);
}

}  // namespace gpuarr
