// gpuarr info: devices, compilers, the cache, settings.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/base/command_line.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"
#include "cli/base/text.hpp"
#include "cli/facts.hpp"
#include "cli/json.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

void row(const char* label, const std::string& value) {
  std::printf("  %-14s  %s\n", label, value.c_str());
}

void found_row(const char* label, const Found& found) {
  if (!found.problem.empty()) row(label, "none: " + found.problem);
  if (!found.what.empty()) row(label, found.what);
}

std::string capability_text(int64_t capability) {
  return std::to_string(capability / 10) + '.' + std::to_string(capability % 10);
}

void print_device(const DeviceFacts& device) {
  std::printf("\n%s\n", device.name.c_str());
  if (!device.problem.empty()) {
    row("problem", device.problem);
    return;
  }
  row("description", device.description);
  row("processors", std::to_string(device.processors));
  if (device.kind == GPUARR_DEVICE_CUDA)
    row("capability", capability_text(device.compute_capability));
  if (device.memory.problem.empty())
    row("memory", bytes_text(device.memory_free) + " free of " + bytes_text(device.memory_total));
  else
    row("memory", "unknown: " + device.memory.problem);
  found_row("compiler", device.compiler);
  found_row("driver", device.driver);
  found_row("BLAS", device.blas);
  found_row("solver", device.solver);
}

void print_cache(const CacheFacts& cache) {
  std::puts("\nkernel cache");
  row("directory", cache.directory.empty() ? "none" : cache.directory);
  row("entries", std::to_string(cache.entries));
  row("size", bytes_text(cache.bytes) + " of " + bytes_text(cache.limit));
  if (!cache.problem.empty()) row("problem", cache.problem);
}

void print_settings() {
  std::puts("\nsettings (* set by the environment)");
  for (const Setting& setting : settings()) {
    std::printf("%s %-27s  %s\n", setting.is_set ? " *" : "  ", setting.name.c_str(),
                setting.value.c_str());
    if (!setting.problem.empty()) std::printf("   refused: %s\n", setting.problem.c_str());
  }
  for (const std::string& text : unknown_settings())
    std::printf("   %s   (no setting of this version)\n", text.c_str());
}

void print_info() {
  Found chosen = default_device();
  std::printf("gpuarr %s\n", gpuarr_version());
  std::printf("default device: %s\n",
              chosen.problem.empty() ? chosen.what.c_str() : ("none: " + chosen.problem).c_str());
  for (const DeviceFacts& device : device_facts()) print_device(device);
  if (std::string reason = no_gpu_reason(); !reason.empty())
    std::printf("\ncuda\n  none: %s\n", reason.c_str());
  print_cache(cache_facts());
  print_settings();
}

Json device_json(const DeviceFacts& device) {
  if (!device.problem.empty()) return {{"name", device.name}, {"problem", device.problem}};
  bool is_gpu = device.kind == GPUARR_DEVICE_CUDA;
  return {{"name", device.name},
          {"kind", is_gpu ? "cuda" : "host"},
          {"description", device.description},
          {"processors", device.processors},
          {"compute_capability",
           is_gpu ? Json(capability_text(device.compute_capability)) : Json(nullptr)},
          {"memory_free", device.memory_free},
          {"memory_total", device.memory_total},
          {"memory_problem", or_null(device.memory.problem)},
          {"compiler", or_null(device.compiler.what)},
          {"compiler_problem", or_null(device.compiler.problem)},
          {"driver", or_null(device.driver.what)},
          {"driver_problem", or_null(device.driver.problem)},
          {"blas", or_null(device.blas.what)},
          {"blas_problem", or_null(device.blas.problem)},
          {"solver", or_null(device.solver.what)},
          {"solver_problem", or_null(device.solver.problem)},
          {"problem", nullptr}};
}

Json settings_json() {
  Json all = Json::object();
  for (const Setting& setting : settings())
    all[setting.name] = {{"value", setting.value},
                         {"origin", setting.is_set ? "environment" : "default"},
                         {"meaning", setting.meaning},
                         {"problem", or_null(setting.problem)}};
  return all;
}

void print_info_json() {
  Found chosen = default_device();
  Json devices = Json::array();
  for (const DeviceFacts& device : device_facts()) devices.push_back(device_json(device));
  print_json({{"version", gpuarr_version()},
              {"default_device", or_null(chosen.what)},
              {"default_device_problem", or_null(chosen.problem)},
              {"devices", std::move(devices)},
              {"cuda_problem", or_null(no_gpu_reason())},
              {"cache", cache_json(cache_facts())},
              {"settings", settings_json()},
              {"unknown_settings", unknown_settings()}});
}

}  // namespace

void run_info(std::span<const std::string> words) {
  constexpr OptionRule rules[] = {{"--json"}};
  CommandLine line(words, rules);
  if (!line.positionals().empty())
    throw UsageError("info takes no arguments: " + in_quotes(line.positionals()[0]));
  if (line.has("--json"))
    print_info_json();
  else
    print_info();
}

}  // namespace cli
