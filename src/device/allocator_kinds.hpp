// The allocators that can be had by name.
#pragma once

#include "device/allocator.hpp"

namespace gpuarr {

std::shared_ptr<Allocator> make_allocator_of_kind(Device& device, int32_t kind);

/// Makes the one that $GPUARR_ALLOCATOR names the device's, the first time that it is opened.
void set_allocator_from_environment(Device& device);

}  // namespace gpuarr
