// Scans along an axis of blocked arrays.
#pragma once

#include "ops/reduce/scan.hpp"
#include "team/blocked/blocked.hpp"

namespace gpuarr::team {

/// out = the scan of x, of equal shape, in any blocks; out may be x, or share memory with it. The
/// request's axis is x's. Collective.
void scan(Blocked& out, Blocked& x, Scanner scanner, const ScanRequest& request);

}  // namespace gpuarr::team
