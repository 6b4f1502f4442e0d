#include "core/env.hpp"

#include <sys/auxv.h>

#include <cstdlib>

namespace gpuarr {

std::optional<std::string> env(const char* name) {
  return privileged() ? std::nullopt : given_env(name);
}

std::optional<std::string> given_env(const char* name) {
  const char* value = getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

bool privileged() noexcept { return getauxval(AT_SECURE) != 0; }

std::string program_path() { return env("PATH").value_or("/usr/local/bin:/usr/bin:/bin"); }

}  // namespace gpuarr
