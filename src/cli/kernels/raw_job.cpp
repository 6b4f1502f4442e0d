// What "gpuarr raw" is asked to do.
#include "cli/kernels/raw_job.hpp"

#include <algorithm>

#include "cli/base/command_line.hpp"
#include "cli/base/error.hpp"
#include "cli/base/numbers.hpp"
#include "cli/base/text.hpp"

namespace cli {
namespace {

std::vector<OptionRule> raw_rules() {
  return {{"--grid", Takes::value},
          {"--block", Takes::value},
          {"--shared", Takes::value},
          {"--check", Takes::value},
          {"--elements", Takes::value},
          {"--device", Takes::value},
          {"--time"},
          {"--list"},
          {"--signature"},
          {"--listing", Takes::value},
          {"-D", Takes::attached},
          {"-I", Takes::attached},
          {"--option", Takes::attached}};
}

Dims parse_dims(const CommandLine& line, const std::string& option) {
  const std::string text = line.value(option).value();
  auto numbers = parse_numbers(text);
  if (!numbers || numbers->empty() || numbers->size() > 3)
    throw UsageError(option + " is " + in_quotes(text) +
                     "; it is up to three numbers with commas in between, such as 64 or 16,16");
  numbers->resize(3, 1);
  return {(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

int32_t parse_checks(const std::string& list) {
  int32_t checks = 0;
  for (size_t at = 0; at <= list.size();) {
    size_t comma = std::min(list.find(',', at), list.size());
    std::string name = list.substr(at, comma - at);
    int32_t check = name == "memory" ? GPUARR_CHECK_MEMORY
                    : name == "race" ? GPUARR_CHECK_RACE
                    : name == "sync" ? GPUARR_CHECK_SYNC
                                     : 0;
    if (check == 0)
      throw UsageError("--check has " + in_quotes(name) +
                       "; it is a list of memory, race and sync");
    checks |= check;
    at = comma + 1;
  }
  return checks;
}

Show parse_show(const CommandLine& line) {
  int given = (line.has("--list") ? 1 : 0) + (line.has("--signature") ? 1 : 0) +
              (line.has("--listing") ? 1 : 0);
  if (given > 1) throw UsageError("give one of --list, --signature and --listing");
  if (given > 0 && line.has("--time"))
    throw UsageError("--list, --signature and --listing run nothing that --time could measure");
  if (line.has("--list")) return Show::kernels;
  if (line.has("--signature")) return Show::signature;
  const auto listing = line.value("--listing");
  if (!listing) return Show::nothing;
  if (*listing == "ptx") return Show::ptx;
  if (*listing == "assembly") return Show::assembly;
  throw UsageError("--listing is " + in_quotes(*listing) + "; it is ptx or assembly");
}

void parse_launch(RawJob& job, const CommandLine& line) {
  bool grid = line.has("--grid"), block = line.has("--block");
  if (line.has("--elements")) {
    if (grid || block || line.has("--shared"))
      throw UsageError("--elements takes no --grid, --block or --shared beside it");
    job.elements = parse_count(line, "--elements", "elements");
    return;
  }
  if (!grid || !block) throw UsageError("raw needs --grid and --block, or --elements");
  job.grid = parse_dims(line, "--grid");
  job.block = parse_dims(line, "--block");
  job.shared = parse_count(line, "--shared", "bytes").value_or(0);
}

void check_files(const std::vector<RawArgument>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (!arguments[i].save.empty() && arguments[i].save == arguments[j].save)
        throw UsageError(in_quotes(arguments[i].save) + " is named for two outputs");
}

}  // namespace

RawJob parse_raw(std::span<const std::string> words) {
  CommandLine line(words, raw_rules());
  RawJob job;
  job.show = parse_show(line);
  const std::vector<std::string>& given = line.positionals();
  bool of_module = job.show != Show::nothing && job.show != Show::signature;
  if (given.empty() || (given.size() < 2 && !of_module))
    throw UsageError(of_module ? "raw needs FILE" : "raw needs FILE and KERNEL");
  job.file = given[0];
  if (given.size() > 1) job.kernel = given[1];
  for (size_t i = 2; i < given.size(); ++i) job.arguments.push_back(parse_raw_argument(given[i]));
  check_files(job.arguments);
  if (job.show == Show::nothing) parse_launch(job, line);
  if (const auto list = line.value("--check")) job.checks = parse_checks(*list);
  for (const std::string& macro : line.list("-D")) job.options.push_back("-D" + macro);
  for (const std::string& folder : line.list("-I")) job.options.push_back("-I" + folder);
  for (const std::string& option : line.list("--option")) job.options.push_back(option);
  job.device = line.value("--device");
  job.time = line.has("--time");
  return job;
}

}  // namespace cli
