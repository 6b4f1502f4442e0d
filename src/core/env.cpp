#include "core/env.hpp"

#include <sys/auxv.h>

#include <charconv>
#include <cstdlib>

namespace gpuarr {

std::optional<std::string> env(const char* name) {
  const char* value = secure_getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

bool privileged() noexcept { return getauxval(AT_SECURE) != 0; }

std::string program_path() { return env("PATH").value_or("/usr/local/bin:/usr/bin:/bin"); }

std::optional<int64_t> parse_bytes(std::string_view text) {
  int64_t number = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  std::string_view unit(rest, static_cast<size_t>(text.data() + text.size() - rest));
  constexpr std::pair<std::string_view, int> units[] = {{"", 0},     {"B", 0},    {"KiB", 10},
                                                        {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  for (auto [name, shift] : units)
    if (unit == name) {
      int64_t bytes = 0;
      if (__builtin_mul_overflow(number, int64_t{1} << shift, &bytes)) return std::nullopt;
      return bytes;
    }
  return std::nullopt;
}

}  // namespace gpuarr
