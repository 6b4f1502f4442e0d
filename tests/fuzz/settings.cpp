// Settings of the environment.
#include "core/settings.hpp"

#include <cstdlib>
#include <string>

#include "core/log.hpp"
#include "gpuarr/kernel.h"
#include "targets.hpp"

namespace {

// As the environment has it: either a value is accepted, or who asks for it is told.
void ask(const gpuarr::Setting& setting, const std::string& text) {
  using fuzz::require;
  std::string line = std::string(setting.name) + '=' + text;
  ::putenv(line.data());  // setenv keeps all values that there ever were
  bool accepted = false;
  fuzz::survive([&] {
    const auto value = gpuarr::setting(setting.name);
    accepted = true;
    require(!value || *value == text, "a value is the one that was set");
  });
  require(accepted == (text.empty() || setting.accepts(text)), "what is refused is an error");
  ::unsetenv(setting.name);
}

void parse(const std::string& text) {
  using fuzz::require;
  if (const auto bytes = gpuarr::parse_bytes(text)) require(*bytes >= 0, "sizes are not negative");
  if (const auto part = gpuarr::parse_part(text)) require(*part > 0 && *part <= 1, "it is a part");
  if (const auto seconds = gpuarr::parse_seconds(text))
    require(gpuarr::is_time_limit(*seconds), "a time is a limit");
  if (const auto threads = gpuarr::parse_threads(text))
    require(*threads >= 1 && *threads <= 1024, "there are threads");
  if (const auto checks = gpuarr::parse_checks(text))
    require((*checks & ~(GPUARR_CHECK_MEMORY | GPUARR_CHECK_RACE | GPUARR_CHECK_SYNC)) == 0,
            "checks are known");
}

}  // namespace

void fuzz::settings(std::string_view input) {
  const std::string text(input.substr(0, input.find('\0')));
  for (const gpuarr::Setting& setting : gpuarr::settings()) ask(setting, text);
  parse(text);
  if (text.find(':') == std::string::npos) survive([&] { gpuarr::set_log(text); });  // a file
  gpuarr::set_log("");
}
