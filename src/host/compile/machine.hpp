// What the operating system says about this machine.
#pragma once

#include <cstdint>
#include <string>

#include "device/device.hpp"

namespace gpuarr::host {

std::string cpu_model();     // "AMD EPYC 9354 32-Core Processor"
std::string cpu_features();  // model and instruction sets, all that -march=native may depend on
std::string architecture();  // "x86_64"
int64_t last_cache_bytes();  // 0 where unknown
DeviceMemory machine_memory();
int64_t largest_block();  // bytes of memory and swap; more cannot be had

}  // namespace gpuarr::host
