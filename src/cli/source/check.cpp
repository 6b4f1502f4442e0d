// gpuarr check: whether kernel files compile, told as compilers tell it.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/command_line.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"
#include "cli/base/interrupt.hpp"
#include "cli/base/objects.hpp"
#include "cli/base/progress.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

Module open_checked(const CommandLine& line, const std::string& path) {
  Options options;
  check(gpuarr_kernel_options_create(options.out()));
  for (const char* name : {"-D", "-I"})
    for (const std::string& value : line.list(name))
      check(gpuarr_kernel_options_add(options.get(), (name + value).c_str()));
  for (const std::string& option : line.list("--option"))
    check(gpuarr_kernel_options_add(options.get(), option.c_str()));
  for (const std::string& kernel : line.list("--kernel"))
    check(gpuarr_kernel_options_add_kernel(options.get(), kernel.c_str()));
  Module module;
  check(gpuarr_module_open(module.out(), path.c_str(), options.get()));
  return module;
}

std::vector<std::string> targets_of(const std::string& list) {
  std::vector<std::string> out;
  for (size_t at = 0; at <= list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, comma - at));
    if (out.back().empty())
      throw UsageError("--target is " + in_quotes(list) +
                       "; it is a list such as host,sm_90, without blanks");
    at = comma + 1;
  }
  return out;
}

// Takes a number that follows a word from the front of a text; nothing where it is not there.
std::optional<std::string> take_number(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  const size_t end = std::min(text.find_first_not_of("0123456789", word.size()), text.size());
  const std::string number(text.substr(word.size(), end - word.size()));
  if (number.empty()) return std::nullopt;
  text.remove_prefix(end);
  return number;
}

// "heat.cu, line 41, column 10: message" becomes "src/heat.cu:41:10: error: message [sm_90]"; what
// has no place stays as it is.
std::string as_compilers_say(std::string_view line, const std::string& path,
                             const std::string& target) {
  for (size_t at = line.rfind(", line "); at != 0 && at != line.npos;
       at = line.rfind(", line ", at - 1)) {
    std::string_view rest = line.substr(at);
    const auto number = take_number(rest, ", line ");
    const auto column = take_number(rest, ", column ");
    if (!number || !rest.starts_with(": ")) continue;
    const std::string_view file = line.substr(0, at);
    const bool same = file == std::string_view(path).substr(path.rfind('/') + 1);
    return (same ? path : std::string(file)) + ":" + *number + (column ? ":" + *column : "") +
           ": error: " + std::string(rest.substr(2)) + " [" + target + "]";
  }
  return std::string(line);
}

void print_as_compilers_do(const std::string& message, const std::string& path,
                           const std::string& target) {
  for (size_t begin = message.find('\n'); begin != message.npos;) {
    const size_t end = message.find('\n', ++begin);
    const std::string_view line = std::string_view(message).substr(begin, end - begin);
    std::fprintf(stderr, "%s\n", as_compilers_say(line, path, target).c_str());
    begin = end;
  }
}

// Whether the file is as it should be. Where a compiler is missing, there is nothing to say of it.
bool compiles(gpuarr_module* module, const std::string& path, const std::string& target) {
  HoldSignals for_a_moment(1);
  Progress progress;
  progress.show("compiling " + path + " for " + target);
  const gpuarr_status status = gpuarr_module_check(module, target.c_str());
  progress.clear();
  if (status == GPUARR_ERR_COMPILE) {
    print_as_compilers_do(gpuarr_last_error(), path, target);
    return false;
  }
  if (status == GPUARR_ERR_NO_COMPILER || status == GPUARR_ERR_NO_LIBRARY) {
    std::fprintf(stderr, "%s: not checked for %s: %s\n", path.c_str(), target.c_str(),
                 last_message().c_str());
    return true;
  }
  check(status);
  return true;
}

}  // namespace

void run_check(std::span<const std::string> words) {
  const OptionRule rules[] = {{"--target", Takes::value},
                              {"--kernel", Takes::attached},
                              {"-D", Takes::attached},
                              {"-I", Takes::attached},
                              {"--option", Takes::attached}};
  const CommandLine line(words, rules);
  if (line.positionals().empty()) throw UsageError("check needs kernel files, such as heat.cu");
  const auto targets = targets_of(line.value("--target").value_or("host,sm_90"));
  int64_t wrong = 0;
  for (const std::string& path : line.positionals()) {
    const Module module = open_checked(line, path);
    bool good = true;
    for (const std::string& target : targets) good = compiles(module.get(), path, target) && good;
    wrong += good ? 0 : 1;
  }
  if (wrong > 0)
    throw Failure(count_text(wrong, "file") + " of " + std::to_string(line.positionals().size()) +
                  (wrong == 1 ? " does" : " do") + " not compile");
}

}  // namespace cli
