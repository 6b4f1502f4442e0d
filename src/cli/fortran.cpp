// gpuarr fortran: runs the translator, which is Python and stands beside the Fortran sources.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

// Beside the command: as it is installed, or in a build.
fs::path translator() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path below = fs::path("share/gpuarr/fortran/translate") / "translate.py";
  for (const fs::path& top : {folder.parent_path(), folder})
    if (fs::exists(top / below, error)) return top / below;
  throw Failure(
      "the translator of Fortran is not installed: " + (folder.parent_path() / below).string() +
      " is not there; install the library with its bindings");
}

}  // namespace

void run_fortran(std::span<const std::string> words) {
  if (words.empty()) throw UsageError("fortran needs a file");
  const std::string script = translator().string();
  std::vector<std::string> texts = {"python3", script};
  texts.insert(texts.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  arguments.reserve(texts.size() + 1);
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  std::fflush(stdout);
  execvp("python3", arguments.data());
  throw Failure(std::string("cannot run python3, which translates Fortran: ") +
                std::strerror(errno));
}

}  // namespace cli
