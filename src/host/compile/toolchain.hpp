// Which C++ compiler there is, and what it is told besides the user's options.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuarr::host {

struct Toolchain {
  enum class Family { gnu, clang };
  std::string path;  // by which it is started
  Family family = Family::gnu;
  std::vector<std::string> flags;  // in front of the user's options
  std::string identity;            // what compiled code depends on besides source and options
};

/// $GPUARR_CXX, else g++, clang++ or c++ in PATH. Fails with GPUARR_ERR_NO_COMPILER, which says
/// what was tried. Looked for once as long as the environment stays as it is.
Toolchain find_toolchain();

/// The file that a shell would start for a name; a name with a slash is the file.
std::optional<std::string> find_program(const std::string& name, std::string_view path);

/// First line of what the compiler says to --version.
std::string version_of(const std::string& compiler);

}  // namespace gpuarr::host
