#include "core/settings.hpp"

#include <algorithm>
#include <charconv>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "gpuarr/kernel.h"

namespace gpuarr {
namespace {

constexpr double longest_seconds = 366 * 86400.0;
constexpr int most_threads = 1024;

// The number that a text begins with; `rest` is what follows it.
template <class Number>
std::optional<Number> leading(std::string_view text, std::string_view& rest) {
  Number number{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  rest = text.substr(static_cast<size_t>(end - text.data()));
  return number;
}

template <class Number>
std::optional<Number> whole(std::string_view text) {
  std::string_view rest;
  auto number = leading<Number>(text, rest);
  return rest.empty() ? number : std::nullopt;
}

bool anything(const std::string& /*value*/) { return true; }

bool is_switch(const std::string& value) { return value == "0" || value == "1"; }

bool is_memory_limit(const std::string& value) { return parse_bytes(value) || parse_part(value); }

bool is_allocator(const std::string& value) {
  return value == "pool" || value == "driver" || value == "managed" || value == "direct";
}

bool is_count(const std::string& value) { return whole<uint16_t>(value).has_value(); }

constexpr const char* left_to_run = "leave it to gpuarr run";
constexpr const char* its_file = "it should be the library's file";
constexpr const char* usual_places = "found in the usual places";

constexpr Setting table[] = {
    {"GPUARR_DEVICE", "the default device", "the first GPU, else the CPU",
     "it should be \"host\", \"cuda\" or \"cuda:N\"", anything},  // open_device() has its own error
    {"GPUARR_CXX", "the C++ compiler of the CPU device", "g++, else clang++, else c++, of PATH",
     "it should be a g++ or clang++", anything},
    {"GPUARR_COMPILE_TIMEOUT", "time limit of a compilation, in seconds", "300",
     "give seconds, as \"60\" or \"0.5\", or 0 for no limit",
     [](const std::string& value) { return parse_seconds(value).has_value(); }},
    {"GPUARR_NUM_THREADS", "threads of the CPU device", "the CPUs that the process may use",
     "give a whole number from 1 to 1024",
     [](const std::string& value) { return parse_threads(value).has_value(); }},
    {"GPUARR_CONTRACT", "0: kernels round each product before it is added to something", "1",
     "say 0 or 1", is_switch},
    {"GPUARR_HOST_ASYNC", "1: each stream of the CPU device runs on a thread of its own", "0",
     "say 0 or 1", is_switch},
    {"GPUARR_CACHE_DIR", "directory of the kernel cache",
     "$XDG_CACHE_HOME/gpuarr, else ~/.cache/gpuarr", "it should be a directory of your own",
     anything},
    {"GPUARR_CACHE_READ_ONLY_DIR", "a second cache that is read and never written", "none",
     "it should be a directory", anything},
    {"GPUARR_CACHE_SIZE", "size limit of the first one", "1GiB", "say \"512MiB\" or \"1GiB\"",
     [](const std::string& value) { return parse_bytes(value).has_value(); }},
    {"GPUARR_CACHE", "off: compiled kernels are kept in memory only", "on", "say \"off\" or \"on\"",
     [](const std::string& value) { return value == "off" || value == "on"; }},
    {"GPUARR_MEMORY_LIMIT", "limit of the memory of each device that the library holds", "no limit",
     "give bytes, as \"8GiB\" or \"512MiB\", a part of the device's memory, as \"50%\", or 0 for "
     "no limit",
     is_memory_limit},
    {"GPUARR_ALLOCATOR", "the default allocator of arrays", "pool",
     "say \"pool\", \"driver\", \"managed\" or \"direct\"", is_allocator},
    {"GPUARR_CHECK", "checks of running raw kernels, and of teams' calls", "nothing",
     "it is a list of memory, race, sync, team, such as memory,sync",
     [](const std::string& value) { return parse_checks(value).has_value(); }},
    {"GPUARR_LOG", "topics of the log, and its file", "warnings, on standard error",
     "it is a list of library, compile, cache, memory, fuse, or all, or off, and maybe :FILE, "
     "such as compile,cache:gpuarr.log",
     is_log_setting},
    {"GPUARR_OBJECTS", "track: finds double releases and leaks", "nothing is tracked",
     "it is \"track\" or \"track:FILE\"",
     [](const std::string& value) { return is_tracking(value); }},
    {"GPUARR_PROFILE", "1, or a file: report all kernels' costs at the end", "0",
     "it should be 0, 1 or a file", anything},
    {"GPUARR_SOURCE_DIR", "a directory for the sources of all kernels", "none",
     "it should be a directory", anything},
    {"GPUARR_TEXT", "closed: kernels' texts cannot read files", "open",
     "say \"open\" or \"closed\"",
     [](const std::string& value) { return value == "open" || value == "closed"; }},
    {"GPUARR_TIMEOUT", "how long a team's call waits for other processes, in seconds", "300",
     "give seconds, as \"60\" or \"0.5\", or 0 for no limit",
     [](const std::string& value) { return parse_seconds(value).has_value(); }},
    {"GPUARR_TEAM_TRANSPORT", "how elements go from GPU to GPU of a team",
     "NCCL where each place has a GPU of its own", "say \"nccl\" or \"staged\"",
     [](const std::string& value) { return value == "nccl" || value == "staged"; }},
    {"GPUARR_LIBCUDA", "CUDA's driver", usual_places, its_file, anything},
    {"GPUARR_NVRTC", "NVRTC, CUDA's compiler", usual_places, its_file, anything},
    {"GPUARR_CUBLAS", "cuBLAS", usual_places, its_file, anything},
    {"GPUARR_CUSOLVER", "cuSOLVER", usual_places, its_file, anything},
    {"GPUARR_NCCL", "NCCL", usual_places, its_file, anything},
    {"GPUARR_MPI_LIB", "MPI, where the process has none loaded", "what its launcher belongs to",
     its_file, anything},
    {"GPUARR_MPI_ABI", "which binary interface the loaded MPI has", "found out",
     "say \"openmpi\", \"mpich\" or \"standard\"",
     [](const std::string& value) {
       return value == "openmpi" || value == "mpich" || value == "standard";
     }},
    {"GPUARR_RUN_RANK", "number of this process among those of gpuarr run", "none was started so",
     left_to_run, is_count},
    {"GPUARR_RUN_SIZE", "how many processes gpuarr run started", "none", left_to_run, is_count},
    {"GPUARR_RUN_FDS", "descriptors of the sockets between them", "none", left_to_run, anything},
    {"GPUARR_BLAS", "the CPU's BLAS", "OpenBLAS, MKL, BLIS, or what the system has", its_file,
     anything},
    {"GPUARR_LAPACK", "the CPU's LAPACK", "the BLAS, else what the system has", its_file, anything},
};

}  // namespace

std::span<const Setting> settings() { return table; }

std::string setting_problem(const Setting& setting, const std::string& value) {
  if (setting.accepts(value)) return "";
  return formatted("${} is \"{}\"; {}", setting.name, value, setting.right);
}

std::optional<std::string> setting(std::string_view name) {
  const auto* row = std::ranges::find(table, name, &Setting::name);
  if (row == std::end(table)) fail(GPUARR_ERR_INTERNAL, "{} is not in the table of settings", name);
  auto value = env(row->name);
  if (!value) return value;
  if (std::string problem = setting_problem(*row, *value); !problem.empty())
    throw Error(GPUARR_ERR_ARGUMENT, std::move(problem));
  return value;
}

void warn_of_setting(std::string_view name) noexcept {
  try {
    setting(name);
  } catch (const Error& error) {
    warn(error.message());
  } catch (const std::exception&) {
    // No memory: who can fail will tell.
  }
}

void check_settings() {
  for (const Setting& row : table) setting(row.name);
}

std::optional<int64_t> parse_bytes(std::string_view text) {
  std::string_view unit;
  const auto number = leading<int64_t>(text, unit);
  if (!number || *number < 0) return std::nullopt;
  constexpr std::pair<std::string_view, int> units[] = {{"", 0},     {"B", 0},    {"KiB", 10},
                                                        {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  for (auto [name, shift] : units)
    if (unit == name) {
      int64_t bytes = 0;
      if (__builtin_mul_overflow(*number, int64_t{1} << shift, &bytes)) return std::nullopt;
      return bytes;
    }
  return std::nullopt;
}

std::optional<double> parse_part(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const auto percent = whole<double>(text.substr(0, text.size() - 1));
  if (!percent || !(*percent > 0 && *percent <= 100)) return std::nullopt;
  return *percent / 100;
}

std::optional<double> parse_seconds(std::string_view text) {
  const auto seconds = whole<double>(text);
  return seconds && is_time_limit(*seconds) ? seconds : std::nullopt;
}

bool is_time_limit(double seconds) noexcept { return seconds >= 0 && seconds <= longest_seconds; }

std::optional<int> parse_threads(std::string_view text) {
  const auto threads = whole<int>(text);
  if (!threads || *threads < 1 || *threads > most_threads) return std::nullopt;
  return threads;
}

std::optional<int> parse_checks(std::string_view text) {
  constexpr std::pair<std::string_view, int> names[] = {{"memory", GPUARR_CHECK_MEMORY},
                                                        {"race", GPUARR_CHECK_RACE},
                                                        {"sync", GPUARR_CHECK_SYNC},
                                                        {"team", check_team}};
  for (int checks = 0;;) {
    const size_t end = text.find(',');
    const auto* found =
        std::ranges::find(names, text.substr(0, end), &std::pair<std::string_view, int>::first);
    if (found == std::end(names)) return std::nullopt;
    checks |= found->second;
    if (end == std::string_view::npos) return checks;
    text.remove_prefix(end + 1);
  }
}

bool is_tracking(std::string_view text) noexcept {
  constexpr std::string_view to_file = "track:";
  return text == "track" || (text.starts_with(to_file) && text.size() > to_file.size());
}

}  // namespace gpuarr
