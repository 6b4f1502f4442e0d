// What there is to say about the machine, the cache and the settings.
#include "cli/facts.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "cli/base/error.hpp"

namespace cli {
namespace {

template <gpuarr_status (*ask)(const char**, gpuarr_device*)>
Found found(gpuarr_device* device) {
  const char* what = nullptr;
  if (ask(&what, device) != GPUARR_OK) return {"", last_message()};
  return {what, ""};
}

int64_t attribute(const gpuarr_device* device, int32_t which) {
  int64_t value = 0;
  check(gpuarr_device_attribute(&value, device, which));
  return value;
}

DeviceFacts facts_of(const std::string& name) {
  DeviceFacts facts;
  facts.name = name;
  gpuarr_device* device = nullptr;
  if (gpuarr_device_open(&device, name.c_str()) != GPUARR_OK) {
    facts.problem = last_message();
    return facts;
  }
  facts.description = gpuarr_device_description(device);
  facts.kind = gpuarr_device_kind(device);
  facts.processors = attribute(device, GPUARR_DEVICE_PROCESSORS);
  facts.compute_capability = attribute(device, GPUARR_DEVICE_COMPUTE_CAPABILITY);
  if (gpuarr_device_memory(&facts.memory_free, &facts.memory_total, device) != GPUARR_OK)
    facts.memory.problem = last_message();
  facts.compiler = found<gpuarr_device_compiler>(device);
  facts.driver = found<gpuarr_device_driver>(device);
  facts.blas = found<gpuarr_device_blas>(device);
  facts.solver = found<gpuarr_device_solver>(device);
  return facts;
}

int64_t statistic(int32_t which) {
  int64_t value = 0;
  check(gpuarr_cache_statistic(&value, which));
  return value;
}

}  // namespace

std::vector<DeviceFacts> device_facts() {
  std::vector<DeviceFacts> all = {facts_of("host")};
  int32_t gpus = 0;
  check(gpuarr_device_count(&gpus, GPUARR_DEVICE_CUDA));
  for (int32_t i = 0; i < gpus; ++i) all.push_back(facts_of("cuda:" + std::to_string(i)));
  return all;
}

std::string no_gpu_reason() {
  int32_t gpus = 0;
  check(gpuarr_device_count(&gpus, GPUARR_DEVICE_CUDA));
  gpuarr_device* device = nullptr;
  bool there = gpus > 0 || gpuarr_device_open(&device, "cuda") == GPUARR_OK;
  return there ? "" : last_message();
}

Found default_device() {
  gpuarr_device* device = nullptr;
  if (gpuarr_device_open(&device, nullptr) != GPUARR_OK) return {"", last_message()};
  return {gpuarr_device_name(device), ""};
}

CacheFacts cache_facts() {
  CacheFacts facts;
  facts.problem = gpuarr_cache_problem();
  facts.directory = gpuarr_cache_directory();
  int64_t ignored = 0;  // it fails where a setting is none, which is then the problem
  if (gpuarr_cache_statistic(&ignored, GPUARR_CACHE_LIMIT) != GPUARR_OK) return facts;
  facts.entries = statistic(GPUARR_CACHE_ENTRIES);
  facts.bytes = statistic(GPUARR_CACHE_BYTES);
  facts.limit = statistic(GPUARR_CACHE_LIMIT);
  return facts;
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  check(gpuarr_settings_list(
      [](void* user, const char* name, const char* value, int32_t is_set, const char* meaning,
         const char* problem) {
        static_cast<std::vector<Setting>*>(user)->push_back(
            {name, value, is_set != 0, meaning, problem});
        return 0;
      },
      &all));
  return all;
}

std::vector<std::string> unknown_settings() {
  const std::vector<Setting> known = settings();
  std::vector<std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry, name = text.substr(0, text.find('='));
    if (!text.starts_with("GPUARR_") || name.size() + 1 >= text.size()) continue;
    if (std::ranges::find(known, name, &Setting::name) == known.end()) found.emplace_back(text);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace cli
