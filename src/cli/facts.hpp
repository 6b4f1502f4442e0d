// What there is to say about the machine, the cache and the settings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpuarr.h"

namespace cli {

/// Something that may be missing, and then why.
struct Found {
  std::string what;
  std::string problem;  // "" if it was found
};

struct DeviceFacts {
  std::string name;
  std::string problem;  // why it cannot be opened; "" if it can, and only then the rest is set
  std::string description;
  int32_t kind = 0;
  int64_t processors = 0;
  int64_t compute_capability = 0;
  Found memory;  // `what` is not used
  int64_t memory_free = 0;
  int64_t memory_total = 0;
  Found compiler;
  Found driver;
  Found blas;
  Found solver;
};

std::vector<DeviceFacts> device_facts();
std::string no_gpu_reason();  // "" if there is a GPU
Found default_device();

struct CacheFacts {
  std::string directory;
  std::string problem;
  int64_t entries = 0;
  int64_t bytes = 0;
  int64_t limit = 0;
};

CacheFacts cache_facts();

struct Setting {
  std::string name;
  std::string value;    // of the variable, else what holds, in words
  bool is_set = false;  // by the environment
  std::string meaning;
  std::string problem;  // why the value is refused; "" if it is not
};

std::vector<Setting> settings();

/// "GPUARR_CASHE=off": what the environment has besides.
std::vector<std::string> unknown_settings();

}  // namespace cli
