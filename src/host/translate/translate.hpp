// CUDA C++ to the C++ that the system's compiler takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuarr::host {

/// Part of every image's identity: to be raised when the same text is translated otherwise.
constexpr int translation_version = 3;

enum class Purpose { plain, speed, checks };

struct Translation {
  std::string text;
  bool is_split = false;  // some kernel is
};

/// `preprocessed` has line marks; what comes out stands behind the environment and the glue, has
/// the same lines, and ends with the table that the module shows to the library. Templates are
/// instantiated as `instances` name them. For speed it cuts kernels at their barriers
/// (split/README.md): text with such may fail to compile where that without does. For checks all
/// kernels run as fibers, and there are gaps between variables. Throws CompileError for constructs
/// that do not run on a CPU.
Translation translate(std::string_view preprocessed, const std::vector<std::string>& instances,
                      Purpose purpose = Purpose::plain);

}  // namespace gpuarr::host
