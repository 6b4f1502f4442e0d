// Sorting of blocked vectors.
#pragma once

#include "team/blocked/blocked.hpp"

namespace gpuarr::team {

/// out = x sorted, as sort() has it, in any blocks of the same shape and dtype; out may be x, or
/// share memory with it. Collective.
void sort(Blocked& out, Blocked& x, bool descending);

}  // namespace gpuarr::team
