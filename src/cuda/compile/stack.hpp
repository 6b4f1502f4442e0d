// Running something on a stack of a known size.
#pragma once

#include <functional>

namespace gpuarr::cuda {

/// Runs `body` on a thread with a stack of 16 MiB, and waits for it; what it throws comes out here.
void on_large_stack(const std::function<void()>& body);

}  // namespace gpuarr::cuda
