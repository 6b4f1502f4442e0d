// The functions that a program gives for memory, as the library calls them.
#pragma once

#include "device/function_allocator.hpp"
#include "device/memory_hooks.hpp"
#include "gpuarr/allocator.h"

namespace gpuarr {

MemoryHook memory_hook_of(gpuarr_memory_hook_fn fn, void* user);
Reclaim reclaim_of(gpuarr_reclaim_fn fn, void* user);
AllocatorFunctions allocator_functions_of(gpuarr_allocate_fn allocate,
                                          gpuarr_deallocate_fn deallocate, void* user,
                                          Device& device);

}  // namespace gpuarr
