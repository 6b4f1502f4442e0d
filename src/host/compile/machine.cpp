#include "host/compile/machine.hpp"

#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string_view>

#include "core/text.hpp"

namespace gpuarr::host {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The first value of "key : value" in a file such as /proc/cpuinfo; "" if it is not there.
std::string field(const char* path, std::string_view key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || trimmed(line.substr(0, colon)) != key) continue;
    return std::string(trimmed(std::string_view(line).substr(colon + 1)));
  }
  return "";
}

constexpr const char* cpuinfo = "/proc/cpuinfo";

}  // namespace

std::string architecture() {
  utsname names{};
  return uname(&names) == 0 ? names.machine : "unknown";
}

std::string cpu_model() {
  std::string model = field(cpuinfo, "model name");
  return model.empty() ? architecture() + " CPU" : model;
}

std::string cpu_features() {
  std::string out = architecture();
  for (const char* key : {"vendor_id", "cpu family", "model", "stepping", "CPU implementer",
                          "CPU part", "flags", "Features"})
    if (std::string value = field(cpuinfo, key); !value.empty())
      out += formatted("; {} {}", key, value);
  return out;
}

int64_t last_cache_bytes() {
  for (int level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const int64_t bytes = sysconf(level); bytes > 0) return bytes;
  return 0;
}

DeviceMemory machine_memory() {
  struct sysinfo info = {};
  if (sysinfo(&info) != 0) return {};
  DeviceMemory memory{static_cast<int64_t>(info.freeram) * info.mem_unit,
                      static_cast<int64_t>(info.totalram) * info.mem_unit};
  // The kernel gives up its file cache when it must; "123456 kB" is with that.
  if (const std::string available = field("/proc/meminfo", "MemAvailable"); !available.empty())
    memory.free = std::strtoll(available.c_str(), nullptr, 10) * 1024;
  return memory;
}

int64_t largest_block() {
  struct sysinfo info = {};
  if (sysinfo(&info) != 0) return INT64_MAX;
  return static_cast<int64_t>(info.totalram + info.totalswap) * info.mem_unit;
}

}  // namespace gpuarr::host
