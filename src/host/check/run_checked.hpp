// Runs the kernels of raw modules that were compiled with checks.
#pragma once

#include "device/device.hpp"
#include "device/raw.hpp"
#include "host/check/checked_module.hpp"
#include "host/glue/abi.cuh"

namespace gpuarr::host {

/// As run_raw(), and fails with what the checks find: GPUARR_ERR_FAULT, GPUARR_ERR_RACE,
/// GPUARR_ERR_SYNC. One launch at a time in a process.
void run_checked(const gpuarr_kernel& kernel, const gpuarr_launch& launch,
                 const CheckedModule& module, const RawLaunch& what, Device& device);

}  // namespace gpuarr::host
