// Loops in which the threads go through memory side by side.
#pragma once

#include "host/split/statements.hpp"

namespace gpuarr::host {

/// Finds the outermost loops such as `for (int i = first; i < n; i += step)` whose step is made of
/// gridDim or blockDim, gives them a `stride`, and takes each pass through their bodies to end at a
/// barrier: then all threads do their first elements, which lie in a row, before any does its
/// second one.
void find_strides(const Parsed& parsed, Statement& body);

}  // namespace gpuarr::host
