// What checks need in a module's text.
#pragma once

#include "host/read/edits.hpp"
#include "host/read/parsed.hpp"

namespace gpuarr::host {

/// Marks the returns of kernels and of functions that wait, to be told from a kernel's end, and
/// puts gaps between shared arrays.
void prepare_for_checks(const Parsed& parsed, Edits& edits);

}  // namespace gpuarr::host
