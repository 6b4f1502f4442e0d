// Which devices there are, and what each backend brings for the floors above. backends.cpp is the
// only file that names cuda/ and host/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/layout/target.hpp"
#include "device/device.hpp"

namespace gpuarr {

struct Algorithms;

/// How kernels for the device are written.
const Target& target_of(const Device& device);

/// A processor that need not be here: "host", or a GPU's architecture, "sm_90".
struct Architecture {
  const Target& target;
  std::string (*compile_raw)(const std::string& name, const RawSource& source);  // the code
};
/// Fails with GPUARR_ERR_UNSUPPORTED, and a list of what there may be.
Architecture architecture_of(std::string_view name);

/// How ready-made operations work there (ops/base/algorithms.hpp).
const Algorithms& algorithms_of(const Device& device);

int device_count(int32_t kind);  // GPUARR_DEVICE_...

/// "host", "cuda", "cuda:N"; null for the default device. Devices are never destroyed.
Device& open_device(const char* name);
Device& open_device(int32_t kind, int ordinal);
Device& host_device();

/// Looks for a profiler that shows ranges; what opens a device has done it.
void find_range_tool();

}  // namespace gpuarr
