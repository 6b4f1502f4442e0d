// Settings of the environment.
#include <cstdlib>
#include <string>

#include "core/env.hpp"
#include "core/log.hpp"
#include "kernel/options.hpp"
#include "targets.hpp"

void fuzz::settings(std::string_view input) {
  if (const auto bytes = gpuarr::parse_bytes(input)) require(*bytes >= 0, "sizes are not negative");
  const std::string text(input.substr(0, input.find('\0')));
  setenv("GPUARR_CHECK", text.c_str(), 1);
  survive([] { gpuarr::checks_of_environment(); });
  if (text.find(':') == std::string::npos) survive([&] { gpuarr::set_log(text); });  // a file
  gpuarr::set_log("");
}
