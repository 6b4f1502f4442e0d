// gpuarr bench: the built-in benchmarks.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>

#include "cli/base/command_line.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/device.hpp"
#include "cli/base/error.hpp"
#include "cli/base/numbers.hpp"
#include "cli/base/text.hpp"
#include "cli/bench/report.hpp"

namespace cli {
namespace {

constexpr int64_t most_elements = int64_t{1} << 30;  // the raw kernels count with an int

int64_t number(const CommandLine& line, const char* option, int64_t otherwise, int64_t most) {
  const auto word = line.value(option);
  if (!word) return otherwise;
  const auto value = parse_number(*word);
  if (!value || *value < 1 || *value > most)
    throw UsageError(std::string(option) + " is " + in_quotes(*word) +
                     "; give a number from 1 to " + std::to_string(most));
  return *value;
}

// Three arrays in half of the memory that is free, at most.
int64_t largest(gpuarr_device* device, bool quick) {
  int64_t free = 0, total = 0;
  check(gpuarr_device_memory(&free, &total, device));
  const bool is_gpu = gpuarr_device_kind(device) == GPUARR_DEVICE_CUDA;
  const int64_t wanted = int64_t{1} << (quick ? 16 : is_gpu ? 28 : 24);
  return std::max<int64_t>(std::min(wanted, free / 2 / 12), 1024);
}

std::vector<int64_t> sizes_of(const CommandLine& line, gpuarr_device* device) {
  if (const auto words = line.value("--sizes")) {
    auto sizes = parse_numbers(*words);
    if (line.has("--max")) throw UsageError("--max and --sizes do not go together");
    if (!sizes || sizes->empty() || std::any_of(sizes->begin(), sizes->end(), [](int64_t n) {
          return n < 1 || n > most_elements;
        }))
      throw UsageError("--sizes is " + in_quotes(*words) +
                       "; give numbers of elements with commas in between, from 1 to " +
                       std::to_string(most_elements));
    std::sort(sizes->begin(), sizes->end());
    sizes->erase(std::unique(sizes->begin(), sizes->end()), sizes->end());
    return *sizes;
  }
  const bool quick = line.has("--quick");
  const int64_t most = number(line, "--max", largest(device, quick), most_elements);
  std::vector<int64_t> sizes;
  for (int64_t n = 1024; n <= most; n *= quick ? 8 : 4) sizes.push_back(n);
  if (sizes.empty()) sizes = {most};
  return sizes;
}

// Told before the work, which takes a while.
void check_writable(const std::optional<std::string>& path) {
  if (!path) return;
  const size_t slash = path->rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path->substr(0, slash + 1);
  const char* wanted = access(path->c_str(), F_OK) == 0 ? path->c_str() : directory.c_str();
  if (access(wanted, W_OK) != 0)
    throw Failure("cannot write " + *path + ": " + std::strerror(errno));
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Failure("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace

void run_bench(std::span<const std::string> words) {
  constexpr OptionRule rules[] = {{"--device", Takes::value},
                                  {"--sizes", Takes::value},
                                  {"--max", Takes::value},
                                  {"--repeat", Takes::value},
                                  {"--json", Takes::value},
                                  {"--svg", Takes::value},
                                  {"--quick"}};
  const CommandLine line(words, rules);
  if (!line.positionals().empty())
    throw UsageError("bench takes no arguments: " + in_quotes(line.positionals()[0]));
  const bool quick = line.has("--quick");
  BenchPlan plan;
  plan.repeats = number(line, "--repeat", quick ? 5 : 100, 1000000);
  if (quick) plan.seconds = 0.02;
  const auto json = line.value("--json"), svg = line.value("--svg");
  check_writable(json);
  check_writable(svg);
  plan.device = open_device(line.value("--device"));
  plan.sizes = sizes_of(line, plan.device);
  Progress progress;
  const std::vector<BenchResult> results = run_benchmarks(plan, progress);
  progress.clear();
  std::printf("%s: %s\n\n", gpuarr_device_name(plan.device),
              gpuarr_device_description(plan.device));
  std::fputs(bench_table(results).c_str(), stdout);
  if (json) write_file(*json, bench_json(results, plan));
  if (svg) write_file(*svg, bench_svg(results, plan));
}

}  // namespace cli
