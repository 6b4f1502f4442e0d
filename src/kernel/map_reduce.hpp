// The texts of reductions and scans.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "kernel/options.hpp"
#include "kernel/signature.hpp"

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

inline bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n;") == std::string::npos;
}

inline void check_expression(const char* argument, const std::string& text) {
  if (is_blank(text)) fail(GPUARR_ERR_ARGUMENT, "{} is \"{}\"; give an expression", argument, text);
}

/// An empty post leaves the value as it is.
inline std::string post_or_identity(const std::string& post,
                                    const std::vector<Parameter>& outputs) {
  return is_blank(post) && outputs.size() == 1 ? outputs[0].name + " = a" : post;
}

/// `kind`: "a reduction", say.
inline void check_texts(const MapReduceSpec& spec, const KernelOptions& options, size_t outputs,
                        const char* kind) {
  check_expression("map", spec.map);
  check_expression("reduce", spec.reduce);
  if (is_blank(spec.post) && outputs > 1)
    fail(GPUARR_ERR_ARGUMENT, "post is \"{}\", which sets a single output, and there are {}",
         spec.post, outputs);
  if (spec.identity) check_expression("identity", *spec.identity);
  if (!options.loop_prep.empty() || !options.after_loop.empty())
    fail(GPUARR_ERR_ARGUMENT, "options has a loop_prep or an after_loop; {} has no place for them",
         kind);
}

}  // namespace gpuarr
