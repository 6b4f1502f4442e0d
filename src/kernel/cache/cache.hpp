// Compiled kernels, kept in memory and on disk. All kinds of kernels share it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "device/device.hpp"

namespace gpuarr {

/// The source, compiled for the device and loaded. Ten threads that ask at the same time cause one
/// compilation, and all get what came of it. Throws what Device::compile and Device::load throw.
std::shared_ptr<Module> cached_module(Device& device, const Source& source);

struct RawCode {
  std::shared_ptr<const std::string> image;
  std::shared_ptr<RawModule> module;  // of this caller alone, with variables of its own
};

/// The same for CUDA C++ of a user's own: the image is shared, each call loads it anew.
RawCode cached_raw(Device& device, const RawSource& source);

/// How kernels were come by since the process began. A kernel is counted once, where it was found.
struct CacheCounts {
  std::atomic<int64_t> memory_hits{0}, disk_hits{0}, compiles{0};
  std::atomic<int64_t> waits{0};    // another thread or process compiled it meanwhile
  std::atomic<int64_t> refused{0};  // images from the disk that the device would not load
};
CacheCounts& cache_counts();

}  // namespace gpuarr
