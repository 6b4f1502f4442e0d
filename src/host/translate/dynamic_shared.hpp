// `extern __shared__ T name[];` for a CPU.
#pragma once

#include "host/read/edits.hpp"
#include "host/read/parsed.hpp"

namespace gpuarr::host {

/// In a function it becomes a reference to what gpuarr_dynamic_shared() points to. At file scope it
/// goes away, and each function behind that mentions the name begins with such a reference.
void rewrite_dynamic_shared(const Parsed& parsed, Edits& edits);

}  // namespace gpuarr::host
