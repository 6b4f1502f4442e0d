// The copies that places have of a replicated array, combined element by element.
#pragma once

#include "team/blocked/blocked.hpp"

namespace gpuarr::team {

/// Collective.
void all_reduce(Blocked& blocked, Combine how);

}  // namespace gpuarr::team
