// Settings of the environment.
#include "core/settings.hpp"

#include <string>

#include "core/log.hpp"
#include "targets.hpp"

void fuzz::settings(std::string_view input) {
  const std::string text(input.substr(0, input.find('\0')));
  for (const gpuarr::Setting& setting : gpuarr::settings())
    require(setting_problem(setting, text).empty() == setting.accepts(text), "refused with a word");
  if (const auto bytes = gpuarr::parse_bytes(text)) require(*bytes >= 0, "sizes are not negative");
  if (text.find(':') == std::string::npos) survive([&] { gpuarr::set_log(text); });  // a file
  gpuarr::set_log("");
}
