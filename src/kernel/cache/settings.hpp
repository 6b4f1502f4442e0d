// Where the kernel cache lies, by the environment.
#pragma once

#include <cstdint>
#include <string>

namespace gpuarr {

struct CacheSettings {
  std::string directory;            // absolute; "": kernels are kept in memory only
  std::string read_only_directory;  // a second one to look in; "": none
  int64_t limit = int64_t{1} << 30;
  std::string problem;  // what is wrong with the settings; "": nothing
};

/// Fails with GPUARR_ERR_ARGUMENT for what cannot be understood.
CacheSettings cache_settings();

}  // namespace gpuarr
