// gpuarr run: several processes of one program on this machine.
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "cli/base/command_line.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"
#include "cli/base/numbers.hpp"
#include "cli/base/text.hpp"
#include "cli/processes.hpp"
#include "cli/usage.hpp"

namespace cli {
namespace {

constexpr int64_t most_processes = 256;

constexpr OptionRule rules[] = {
    {"-n", Takes::value}, {"--gpus", Takes::nothing}, {"--help"}, {"-h"}};

// How many words before the program are the command's own.
size_t own_words(std::span<const std::string> words) {
  size_t at = 0;
  while (at < words.size() && words[at].starts_with('-') && words[at] != "--")
    at += words[at] == "-n" ? 2 : 1;
  return std::min(at, words.size());
}

int64_t gpus() {
  const char* wanted = std::getenv("GPUARR_DEVICE");
  if (wanted != nullptr && std::string(wanted) == "host") return 0;
  int32_t count = 0;
  check(gpuarr_device_count(&count, GPUARR_DEVICE_CUDA));
  return count;
}

// Threads that the CPU device would have by itself.
int64_t cpus() {
  gpuarr_device* host = nullptr;
  int64_t count = 0;
  check(gpuarr_device_open(&host, "host"));
  check(gpuarr_device_attribute(&count, host, GPUARR_DEVICE_PROCESSORS));
  return count;
}

bool may_use(int cpu) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) != 0 || (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &set));
}

// Whether a node has one of the CPUs that the process may use: "0-3,8-11".
bool is_ours(const std::string& list) {
  const char* at = list.c_str();
  for (int first = 0, last = 0, length = 0; std::sscanf(at, "%d%n", &first, &length) == 1;) {
    at += length;
    last = first;
    if (*at == '-' && std::sscanf(at, "-%d%n", &last, &length) == 1) at += length;
    for (int cpu = first; cpu <= last; ++cpu)
      if (may_use(cpu)) return true;
    if (*at == ',') ++at;
  }
  return false;
}

// NUMA nodes: processes that share none do not wait for each other's memory.
int64_t nodes() {
  int64_t count = 0;
  for (int node = 0; node < 1024; ++node) {
    std::ifstream file("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
    std::string list;
    if (std::getline(file, list) && is_ours(list)) ++count;
  }
  return std::max<int64_t>(count, 1);
}

int64_t wanted_count(const CommandLine& line) {
  const auto given = line.value("-n");
  if (given && line.has("--gpus")) throw UsageError("-n and --gpus both say how many processes");
  if (given) {
    const auto count = parse_number(*given);
    if (!count || *count < 1 || *count > most_processes)
      throw UsageError("-n " + *given + ": give the number of processes, 1 to " +
                       std::to_string(most_processes));
    return *count;
  }
  const int64_t count = gpus();
  if (count == 0 && line.has("--gpus")) throw Failure("there is no GPU here");
  return count > 0 ? count : nodes();
}

std::vector<int> share(int64_t cpus, int64_t count) {
  std::vector<int> out;
  for (int64_t k = 0; k < count; ++k)
    out.push_back(static_cast<int>(std::max<int64_t>(cpus / count + (k < cpus % count), 1)));
  return out;
}

}  // namespace

void run_run(std::span<const std::string> words) {
  const size_t own = own_words(words);
  const CommandLine line(words.first(own), rules);
  if (line.has("--help") || line.has("-h")) {
    std::fputs(run_usage, stdout);
    return;
  }
  std::span<const std::string> program = words.subspan(own);
  if (!program.empty() && program[0] == "--") program = program.subspan(1);
  if (program.empty()) throw UsageError("run needs a program");
  hold_signals();
  const int64_t count = wanted_count(line);
  const Ended ended = run_processes({program.begin(), program.end()}, static_cast<int>(count),
                                    count > 1 ? share(cpus(), count) : std::vector<int>());
  if (ended.rank < 0) return;
  const std::string how = ended.by_signal ? "signal " + std::to_string(ended.status) + " (" +
                                                strsignal(ended.status) + ")"
                                          : "exit status " + std::to_string(ended.status);
  throw Failure("process " + std::to_string(ended.rank) + " of " + std::to_string(count) +
                    " ended with " + how + (count > 1 ? "; the others were ended" : ""),
                ended.by_signal ? 128 + ended.status : ended.status);
}

}  // namespace cli
