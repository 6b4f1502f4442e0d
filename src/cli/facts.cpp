// What there is to say about the machine, the cache and the settings.
#include "facts.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "error.hpp"

namespace cli {
namespace {

constexpr std::string_view known_settings[] = {
    "GPUARR_ALLOCATOR",    "GPUARR_BLAS",        "GPUARR_CACHE",
    "GPUARR_CUBLAS",       "GPUARR_CACHE_DIR",   "GPUARR_CACHE_READ_ONLY_DIR",
    "GPUARR_CACHE_SIZE",   "GPUARR_CHECK",       "GPUARR_CXX",
    "GPUARR_DEVICE",       "GPUARR_HOST_ASYNC",  "GPUARR_LAPACK",
    "GPUARR_CUSOLVER",     "GPUARR_LIBCUDA",     "GPUARR_LOG",
    "GPUARR_MEMORY_LIMIT", "GPUARR_NUM_THREADS", "GPUARR_NVRTC",
    "GPUARR_OBJECTS",      "GPUARR_PROFILE",     "GPUARR_SOURCE_DIR",
};

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
  facts.entries = statistic(GPUARR_CACHE_ENTRIES);
  facts.bytes = statistic(GPUARR_CACHE_BYTES);
  facts.limit = statistic(GPUARR_CACHE_LIMIT);
  facts.directory = gpuarr_cache_directory();
  facts.problem = gpuarr_cache_problem();
  return facts;
}

std::vector<Setting> settings() {
  std::vector<Setting> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    size_t equals = text.find('=');
    if (!text.starts_with("GPUARR_") || equals == std::string_view::npos) continue;
    std::string_view name = text.substr(0, equals);
    std::string_view value = text.substr(equals + 1);
    if (value.empty()) continue;  // the library takes it for not set
    bool known = std::find(std::begin(known_settings), std::end(known_settings), name) !=
                 std::end(known_settings);
    found.push_back({std::string(name), std::string(value), known});
  }
  std::sort(found.begin(), found.end(),
            [](const Setting& a, const Setting& b) { return a.name < b.name; });
  return found;
}

}  // namespace cli
