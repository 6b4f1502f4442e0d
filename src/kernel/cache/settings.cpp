#include "kernel/cache/settings.hpp"

#include <pwd.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "core/env.hpp"
#include "core/settings.hpp"

namespace gpuarr {
namespace {

// Of this process, whose working directory may change.
std::string absolute(const std::string& path) {
  std::error_code error;
  std::filesystem::path result = std::filesystem::absolute(path, error);
  return error ? path : result.lexically_normal().string();
}

std::string home() {
  auto set = env("HOME");
  if (set && set->front() == '/') return *set;
  std::vector<char> buffer(16384);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0) return "";
  if (found == nullptr || found->pw_dir == nullptr || found->pw_dir[0] != '/') return "";
  return found->pw_dir;
}

std::string default_directory() {
  if (auto set = setting("GPUARR_CACHE_DIR")) return absolute(*set);
  auto xdg = env("XDG_CACHE_HOME");
  if (xdg && xdg->front() == '/') return *xdg + "/gpuarr";  // others are to be ignored, it says
  std::string its_home = home();
  return its_home.empty() ? "" : its_home + "/.cache/gpuarr";
}

}  // namespace

CacheSettings cache_settings() {
  CacheSettings settings;
  if (privileged()) {
    settings.problem =
        "this program runs with raised privileges, so kernels are kept in memory only; run it "
        "without them";
    return settings;
  }
  const auto size = setting("GPUARR_CACHE_SIZE");
  if (setting("GPUARR_CACHE") == "off") return settings;
  if (size) settings.limit = *parse_bytes(*size);
  settings.directory = default_directory();
  if (settings.directory.empty())
    settings.problem =
        "no home directory is known, so kernels are kept in memory only; set GPUARR_CACHE_DIR";
  if (auto set = setting("GPUARR_CACHE_READ_ONLY_DIR"))
    settings.read_only_directory = absolute(*set);
  return settings;
}

}  // namespace gpuarr
