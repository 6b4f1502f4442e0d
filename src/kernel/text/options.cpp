#include "kernel/text/options.hpp"

#include <string_view>

#include "core/error.hpp"
#include "core/settings.hpp"
#include "gpuarr/kernel.h"
#include "kernel/text/closed_text.hpp"
#include "kernel/text/signature.hpp"

namespace gpuarr {
namespace {

constexpr int all_checks = GPUARR_CHECK_MEMORY | GPUARR_CHECK_RACE | GPUARR_CHECK_SYNC;

}  // namespace

int checks_of_environment() {
  const auto list = setting("GPUARR_CHECK");
  return list ? *parse_checks(*list) & ~check_team : 0;
}

void KernelOptions::set_name(const char* value) {
  if (!is_identifier(value) || is_keyword(value))
    fail(GPUARR_ERR_ARGUMENT, "name is \"{}\"; a kernel's name is a C identifier and no keyword",
         value);
  name = value;
}

void KernelOptions::set_reduce_type(const char* value) {
  if (std::string_view(value).find_first_not_of(" \t\r\n") == std::string_view::npos)
    fail(GPUARR_ERR_ARGUMENT,
         "type is \"{}\"; give the name of a type, such as float64, or do not set it", value);
  reduce_type = value;
}

void KernelOptions::set_commutative(int32_t value) {
  if (value != 0 && value != 1) fail(GPUARR_ERR_ARGUMENT, "commutative is {}; give 1 or 0", value);
  commutative = value != 0;
}

void KernelOptions::set_checks(int32_t value) {
  if ((value & ~all_checks) != 0)
    fail(GPUARR_ERR_ARGUMENT, "checks is {}; add up GPUARR_CHECK_... constants", value);
  checks = value;
}

void KernelOptions::set_time_limit(double seconds) {
  if (!is_time_limit(seconds))
    fail(GPUARR_ERR_ARGUMENT, "seconds is {}; give 0 for no limit, or up to a year of them",
         seconds);
  time_limit = seconds;
}

void KernelOptions::add_instance(const char* expression) {
  if (std::string_view(expression).find_first_not_of(" \t\r\n") == std::string_view::npos)
    fail(GPUARR_ERR_ARGUMENT, "expression is \"{}\"; give a kernel, such as scale<float, 4>",
         expression);
  instances.emplace_back(expression);
}

void KernelOptions::add(const char* option) {
  if (*option == '\0') fail(GPUARR_ERR_ARGUMENT, "option is \"\"; give one, such as -DN=4");
  check_closed_option(option);
  compiler.emplace_back(option);
}

std::string take_defines(std::vector<std::string>& options) {
  std::string out;
  std::vector<std::string> rest;
  for (size_t k = 0; k < options.size(); ++k) {
    std::string option = options[k];
    bool defines = option.starts_with("-D");
    if (!defines && !option.starts_with("-U")) {
      rest.push_back(std::move(option));
      continue;
    }
    if (option.size() == 2 && k + 1 < options.size()) option += options[++k];
    size_t equals = option.find('=');
    std::string macro = option.substr(2, equals - 2);
    std::string name = macro.substr(0, macro.find('('));
    if (!is_identifier(name) || option.find('\n') != std::string::npos) {
      rest.push_back(std::move(option));  // the compiler says what is wrong
      continue;
    }
    out += formatted("#undef {}\n", name);
    if (defines)
      out += formatted("#define {} {}\n", macro,
                       equals == std::string::npos ? "1" : option.substr(equals + 1));
  }
  options = std::move(rest);
  return out;
}

}  // namespace gpuarr
